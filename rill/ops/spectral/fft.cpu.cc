#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/ops/spectral/fft_axis.h"

namespace rill {

extern const OpDecl kFFT, kFFT2D, kFFT3D, kIFFT, kIFFT2D, kIFFT3D;
extern const OpDecl kBatchFFT, kBatchFFT2D, kBatchFFT3D, kBatchIFFT, kBatchIFFT2D, kBatchIFFT3D;
extern const OpDecl kRFFT, kRFFT2D, kRFFT3D, kIRFFT, kIRFFT2D, kIRFFT3D;

namespace {

constexpr bool kForward = false, kInverse = true;

std::int64_t product(const Shape& shape, int begin, int end) {
  std::int64_t count = 1;
  for (int d = begin; d < end; ++d) count *= shape.dim(d);
  return count;
}

// Dimensions [begin, end) of a dense array of that shape.
template <class T>
void transform_dims(const KernelCall& call, const Shape& shape, std::complex<T>* out,
                    const std::complex<T>* in, int begin, int end, bool is_inverse) {
  for (int d = end - 1; d >= begin; --d) {
    fft_axis(call, out, in, product(shape, 0, d), shape.dim(d), product(shape, d + 1, shape.rank()),
             is_inverse);
    in = out;
  }
}

template <class T, int kRank, bool is_inverse>
void fft(KernelCall& call) {
  using C = std::complex<T>;
  const Tensor& in = call.input_tensor(0);
  if (in.element_count() == 0) return;
  transform_dims(call, in.shape(), call.output<C>(0).data(), in.data<C>(), in.rank() - kRank,
                 in.rank(), is_inverse);
}

// The part of a tensor that begins at index 0 and has this shape; the tensor itself where it has.
Tensor cropped(const KernelCall& call, const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  Tensor part(x.dtype(), shape);
  const Dims from = row_major_strides(x.shape()), to = row_major_strides(shape);
  StridedCopy copy;
  for (int d = 0; d < shape.rank(); ++d) copy.add_dim(shape.dim(d), to[d], from[d]);
  strided_copy(call, x.dtype(), part.raw_data(), x.raw_data(), copy);
  return part;
}

// The shape that is used of the input: what the output has, but for the last dimension. What is
// missing there cannot be made up for.
Shape used_shape(const KernelCall& call, int rank, std::int64_t last) {
  const Shape &in = call.input_tensor(0).shape(), &out = call.output_tensor(0).shape();
  Dims dims;
  for (int d = 0; d + 1 < out.rank(); ++d) dims.push_back(out.dim(d));
  dims.push_back(last);
  const Shape used(dims.span());
  for (int d = in.rank() - rank; d < in.rank(); ++d)
    require(in.dim(d) >= used.dim(d), "Input dimension ", d, " must have length of at least ",
            used.dim(d), " but got: ", in.dim(d));
  return used;
}

// The last of the lengths that input 1 gives.
std::int64_t last_length(const KernelCall& call) { return call.input<std::int32_t>(1).back(); }

template <int kRank>
void rfft(KernelCall& call) {
  using C = std::complex<float>;
  const std::int64_t size = last_length(call);
  const Tensor& out = call.output_tensor(0);
  const Shape used = used_shape(call, kRank, size);
  if (out.element_count() == 0) return;
  const Tensor in = cropped(call, call.input_tensor(0), used);
  real_fft_rows(call, out.data<C>(), in.data<float>(), product(used, 0, used.rank() - 1), size);
  transform_dims(call, out.shape(), out.data<C>(), out.data<C>(), out.rank() - kRank,
                 out.rank() - 1, kForward);
}

template <int kRank>
void irfft(KernelCall& call) {
  using C = std::complex<float>;
  const std::int64_t size = last_length(call);
  const Tensor& out = call.output_tensor(0);
  const Shape used = used_shape(call, kRank, size == 0 ? 0 : size / 2 + 1);
  if (out.element_count() == 0) return;
  Tensor in = cropped(call, call.input_tensor(0), used);
  if (kRank > 1) {
    Tensor changed(DType::c64, used);
    transform_dims(call, used, changed.data<C>(), in.data<C>(), used.rank() - kRank,
                   used.rank() - 1, kInverse);
    in = changed;
  }
  inverse_real_fft_rows(call, out.data<float>(), in.data<C>(), product(used, 0, used.rank() - 1),
                        size);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kFFT, .types = DType::c64, .run = fft<float, 1, kForward>},
    {.op = &kFFT, .types = DType::c128, .run = fft<double, 1, kForward>},
    {.op = &kFFT2D, .types = DType::c64, .run = fft<float, 2, kForward>},
    {.op = &kFFT2D, .types = DType::c128, .run = fft<double, 2, kForward>},
    {.op = &kFFT3D, .types = DType::c64, .run = fft<float, 3, kForward>},
    {.op = &kFFT3D, .types = DType::c128, .run = fft<double, 3, kForward>},
    {.op = &kIFFT, .types = DType::c64, .run = fft<float, 1, kInverse>},
    {.op = &kIFFT, .types = DType::c128, .run = fft<double, 1, kInverse>},
    {.op = &kIFFT2D, .types = DType::c64, .run = fft<float, 2, kInverse>},
    {.op = &kIFFT2D, .types = DType::c128, .run = fft<double, 2, kInverse>},
    {.op = &kIFFT3D, .types = DType::c64, .run = fft<float, 3, kInverse>},
    {.op = &kIFFT3D, .types = DType::c128, .run = fft<double, 3, kInverse>},
    {.op = &kBatchFFT, .run = fft<float, 1, kForward>},
    {.op = &kBatchFFT2D, .run = fft<float, 2, kForward>},
    {.op = &kBatchFFT3D, .run = fft<float, 3, kForward>},
    {.op = &kBatchIFFT, .run = fft<float, 1, kInverse>},
    {.op = &kBatchIFFT2D, .run = fft<float, 2, kInverse>},
    {.op = &kBatchIFFT3D, .run = fft<float, 3, kInverse>},
    {.op = &kRFFT, .run = rfft<1>},
    {.op = &kRFFT2D, .run = rfft<2>},
    {.op = &kRFFT3D, .run = rfft<3>},
    {.op = &kIRFFT, .run = irfft<1>},
    {.op = &kIRFFT2D, .run = irfft<2>},
    {.op = &kIRFFT3D, .run = irfft<3>},
};

}  // namespace

extern const KernelTable kFftCpu{kEntries};

}  // namespace rill
