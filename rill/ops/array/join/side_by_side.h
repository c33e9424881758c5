#pragma once

#include <vector>

#include "rill/kernel/kernel_call.h"

namespace rill {

// A matrix and others that are its columns, side by side: rows hold the axis along which tensors
// are joined or split and all dimensions behind it.
class SideBySide {
 public:
  // `whole` has at least one element; a negative axis counts from the end.
  SideBySide(const Tensor& whole, std::int64_t axis);

  // The next tensor to the right. The row counts of all must be equal.
  void add(const Tensor& piece);

  // Copy all elements: from the pieces, or to them.
  void join(const KernelCall& call) const;
  void split(const KernelCall& call) const;

 private:
  struct Piece {
    void* at;
    std::int64_t begin, width;  // columns of the whole
  };

  template <bool kJoins>
  void move(const KernelCall& call) const;
  template <bool kJoins>
  void move_narrow(const KernelCall& call) const;
  bool is_narrow() const;

  const Tensor& whole_;
  std::int64_t row_count_ = 1, row_;
  std::vector<Piece> pieces_;
};

}  // namespace rill
