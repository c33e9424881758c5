#include "rill/graph/held_functions.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace rill {
namespace {

struct AllHolds {
  std::mutex mutex;
  std::unordered_map<std::string, std::weak_ptr<const void>> by_name;
};

AllHolds& all_holds() {
  static AllHolds& all = *new AllHolds;  // values of eager execution outlive static storage
  return all;
}

class Hold {
 public:
  Hold(std::shared_ptr<FunctionLibrary> library, std::string function,
       std::vector<FunctionHold> called)
      : library_(std::move(library)), function_(std::move(function)), called_(std::move(called)) {}
  ~Hold() {
    AllHolds& all = all_holds();
    {
      const std::lock_guard lock(all.mutex);
      all.by_name.erase(function_);
    }
    library_->remove(function_);
  }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  const std::shared_ptr<FunctionLibrary> library_;
  const std::string function_;
  const std::vector<FunctionHold> called_;
};

}  // namespace

FunctionHold hold_function(std::shared_ptr<FunctionLibrary> library, const std::string& function,
                           std::vector<FunctionHold> called) {
  FunctionHold hold = std::make_shared<const Hold>(std::move(library), function, std::move(called));
  AllHolds& all = all_holds();
  const std::lock_guard lock(all.mutex);
  all.by_name[function] = hold;
  return hold;
}

FunctionHold held_function(const std::string& function) {
  AllHolds& all = all_holds();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_name.find(function);
  return found == all.by_name.end() ? nullptr : found->second.lock();
}

bool name_held_functions(const AttrMap& attrs) {
  std::vector<std::string> named;
  for (const auto& [name, value] : attrs) find_functions(value, named);
  return std::ranges::any_of(
      named, [](const std::string& function) { return held_function(function) != nullptr; });
}

}  // namespace rill
