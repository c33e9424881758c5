#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rill/graph/scope.h"
#include "rill/graph/whole_number.h"

namespace rill {

// A size or offset: a number where it is known while the graph is built, else a tensor of int32.
// Arithmetic on numbers makes no nodes and throws InvalidArgument where they become too large; on
// tensors it makes those of Python's operators, in current_scope().
class Extent {
 public:
  Extent(std::int64_t number) : number_(number) {}
  Extent(int number) : number_(number) {}
  Extent(Output tensor) : tensor_(tensor) {}
  // A value becomes its number; throws InvalidArgument unless it is an integer scalar.
  explicit Extent(const Input& input);

  bool is_known() const { return number_.has_value(); }
  std::int64_t number() const { return *number_; }
  Output tensor() const { return tensor_; }
  Input input() const { return number_ ? whole_number(*number_) : Input(tensor_); }
  std::int64_t dim() const { return number_.value_or(-1); }  // as a shape has it

  friend Extent operator+(const Extent& a, const Extent& b);
  friend Extent operator-(const Extent& a, const Extent& b);
  friend Extent operator*(const Extent& a, const Extent& b);
  friend Extent operator-(const Extent& a);

 private:
  std::optional<std::int64_t> number_;
  Output tensor_;
};

// On numbers, throws InvalidArgument unless b is positive.
Extent floor_div(const Extent& a, const Extent& b);
Extent largest(const Extent& a, const Extent& b);
Extent smallest(const Extent& a, const Extent& b);

// A list of sizes as a tensor: one constant where all are known, else a Pack.
Input list_of(const std::vector<Extent>& items);

// The dimensions of a tensor of a known rank, each as well as it is known; throws InvalidArgument
// when the tensor has another rank.
std::vector<Extent> extents_of(Output x, int rank);

}  // namespace rill
