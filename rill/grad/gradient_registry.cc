#include "rill/grad/gradient_registry.h"

#include <map>
#include <mutex>

#include "rill/base/error.h"

namespace rill {
namespace {

struct Registered {
  std::mutex mutex;
  std::map<std::string, GradientFunction, std::less<>> by_name;
};
Registered& registered() {
  static Registered& all = *new Registered;  // what it holds may outlive static storage
  return all;
}

}  // namespace

void register_gradient(std::string name, GradientFunction gradient) {
  Registered& all = registered();
  const std::lock_guard lock(all.mutex);
  const auto [it, added] = all.by_name.try_emplace(std::move(name), std::move(gradient));
  if (!added) raise(Code::kAlreadyExists, "Registering two gradient with name '", it->first, "'!");
}

const GradientFunction* find_registered_gradient(std::string_view name) {
  Registered& all = registered();
  const std::lock_guard lock(all.mutex);
  const auto it = all.by_name.find(name);
  return it == all.by_name.end() ? nullptr : &it->second;
}

}  // namespace rill
