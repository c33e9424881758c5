#include "rill/runtime/plan/may_block.h"

#include <algorithm>
#include <set>

namespace rill {
namespace {

bool has_async_kernel(const std::string& op, const KernelRegistry& kernels) {
  return std::ranges::any_of(kernels.entries(op, "CPU"), [](const KernelEntry* entry) {
    return entry->run == nullptr && entry->run_async != nullptr;
  });
}

}  // namespace

bool any_node(const FuncName& function, const FunctionLibrary& library,
              FunctionRef<bool(const FunctionNode&)> is_so) {
  std::vector<std::string> names;
  // Functions that attributes pass on as placeholders are named where the chain of calls begins.
  find_functions(AttrValue(function), names);
  std::set<std::string> seen;
  while (!names.empty()) {
    const std::string name = std::move(names.back());
    names.pop_back();
    if (!seen.insert(name).second) continue;
    if (const std::string gradient = library.gradient_of(name); !gradient.empty())
      names.push_back(gradient);
    const auto called = library.find(name);
    if (called == nullptr) continue;
    for (const FunctionNode& node : called->nodes) {
      if (is_so(node)) return true;
      names.push_back(node.op);
      for (const auto& [attr, value] : node.attrs) find_functions(value, names);
    }
  }
  return false;
}

bool may_block(const FuncName& function, const FunctionLibrary& library,
               const KernelRegistry& kernels) {
  return any_node(function, library,
                  [&](const FunctionNode& node) { return has_async_kernel(node.op, kernels); });
}

}  // namespace rill
