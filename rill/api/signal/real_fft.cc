#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/static_value.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/operators.h"
#include "rill/api/signal/signal_parts.h"
#include "rill/api/signal/transforms.h"

namespace rill::signal {
namespace {

using parts::range_of;
using Sizes = std::vector<std::int64_t>;

struct RealFft {
  const char* op;
  const char* name;
  int rank;
  bool is_inverse;
};
constexpr RealFft kRfft{"RFFT", "rfft", 1, false}, kRfft2d{"RFFT2D", "rfft2d", 2, false},
    kRfft3d{"RFFT3D", "rfft3d", 3, false}, kIrfft{"IRFFT", "irfft", 1, true},
    kIrfft2d{"IRFFT2D", "irfft2d", 2, true}, kIrfft3d{"IRFFT3D", "irfft3d", 3, true};

// The last dimensions of x where all of them are known.
std::optional<Sizes> last_dims(Output x, int count) {
  const PartialShape& shape = x.shape();
  if (!shape.has_rank()) return {};
  const Sizes dims(shape.dims().end() - count, shape.dims().end());
  if (std::ranges::any_of(dims, [](std::int64_t dim) { return dim < 0; })) return {};
  return dims;
}

// The lengths of the transforms that use all of x and nothing else.
Output whole_length(const RealFft& fft, Output x) {
  if (std::optional<Sizes> dims = last_dims(x, fft.rank)) {
    if (fft.is_inverse) dims->back() = std::max<std::int64_t>(0, 2 * (dims->back() - 1));
    return as_tensor(parts::ints(*dims));
  }
  const Output dims = range_of(rill::shape(x), -fft.rank, {});
  if (!fft.is_inverse) return dims;
  const std::vector<Output> each = unstack(dims, {.num = fft.rank});
  std::vector<Input> lengths(each.begin(), each.end());
  const Output doubled = 2 * (each.back() - 1);
  lengths.back() = raw::Maximum(0, doubled);
  return stack(lengths);
}

Output padded_when_run(const RealFft& fft, Output x, Output length) {
  const Output rank = rill::rank(x);
  const Output dims = range_of(rill::shape(x), -fft.rank, {});
  const Output others = raw::Maximum(0, rank - fft.rank);
  const Output none = zeros(parts::list_of({others}), {.dtype = base_type(length.dtype())});
  const auto needed = [&]() -> Output {
    if (!fft.is_inverse) return length;
    const Output before = range_of(length, {}, -1), last = range_of(length, -1, {});
    const Output half = operators::floordiv(last, 2, std::source_location::current());
    return concat({before, half + 1}, 0);
  };
  const Output wanted = needed();
  const Output missing = raw::Maximum(0, wanted - dims);
  const Output behind = concat({none, missing}, 0);
  const Output before = zeros_like(behind);
  return pad(x, stack({before, behind}, {.axis = 1}));
}

// With zeros behind what is shorter than the transforms.
Output padded(const RealFft& fft, Output x, Output length) {
  const PartialShape wanted = constant_shape_value(length);
  const std::optional<Sizes> dims = last_dims(x, fft.rank);
  if (!wanted.is_full() || !dims) return padded_when_run(fft, x, length);
  require(wanted.rank() == fft.rank, "fft_length must have ", fft.rank, " elements, got ",
          wanted.rank());
  const int others = x.shape().rank() - fft.rank;
  Tensor paddings = Tensor::zeros(DType::i32, {x.shape().rank(), 2});
  bool is_long_enough = true;
  for (int i = 0; i < fft.rank; ++i) {
    const bool is_half = fft.is_inverse && i + 1 == fft.rank;
    const std::int64_t needed = is_half && wanted[i] > 0 ? wanted[i] / 2 + 1 : wanted[i];
    const std::int64_t missing = needed - (*dims)[static_cast<std::size_t>(i)];
    if (missing <= 0) continue;
    is_long_enough = false;
    paddings.data<std::int32_t>()[2 * (others + i) + 1] = static_cast<std::int32_t>(missing);
  }
  return is_long_enough ? x : pad(x, paddings);
}

Output real_fft(const RealFft& fft, const Input& input, const RealFftOptions& options,
                std::source_location at) {
  const Block in(options.name, fft.name, at);
  const Output x = as_tensor(input, "Const", fft.is_inverse ? DType::c64 : DType::f32);
  require_rank_at_least(x, fft.rank);
  const auto given = [&] {
    return as_tensor(*options.fft_length, options.fft_length->is_value() ? "Const" : "packed",
                     DType::i32);
  };
  const Output length = options.fft_length ? given() : whole_length(fft, x);
  const Output ready = padded(fft, x, length);
  const std::optional<Tensor> known = static_value(length);
  return current_scope()
      .add(fft.op, {ready, known ? Input(*known) : Input(length)}, {}, in.own_name())
      .output();
}

}  // namespace

Output rfft(const Input& x, const RealFftOptions& options, std::source_location at) {
  return real_fft(kRfft, x, options, at);
}
Output rfft2d(const Input& x, const RealFftOptions& options, std::source_location at) {
  return real_fft(kRfft2d, x, options, at);
}
Output rfft3d(const Input& x, const RealFftOptions& options, std::source_location at) {
  return real_fft(kRfft3d, x, options, at);
}
Output irfft(const Input& x, const RealFftOptions& options, std::source_location at) {
  return real_fft(kIrfft, x, options, at);
}
Output irfft2d(const Input& x, const RealFftOptions& options, std::source_location at) {
  return real_fft(kIrfft2d, x, options, at);
}
Output irfft3d(const Input& x, const RealFftOptions& options, std::source_location at) {
  return real_fft(kIrfft3d, x, options, at);
}

}  // namespace rill::signal
