#include <algorithm>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {

extern const OpDecl kTranspose, kConjugateTranspose, kInvertPermutation;

namespace {

void transpose(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  const Dims from = row_major_strides(input.shape()), to = row_major_strides(output.shape());
  StridedCopy copy;
  for (int d = 0; d < output.rank(); ++d) {
    const std::int64_t axis = int_at(call.input_tensor(1), d);
    copy.add_dim(output.dim(d), to[d],
                 from[static_cast<int>(axis < 0 ? axis + input.rank() : axis)]);
  }
  strided_copy(call, input.dtype(), output.raw_data(), input.raw_data(), copy);
}

template <class T>
void conjugate_transpose(KernelCall& call) {
  transpose(call);
  const auto out = call.output<T>(0);
  call.parallel_for(out.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = std::conj(out[i]);
  });
}

template <class T>
void invert_permutation(KernelCall& call) {
  const auto x = call.input<T>(0);
  const auto y = call.output<T>(0);
  std::ranges::fill(y, T{-1});
  for (std::size_t i = 0; i < x.size(); ++i) {
    require(x[i] >= 0 && static_cast<std::size_t>(x[i]) < x.size(), x[i], " is not between 0 and ",
            x.size());
    T& inverse = y[static_cast<std::size_t>(x[i])];
    require(inverse == -1, x[i], " is duplicated in the input.");
    inverse = static_cast<T>(i);
  }
}

constexpr KernelEntry kEntries[] = {
    {.op = &kTranspose, .run = transpose},
    {.op = &kConjugateTranspose,
     .types = DType::c64,
     .run = conjugate_transpose<std::complex<float>>},
    {.op = &kConjugateTranspose,
     .types = DType::c128,
     .run = conjugate_transpose<std::complex<double>>},
    {.op = &kConjugateTranspose, .run = transpose},
    {.op = &kInvertPermutation, .types = DType::i32, .run = invert_permutation<std::int32_t>},
    {.op = &kInvertPermutation, .types = DType::i64, .run = invert_permutation<std::int64_t>},
};

}  // namespace

extern const KernelTable kTransposeCpu{kEntries};

}  // namespace rill
