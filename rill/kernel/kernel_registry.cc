#include "rill/kernel/kernel_registry.h"

#include "rill/base/log.h"
#include "rill/kernel/fast_paths.h"
#include "rill/kernel/kernel_fit.h"
#include "rill/kernel/op_guard.h"

namespace rill {
namespace {

std::string type_names(TypeSet types) {
  std::vector<std::string> names;
  for (int i = 1; i < kDTypeCount; ++i)
    if (types.contains(static_cast<DType>(i)))
      names.emplace_back(dtype_name(static_cast<DType>(i)));
  return names.empty() ? "any" : join(names, ",");
}

}  // namespace

void KernelRegistry::add(const KernelTable& table) {
  for (const KernelEntry& entry : table.entries) add(entry.op->name, table.device, entry);
}

void KernelRegistry::add(std::string op_name, std::string device, KernelEntry entry) {
  std::lock_guard lock(mutex_);
  entries_[{std::move(op_name), std::move(device)}].push_back(entry);
}

const KernelEntry& KernelRegistry::choose(const KernelNode& node) const {
  check_op(node);
  std::lock_guard lock(mutex_);
  std::string tried;
  const KernelEntry* off = nullptr;  // taken where there is no other
  for (const KernelEntry* candidate : find(node.op->name, node.device->type())) {
    const KernelEntry& entry = *candidate;
    if (!types_fit(entry, *node.op, node.attrs)) {
      tried +=
          str_cat("\n  device='", node.device->type(), "'; T in [", type_names(entry.types), "]");
      continue;
    }
    const char* why = entry.accept == nullptr ? nullptr : entry.accept(node);
    if (why == nullptr && is_switched_off(entry.label)) {
      why = "is switched off";
      if (off == nullptr) off = &entry;
    }
    if (log_topic_enabled("kernel"))
      log_topic_line("kernel", str_cat(node.name, ": ", entry.label,
                                       why ? str_cat(" declined (", why, ")") : " chosen"));
    if (why == nullptr) return entry;
    tried += str_cat("\n  ", entry.label, " declined: ", why);
  }
  if (off != nullptr) return *off;
  std::vector<std::string> attrs;
  for (const auto& [name, value] : node.attrs) attrs.push_back(str_cat(name, "=", value));
  raise(Code::kNotFound, "No registered '", node.op->name, "' OpKernel for '", node.device->type(),
        "' devices compatible with node ", node.name, " with attrs ", join(attrs, ", "),
        ". Registered:", tried.empty() ? std::string("\n  <no registered kernels>") : tried);
}

bool KernelRegistry::has_kernel(std::string_view op, std::string_view device) const {
  return !entries(op, device).empty();
}

std::vector<const KernelEntry*> KernelRegistry::entries(std::string_view op,
                                                        std::string_view device) const {
  std::lock_guard lock(mutex_);
  return find(op, device);
}

std::vector<std::string> KernelRegistry::ops(std::string_view device) const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [key, entries] : entries_)
    if (key.second == device) names.push_back(key.first);
  return names;
}

std::vector<const KernelEntry*> KernelRegistry::find(std::string_view op,
                                                     std::string_view device) const {
  std::vector<const KernelEntry*> found;
  const auto add = [&](std::string_view type, bool all) {
    const auto it = entries_.find({std::string(op), std::string(type)});
    if (it == entries_.end()) return;
    for (const KernelEntry& entry : it->second)
      if (all || entry.any_device) found.push_back(&entry);
  };
  add(device, true);
  if (found.empty() && device != "CPU") add("CPU", false);
  return found;
}

}  // namespace rill
