#include <algorithm>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {

extern const OpDecl kBroadcastTo, kBroadcastArgs, kBroadcastGradientArgs;

namespace {

void broadcast_to(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  const Dims from = row_major_strides(input.shape()), to = row_major_strides(output.shape());
  const int shift = output.rank() - input.rank();
  StridedCopy copy;
  for (int d = 0; d < output.rank(); ++d) {
    const bool repeated = d < shift || input.dim(d - shift) == 1;
    copy.add_dim(output.dim(d), to[d], repeated ? 0 : from[d - shift]);
  }
  strided_copy(call, input.dtype(), output.raw_data(), input.raw_data(), copy);
}

// Two shapes given as vectors, aligned at their last dimensions.
class ShapePair {
 public:
  ShapePair(const Tensor& a, const Tensor& b) : a_(a), b_(b) {
    for (int i = 0; i < 2; ++i)
      require((i == 0 ? a : b).rank() == 1, "In[", i, "] must be a vector.",
              (i == 0 ? a : b).shape());
    rank_ = std::max(a.element_count(), b.element_count());
    for (std::int64_t i = 0; i < rank_; ++i)
      if (at(a_, i) != at(b_, i) && at(a_, i) != 1 && at(b_, i) != 1) raise_incompatible();
  }

  std::int64_t rank() const { return rank_; }
  std::int64_t dim_a(std::int64_t i) const { return at(a_, i); }
  std::int64_t dim_b(std::int64_t i) const { return at(b_, i); }

 private:
  std::int64_t at(const Tensor& t, std::int64_t i) const {
    const std::int64_t missing = rank_ - t.element_count();
    return i < missing ? 1 : int_at(t, i - missing);
  }

  [[noreturn]] void raise_incompatible() const {
    std::string text[2];
    for (int which = 0; which < 2; ++which) {
      const Tensor& t = which == 0 ? a_ : b_;
      for (std::int64_t i = 0; i < t.element_count(); ++i)
        text[which] += str_cat(i > 0 ? "," : "", int_at(t, i));
    }
    raise(Code::kInvalidArgument, "Incompatible shapes: [", text[0], "] vs. [", text[1], "]");
  }

  const Tensor &a_, &b_;
  std::int64_t rank_ = 0;
};

template <class T>
void broadcast_args(KernelCall& call) {
  const ShapePair pair(call.input_tensor(0), call.input_tensor(1));
  const auto out = call.output<T>(0);
  for (std::int64_t i = 0; i < pair.rank(); ++i)
    out[static_cast<std::size_t>(i)] =
        static_cast<T>(pair.dim_a(i) == 1 ? pair.dim_b(i) : pair.dim_a(i));
}

// Equal shapes need no sums; otherwise a shape is summed over every dimension that is 1 in it.
template <class T>
void broadcast_gradient_args(KernelCall& call) {
  const Tensor &a = call.input_tensor(0), &b = call.input_tensor(1);
  const ShapePair pair(a, b);
  std::vector<T> sums[2];
  if (!identical(a, b)) {
    for (std::int64_t i = 0; i < pair.rank(); ++i) {
      if (pair.dim_a(i) == 1) sums[0].push_back(static_cast<T>(i));
      if (pair.dim_b(i) == 1) sums[1].push_back(static_cast<T>(i));
    }
  }
  for (int i = 0; i < 2; ++i) {
    const Tensor& out = call.allocate_output(i, {static_cast<std::int64_t>(sums[i].size())});
    std::ranges::copy(sums[i], out.data<T>());
  }
}

constexpr KernelEntry kEntries[] = {
    {.op = &kBroadcastTo, .run = broadcast_to},
    {.op = &kBroadcastArgs,
     .types = DType::i32,
     .run = broadcast_args<std::int32_t>,
     .expensive = false},
    {.op = &kBroadcastArgs,
     .types = DType::i64,
     .run = broadcast_args<std::int64_t>,
     .expensive = false},
    {.op = &kBroadcastGradientArgs,
     .types = DType::i32,
     .run = broadcast_gradient_args<std::int32_t>,
     .allocates = true,
     .expensive = false},
    {.op = &kBroadcastGradientArgs,
     .types = DType::i64,
     .run = broadcast_gradient_args<std::int64_t>,
     .allocates = true,
     .expensive = false},
};

}  // namespace

extern const KernelTable kBroadcastCpu{kEntries};

}  // namespace rill
