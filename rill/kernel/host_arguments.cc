#include "rill/kernel/host_arguments.h"

#include <algorithm>
#include <set>

namespace rill {
namespace {

using Names = std::set<std::string, std::less<>>;

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + separator.size());
  }
}

bool has_type(const AttrMap& attrs, std::string_view name, std::string_view types) {
  const auto it = attrs.find(std::string(name));
  const DType* type = it == attrs.end() ? nullptr : it->second.get_if<DType>();
  if (type == nullptr) return false;
  const auto all = split(types, ",");
  return std::ranges::find(all, dtype_name(base_type(*type))) != all.end();
}

// "T: int32,int64; Tidx: int32": every attribute has one of its types.
bool holds(std::string_view condition, const AttrMap& attrs) {
  return std::ranges::all_of(split(condition, "; "), [&](std::string_view part) {
    const std::size_t colon = part.find(": ");
    return has_type(attrs, part.substr(0, colon), part.substr(colon + 2));
  });
}

// "(...) or (...)", or one condition alone.
bool holds_any(std::string_view condition, const AttrMap& attrs) {
  if (!condition.starts_with('(')) return holds(condition, attrs);
  condition = condition.substr(1, condition.size() - 2);
  return std::ranges::any_of(split(condition, ") or ("),
                             [&](std::string_view one) { return holds(one, attrs); });
}

Names host_names(std::string_view rule, const AttrMap& attrs) {
  Names applying, common;
  bool is_first = true, applies = false;
  for (std::string_view part : split(rule, "] or ")) {
    if (part.ends_with(']')) part.remove_suffix(1);
    const std::size_t bracket = part.find(" [");
    Names names;
    for (const std::string_view name : split(part.substr(0, bracket), ",")) names.emplace(name);
    if (bracket == std::string_view::npos || holds_any(part.substr(bracket + 2), attrs)) {
      applies = true;
      applying.insert(names.begin(), names.end());
    }
    if (is_first) common = names;
    std::erase_if(common, [&](const std::string& name) { return !names.contains(name); });
    is_first = false;
  }
  if (applies) return applying;
  return rule.find("] or ") == std::string_view::npos ? Names() : common;
}

std::vector<MemoryKind> memory_of(const std::vector<Arg>& args, const KernelNode& node,
                                  const std::vector<DType>& types, const Names& host, bool calls) {
  std::vector<MemoryKind> kinds;
  for (const Arg& arg : args) {
    const std::size_t count = arg.is_list() ? arg_types(arg, node.attrs).size() : 1;
    const bool is_host = host.contains(arg.name);
    kinds.insert(kinds.end(), count, is_host ? MemoryKind::host : node.device->memory_kind());
  }
  kinds.resize(types.size(), node.device->memory_kind());
  for (std::size_t i = 0; i < types.size(); ++i) {
    const bool is_object = !is_trivial(base_type(types[i]));
    if (is_object || (calls && !is_in_device_memory(types[i])))
      kinds[i] = MemoryKind::host;
    else if (is_ref(types[i]))  // the variable lies on the device, whoever passes it on
      kinds[i] = node.device->memory_kind();
  }
  return kinds;
}

}  // namespace

bool is_in_device_memory(DType type) { return is_trivial(type) && type != DType::i32; }

const HostArguments* find_gpu_host_arguments(std::string_view op) {
  const auto all = gpu_host_arguments();
  const auto it = std::ranges::lower_bound(all, op, {}, &HostArguments::op);
  return it == all.end() || it->op != op ? nullptr : &*it;
}

void set_argument_memory(KernelNode& node, const KernelEntry& entry) {
  node.input_memory.clear();
  node.output_memory.clear();
  if (node.device->memory_kind() == MemoryKind::host) return;
  std::string_view rule;
  if (entry.host_memory != nullptr) {
    rule = entry.host_memory;
  } else if (const HostArguments* known = find_gpu_host_arguments(node.op->name)) {
    rule = known->rule;
  }
  const Names host = rule.empty() ? Names() : host_names(rule, node.attrs);
  const bool calls = entry.run != nullptr && entry.run_async != nullptr;
  node.input_memory = memory_of(node.op->inputs, node, node.input_types, host, calls);
  node.output_memory = memory_of(node.op->outputs, node, node.output_types, host, calls);
}

}  // namespace rill
