#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "rill/api/core/tensor_array.h"
#include "rill/api/functional/functional_ops.h"
#include "rill/graph/whole_number.h"

namespace rill {

// A number of elements, or the index of one: known, or a tensor. Known ones become constants where
// they are used, as TensorFlow's graphs have them.
class Count {
 public:
  explicit Count(std::int64_t known) : known_(known) {}
  explicit Count(Output tensor) : tensor_(tensor) {}
  // The first dimension of `x`; read when it runs where it is 0, as TensorFlow does.
  static Count rows_of(Output x);

  std::optional<std::int64_t> known() const { return known_; }
  Input input() const { return known_ ? whole_number(*known_) : Input(tensor_); }
  Count minus(std::int64_t less) const;  // a node "sub" where it is not known

 private:
  std::optional<std::int64_t> known_;
  Output tensor_;
};

// Whether all arrays are made before the first is filled.
enum class ElementOrder { kOneByOne, kArraysFirst };

// The inputs of a loop over elements: tensors, and arrays of their rows.
struct ElementArrays {
  std::vector<Output> tensors = {};
  std::vector<TensorArray> arrays = {};
  Count count;

  // Makes the nodes; `with_shapes` tells the arrays the shapes of the rows. Throws InvalidArgument
  // for scalars.
  static ElementArrays of(const Inputs& elems, ElementOrder order, bool with_shapes = false);
  std::vector<Output> read(const Input& index) const;
  // Checks that all have the same number of rows, and says so of `results`.
  void set_rows(const std::vector<Output>& results) const;
};

// One iteration: gets the index, the carried tensors and the arrays; replaces tensors and arrays,
// and returns the next index.
using ElementIteration = std::function<Output(Output index, std::vector<Output>& carried,
                                              std::vector<TensorArray>& arrays)>;

struct ElementLoopResults {
  std::vector<Output> carried = {};
  std::vector<TensorArray> arrays = {};
};
// A while loop of at most `count` iterations, as long as `go_on(index)` holds. What map_fn, foldl,
// foldr and scan have in common.
ElementLoopResults loop_over_elements(const Count& count, const Input& first,
                                      const std::function<Output(Output index)>& go_on,
                                      const ElementIteration& iteration, const Inputs& carried,
                                      const std::vector<TensorArray>& arrays,
                                      const ElementLoopOptions& options);

}  // namespace rill
