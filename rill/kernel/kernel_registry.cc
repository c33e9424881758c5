#include "rill/kernel/kernel_registry.h"

#include "rill/base/log.h"

namespace rill {
namespace {

// The value of the op's `which`-th attribute of kind type, invalid when it has fewer.
DType type_attr(const KernelNode& node, int which) {
  for (const AttrSpec& spec : node.op->attrs) {
    if (spec.kind != AttrKind::kType || spec.is_list || which-- > 0) continue;
    return node.attr<DType>(spec.name);
  }
  return DType::invalid;
}

bool types_fit(const KernelEntry& entry, const KernelNode& node) {
  return (entry.types.empty() || entry.types.contains(type_attr(node, 0))) &&
         (entry.types2.empty() || entry.types2.contains(type_attr(node, 1)));
}

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
  std::lock_guard lock(mutex_);
  std::string tried;
  const auto it = entries_.find({node.op->name, node.device->type()});
  if (it != entries_.end()) {
    for (const KernelEntry& entry : it->second) {
      if (!types_fit(entry, node)) {
        tried +=
            str_cat("\n  device='", node.device->type(), "'; T in [", type_names(entry.types), "]");
        continue;
      }
      const char* why = entry.accept == nullptr ? nullptr : entry.accept(node);
      if (log_topic_enabled("kernel"))
        log_topic_line("kernel", str_cat(node.name, ": ", entry.label,
                                         why ? str_cat(" declined (", why, ")") : " chosen"));
      if (why == nullptr) return entry;
      tried += str_cat("\n  ", entry.label, " declined: ", why);
    }
  }
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
  std::vector<const KernelEntry*> found;
  const auto it = entries_.find({std::string(op), std::string(device)});
  if (it != entries_.end())
    for (const KernelEntry& entry : it->second) found.push_back(&entry);
  return found;
}

}  // namespace rill
