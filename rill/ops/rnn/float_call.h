#pragma once

#include <span>
#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/math/matmul/gemm.h"

namespace rill {

// The inputs and outputs of a kernel as float tensors: themselves, or for half, copies that are
// converted when it is made and when `finish` is called.
class FloatCall {
 public:
  static constexpr TypeSet kTypes = DType::f16 | DType::f32;  // that kernels may have

  // Inputs before `first` are not numbers to compute with.
  explicit FloatCall(KernelCall& call, int first = 0);
  void finish();

  KernelCall& call() const { return call_; }
  const Tensor& tensor(int i) const { return inputs_.at(static_cast<std::size_t>(i)); }
  const float* in(int i) const { return tensor(i).data<float>(); }
  float* out(int i) const { return outputs_.at(static_cast<std::size_t>(i)).data<float>(); }
  std::int64_t out_count(int i) const {
    return outputs_.at(static_cast<std::size_t>(i)).element_count();
  }
  void zero_output(int i, std::int64_t from = 0) const;  // elements from `from` on

  void multiply(const Product& product) const { multiply_(call_, product); }
  // Calls body(row) for each of `rows` rows of `size` cells, on several threads where it pays.
  template <class Body>
  void for_rows(std::int64_t rows, std::size_t size, Body body) const {
    const double cost = 20 + 6.0 * static_cast<double>(size);
    call_.parallel_for(static_cast<std::size_t>(rows), cost, [&](std::size_t b, std::size_t e) {
      for (std::size_t row = b; row < e; ++row) body(row);
    });
  }

 private:
  KernelCall& call_;
  std::vector<Tensor> inputs_, outputs_;
  MultiplyFn multiply_ = onednn_multiply(DType::f32);
};

}  // namespace rill
