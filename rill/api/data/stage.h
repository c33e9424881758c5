#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "rill/api/core/op_call.h"
#include "rill/api/data/element_function.h"

namespace rill::data {

// A constant vector.
inline Tensor integer_tensor(const std::vector<std::int64_t>& values) {
  return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())},
                                  std::span<const std::int64_t>(values));
}

// One node that makes a dataset, or takes elements, under construction: an OpCall whose numbers
// become constants beside the node, as TensorFlow's datasets have them.
class Stage {
 public:
  explicit Stage(std::string_view op, std::string name = {}) : call_(op), name_(std::move(name)) {}

  Stage& in(const Input& input) { return call_.in(input), *this; }
  Stage& in(const Inputs& list) { return call_.in(list), *this; }
  // A number becomes a constant of that name and type.
  Stage& value(const Input& input, std::string_view name, DType type = DType::i64);
  Stage& attr(std::string_view name, AttrValue value) {
    return call_.attr(name, std::move(value)), *this;
  }
  // output_types and output_shapes.
  Stage& element(const ElementSpec& spec);

  Node& add() { return call_.add(name_, std::source_location::current()); }
  Output made() { return add().output(0); }

 private:
  OpCall call_;
  std::string name_;
};

// The two seeds of a stage that draws random numbers, as tensors; none given and none of the graph:
// zeros, which differ in every session.
struct SeedTensors {
  Output seed = {}, seed2 = {};
};
SeedTensors seed_tensors(const OptionalInput& seed);

}  // namespace rill::data
