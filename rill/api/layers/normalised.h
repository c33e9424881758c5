#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "rill/api/core/control_flow.h"
#include "rill/api/gen/plain_array.h"
#include "rill/api/layers/normalization_layers.h"
#include "rill/api/math/math.h"

namespace rill::layers {

// A weight, which is read where it is used, or a tensor.
class Parameter {
 public:
  Parameter(const Weight& weight) : weight_(weight) {}
  Parameter(Output tensor) : weight_(AnyVariable(tensor)) {}

  PartialShape shape() const { return weight_.shape(); }
  operator Input() const { return weight_; }
  // As tf.cast makes it: tensors and resources of that type stay what they are; for other variables
  // there is a name scope though there may be no node.
  Parameter cast_to(DType type) const {
    const auto* plain = std::get_if<Variable>(&weight_.any());
    const bool is_tensor = std::holds_alternative<Output>(weight_.any());
    if (weight_.dtype() == type && (is_tensor || (plain != nullptr && plain->is_resource())))
      return *this;
    if (weight_.dtype() != type) return cast(weight_, type);
    const NameScope named("Cast");
    return as_tensor(weight_, "x");
  }

 private:
  Weight weight_;
};

// While the layer normalises: by what. Variables are read where they are used.
struct BatchNormalization::Normalised {
  std::optional<Parameter> scale, offset;
  Parameter mean, variance;
  std::vector<std::int64_t> reduction_axes, broadcast_shape;
  int rank = 0;

  Output beside(Output v) const { return Input(broadcast(Parameter(v))).output(); }
  // A parameter so that it stands beside the input.
  Parameter broadcast(const Parameter& v) const {
    if (v.shape().rank() == rank) return v;
    std::vector<std::int64_t> leading;
    for (int i = 0; i + 1 < rank; ++i) leading.push_back(i);
    if (reduction_axes == leading) return v;
    return reshape(v, axes_input(broadcast_shape));
  }
  std::optional<Parameter> broadcast(const Weight& weight) const {
    if (!weight) return std::nullopt;
    return broadcast(Parameter(weight));
  }
  // What scale and offset do after `first` and `then`.
  void follow(Output first, Output then) {
    if (scale) {
      first = first * Input(*scale);
      then = then * Input(*scale);
    }
    if (offset) then = then + Input(*offset);
    scale = first;
    offset = then;
  }
};

// smart_cond of one tensor: where `training` is known, only that form is built.
inline Output one_of(const Input& training, const std::function<Output()>& yes,
                     const std::function<Output()>& no) {
  return smart_cond(
      training, [&] { return std::vector{yes()}; }, [&] { return std::vector{no()}; })[0];
}

}  // namespace rill::layers
