#include "rill/graph/argument_shape.h"

namespace rill {
namespace {

// The single item of a list in an attribute that may not be there, or be anything.
template <class T>
const T* only_item(const AttrMap& attrs, std::string_view name) {
  const auto found = attrs.find(name);
  if (found == attrs.end()) return nullptr;
  const auto* items = found->second.template get_if<std::vector<T>>();
  return items != nullptr && items->size() == 1 ? items->data() : nullptr;
}

}  // namespace

PartialShape described_shape(const AttrMap& attrs) {
  const auto* shape = only_item<PartialShape>(attrs, "_output_shapes");
  return shape == nullptr ? PartialShape() : *shape;
}

void describe_handle(const ShapeCtx& c) {
  const auto* dtype = only_item<DType>(c.attrs(), "_handle_dtypes");
  const auto* shape = only_item<PartialShape>(c.attrs(), "_handle_shapes");
  if (dtype != nullptr && shape != nullptr) c.set_output_handle(0, {*dtype, *shape});
}

}  // namespace rill
