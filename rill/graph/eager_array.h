#pragma once

#include <vector>

#include "rill/graph/scope.h"

namespace rill {

// The elements of a TensorArray in eager execution, where it is a list of tensors. Everything is
// computed from these by ordinary ops, so that tapes see it. Indices are checked: OutOfRange.
class EagerArray {
 public:
  EagerArray(DType dtype, std::int64_t size, bool dynamic, bool clear_after_read,
             PartialShape element_shape);

  std::int64_t size() const { return static_cast<std::int64_t>(items_.size()); }
  Output read(Scope& scope, std::int64_t index);
  Output gather(Scope& scope, const std::vector<std::int64_t>& indices);
  Output stack(Scope& scope);
  Output concat(Scope& scope);
  void write(std::int64_t index, Output value);
  void scatter(Scope& scope, const std::vector<std::int64_t>& indices, const Output& rows);
  void split(Scope& scope, const Output& rows, const Output& lengths);

 private:
  Output& at(std::int64_t index, bool for_writing);
  Output element(Scope& scope, std::int64_t index, bool clears);
  Output packed(Scope& scope, std::vector<Input> all) const;

  DType dtype_;
  std::vector<Output> items_;
  std::vector<char> was_read_;
  bool dynamic_, clear_after_read_;
  PartialShape element_shape_;
};

// The integers that an input of eager execution holds.
std::vector<std::int64_t> eager_integers(Scope& scope, const Input& input);

}  // namespace rill
