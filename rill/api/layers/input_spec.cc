#include "rill/api/layers/input_spec.h"

#include "rill/base/error.h"

namespace rill::layers {
namespace {

// As Python writes a list: "[2, None]".
std::string shape_list_text(const PartialShape& shape) {
  std::string text = "[";
  for (int i = 0; i < shape.rank(); ++i) {
    if (i > 0) text += ", ";
    text += shape[i] < 0 ? "None" : std::to_string(shape[i]);
  }
  return text + "]";
}

class Check {
 public:
  Check(const InputSpec& spec, Output input, std::size_t index, std::string_view layer)
      : spec_(spec),
        shape_(input.shape()),
        dtype_(base_type(input.dtype())),
        start_(str_cat("Input ", index, " of layer ", layer, " is incompatible with the layer: ",
                       spec.min_ndim ? ": " : "", "expected ")) {}

  void rank() const {
    const int rank = shape_.rank();
    const std::string full = str_cat(". Full shape received: ", shape_list_text(shape_));
    const std::optional<int> ndim =
        spec_.shape && spec_.shape->has_rank() ? std::optional(spec_.shape->rank()) : spec_.ndim;
    require(!ndim || rank == *ndim, start_, "ndim=", ndim.value_or(0), ", found ndim=", rank, full);
    require(!spec_.max_ndim || rank <= *spec_.max_ndim, start_,
            "max_ndim=", spec_.max_ndim.value_or(0), ", found ndim=", rank);
    require(!spec_.min_ndim || rank >= *spec_.min_ndim, start_,
            "min_ndim=", spec_.min_ndim.value_or(0), ", found ndim=", rank, full);
  }

  void dtype() const {
    require(spec_.dtype == DType::invalid || spec_.dtype == dtype_, start_,
            "dtype=", numpy_name(spec_.dtype), ", found dtype=", numpy_name(dtype_));
  }

  void sizes() const {
    for (const auto& [axis, wanted] : spec_.axes) {
      if (!wanted) continue;
      const std::int64_t found = shape_[canonical_axis(axis, shape_.rank())];
      require(found < 0 || found == *wanted, start_, "axis ", axis,
              " of input shape to have value ", *wanted, " but received input with shape ",
              shape_list_text(shape_));
    }
    if (spec_.shape)
      require(spec_.shape->is_compatible(shape_), start_, "shape=", shape_list_text(*spec_.shape),
              ", found shape=", shape_list_text(shape_));
  }

 private:
  const InputSpec& spec_;
  PartialShape shape_;
  DType dtype_;
  std::string start_;
};

}  // namespace

void check_inputs(const InputSpecs& specs, const std::vector<Output>& inputs,
                  std::string_view name) {
  if (specs.empty()) return;
  require(specs.size() == inputs.size(), "Layer ", name, " expects ", specs.size(),
          " inputs, but it received ", inputs.size(), " input tensors.");
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const InputSpec& spec = specs[i];
    const bool wants_rank = spec.ndim || spec.min_ndim || spec.max_ndim;
    require(inputs[i].shape().has_rank() || !wants_rank, "Input ", i, " of layer ", name,
            " is incompatible with the layer: its rank is undefined, but the layer requires a ",
            "defined rank.");
    if (!inputs[i].shape().has_rank()) return;
    const Check check(specs[i], inputs[i], i, name);
    check.rank();
    check.dtype();
    check.sizes();
  }
}

}  // namespace rill::layers
