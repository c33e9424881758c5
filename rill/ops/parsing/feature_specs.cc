#include "rill/ops/parsing/feature_specs.h"

#include "rill/ops/parsing/output_shapes.h"

namespace rill {

FeatureSpecs::FeatureSpecs(std::vector<std::string> all_keys, const std::vector<DType>& sparse,
                           const std::vector<DType>& dense_types,
                           const std::vector<PartialShape>& dense_shapes)
    : keys(std::move(all_keys)), sparse_types(sparse) {
  for (std::size_t i = 0; i < dense_types.size(); ++i) {
    const PartialShape& shape = dense_shapes.at(i);
    const Shape row = row_shape(shape, i);
    const bool variable = is_variable_length(shape);
    require(!variable || row.element_count() > 0, "dense_shapes[", i, "] == ", shape,
            " has rows without elements");
    dense.push_back({dense_types[i], shape, variable, row, row.element_count()});
  }
}

void FeatureSpecs::check_default(std::size_t i, const Tensor& value) const {
  const DenseSpec& spec = dense[i];
  if (spec.variable) {
    require(value.element_count() == 1, "dense_shape[", i,
            "] is a variable length shape: ", spec.shape, ", therefore def_value[", i,
            "] must contain a single element (the padding element).  But its shape is: ",
            value.shape());
  } else {
    require(value.element_count() == 0 || value.shape() == spec.row, "def_value[", i,
            "].shape() == ", value.shape(), " is not compatible with dense_shapes_[", i,
            "] == ", spec.shape);
  }
}

}  // namespace rill
