#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/math/rows/float_rows.h"

namespace rill {

// What a reduction does to rows; accumulators may be wider than elements. The order in which
// elements meet is fixed by the shapes, so results do not depend on the number of threads.
struct ReduceRows {
  std::size_t accumulator_size = 0;
  void (*fill)(void* acc, std::size_t n) = nullptr;  // with the value of an empty reduction
  void (*fold)(void* acc, const void* x, std::size_t n) = nullptr;  // acc[0] with all of x
  // acc[i] from row i of x, each of n elements: for rows too short to be worth a call each.
  void (*fold_rows)(void* acc, const void* x, std::size_t rows, std::size_t n) = nullptr;
  void (*add)(void* acc, const void* x, std::size_t n) = nullptr;        // acc[i] with x[i]
  void (*merge)(void* acc, const void* other, std::size_t n) = nullptr;  // with other accumulators
  // out[i] from acc[i], each of `count` elements; nullptr when accumulators are the result.
  void (*finish)(void* out, const void* acc, std::size_t n, std::int64_t count) = nullptr;
  double cost = 0.2;
};
using FindReduce = ReduceRows (*)(DType);

// A reduction of one element type: half and bfloat16 are reduced as float and rounded once.
class Reduction {
 public:
  Reduction(const char* op_name, DType type, FindReduce find);  // throws Unimplemented

  // Reduces the dimensions of `input` that `reduced` marks into `out`, which has as many elements
  // as the others together.
  void run(const KernelCall& call, const Tensor& input, const std::vector<bool>& reduced,
           const Tensor& out) const;

 private:
  struct Layout;
  void reduce_part(const Layout& layout, std::size_t task, std::byte* acc) const;
  void finish_part(const Layout& layout, std::size_t task, std::byte* partials) const;
  std::size_t add_several(std::byte* acc, const std::byte* x, std::size_t count,
                          std::size_t row) const;
  void fold_rows(const KernelCall& call, const Layout& layout) const;
  void fold_short_rows(std::byte* acc, const std::byte* x, std::size_t rows, std::size_t n) const;
  void fold_long_rows(std::byte* acc, const std::byte* x, std::size_t rows, std::size_t n) const;
  void finish(std::byte* out, std::byte* acc, std::size_t n, std::int64_t count) const;
  void fold_block(void* acc, const std::byte* x, std::size_t n) const;
  void add_block(void* acc, const std::byte* x, std::size_t n) const;

  ReduceRows rows_;
  std::size_t element_size_;
  WidenRow widen_ = nullptr;
  NarrowRow narrow_ = nullptr;
};

// Kernel of Sum and its like: input 1 holds the axes.
std::unique_ptr<KernelState> make_reduction_state(const KernelNode& node, FindReduce find);
void run_reduction(KernelCall& call);

template <FindReduce find>
std::unique_ptr<KernelState> reduction_state(const KernelNode& node) {
  return make_reduction_state(node, find);
}
template <FindReduce find>
constexpr KernelEntry reduction_entry(const OpDecl* op, TypeSet types) {
  return {.op = op, .types = types, .run = run_reduction, .make_state = reduction_state<find>};
}

// The rows of Sum, for kernels that sum over dimensions of their own choosing.
ReduceRows find_sum_rows(DType type);
ReduceRows find_square_sum_rows(DType type);  // of squared magnitudes

}  // namespace rill
