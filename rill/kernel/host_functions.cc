#include "rill/kernel/host_functions.h"

#include <mutex>
#include <unordered_map>

#include "rill/base/text.h"

namespace rill {
namespace {

struct Functions {
  std::mutex mutex;
  std::unordered_map<std::string, HostFunction> by_token;
  long next = 0;
};
Functions& functions() {
  static Functions& all = *new Functions;  // a program's functions may outlive static storage
  return all;
}

}  // namespace

std::string add_host_function(HostFunction function) {
  Functions& all = functions();
  const std::lock_guard lock(all.mutex);
  std::string token = str_cat("pyfunc_", all.next++);
  all.by_token.emplace(token, std::move(function));
  return token;
}

void remove_host_function(const std::string& token) {
  HostFunction last;  // dies after the lock is free: what it holds may call back
  Functions& all = functions();
  const std::lock_guard lock(all.mutex);
  if (const auto it = all.by_token.find(token); it != all.by_token.end()) {
    last = std::move(it->second);
    all.by_token.erase(it);
  }
}

HostFunction find_host_function(const std::string& token) {
  Functions& all = functions();
  const std::lock_guard lock(all.mutex);
  const auto it = all.by_token.find(token);
  return it == all.by_token.end() ? HostFunction() : it->second;
}

}  // namespace rill
