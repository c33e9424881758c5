#include "rill/runtime/eager/eager_kernels.h"

#include <algorithm>

#include "rill/base/error_classes.h"
#include "rill/graph/function.h"
#include "rill/graph/held_functions.h"
#include "rill/graph/node_resolve.h"
#include "rill/graph/shape_ctx.h"
#include "rill/kernel/kernel_fit.h"
#include "rill/runtime/eager/eager_batch.h"

namespace rill {
namespace {

constexpr std::size_t kMostKernels = 8192;

std::size_t mixed(std::size_t h, std::size_t part) { return (h ^ part) * 1099511628211u; }

std::size_t hash_of(const AttrValue& value) {
  return std::visit(
      [](const auto& v) -> std::size_t {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string>) return std::hash<std::string>()(v);
        if constexpr (std::is_arithmetic_v<T>) return std::hash<T>()(v);
        if constexpr (std::is_same_v<T, DType>) return static_cast<std::size_t>(v);
        if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
          std::size_t h = v.size();
          for (const std::int64_t item : v) h = mixed(h, static_cast<std::size_t>(item));
          return h;
        }
        if constexpr (std::is_same_v<T, FuncName>) return std::hash<std::string>()(v.name);
        return 1;  // rare, and told apart by comparing
      },
      value.storage());
}

// What the op's shape function says of the attributes alone, whatever the inputs are: kernels that
// allocate their outputs rely on it.
void check_attrs(const KernelNode& node) {
  if (node.op->shape == nullptr) return;
  const auto no_value = [](int) -> const Tensor* { return nullptr; };
  const auto no_shape = [](int) { return PartialShape(); };
  const ShapeCtx ctx(*node.op, node.attrs, std::vector<PartialShape>(node.input_types.size()),
                     static_cast<int>(node.output_types.size()), no_value, no_shape);
  try {
    node.op->shape(ctx);
  } catch (...) {
    throw_as_class(executed_error(current_error(), node.op->name, *node.device));
  }
}

bool is_anonymous(const AttrMap& attrs) {
  const auto found = attrs.find("shared_name");
  const auto* name = found == attrs.end() ? nullptr : found->second.get_if<std::string>();
  return name == nullptr || name->empty();
}

}  // namespace

std::size_t EagerKernels::KeyHash::operator()(const Key& key) const {
  std::size_t h = std::hash<const void*>()(key.op) ^ std::hash<const void*>()(key.places);
  for (const DType type : key.types) h = mixed(h, static_cast<std::size_t>(type));
  for (const auto& [name, value] : key.attrs) h = mixed(h, hash_of(value));
  return h;
}

bool EagerKernels::fits(const Op& op, const AttrMap& attrs, const std::string& device_type) const {
  const bool is_call = library_.find(op.name) != nullptr;
  const auto entries = registry_.entries(is_call ? "PartitionedCall" : op.name, device_type);
  return std::ranges::any_of(
             entries,
             [&](const KernelEntry* entry) { return is_call || types_fit(*entry, op, attrs); }) &&
         functions_fit_(op.name, attrs, device_type);
}

std::shared_ptr<EagerKernel> EagerKernels::make(const Op& op, NodeSpec& spec,
                                                const EagerPlaces& places) const {
  ResolvedNode resolved = resolve_node(op, spec);
  auto made = std::make_shared<EagerKernel>();
  made->attrs = std::make_shared<AttrMap>(std::move(resolved.attrs));
  const auto is_handle = [](DType type) { return type == DType::resource; };
  made->has_handles = std::ranges::any_of(resolved.output_types, is_handle);
  made->makes_handles = made->has_handles && is_anonymous(*made->attrs) &&
                        std::ranges::none_of(resolved.input_types, is_handle);
  made->is_reusable = !made->makes_handles && !name_held_functions(*made->attrs);
  Device* device = places.back();
  if (places.size() > 1)
    device = *std::ranges::find_if(places.begin(), places.end() - 1, [&](const Device* place) {
      return fits(op, *made->attrs, place->type());
    });
  made->instance.node = {.name = op.name,
                         .op = &op,
                         .attrs = *made->attrs,
                         .input_types = std::move(resolved.input_types),
                         .output_types = std::move(resolved.output_types),
                         .device = device};
  check_attrs(made->instance.node);
  finish_kernel(made->instance, library_, registry_);
  return made;
}

void EagerKernels::clear() {
  const std::lock_guard lock(mutex_);
  kernels_.clear();
}

std::shared_ptr<EagerKernel> EagerKernels::find(const Op& op, NodeSpec& spec,
                                                const EagerPlaces& places) {
  Key key{&op, &places, {}, spec.attrs};
  key.types.reserve(spec.inputs.size());
  for (const Output& input : spec.inputs) key.types.push_back(input.dtype());
  {
    const std::lock_guard lock(mutex_);
    const auto found = kernels_.find(key);
    if (found != kernels_.end()) return found->second;
  }
  auto made = make(op, spec, places);
  if (!made->is_reusable) return made;
  const std::lock_guard lock(mutex_);
  if (kernels_.size() >= kMostKernels)
    std::erase_if(kernels_, [n = 0](const auto&) mutable { return n++ % 2 == 0; });
  return kernels_.emplace(std::move(key), std::move(made)).first->second;
}

}  // namespace rill
