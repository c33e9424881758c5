#include <limits>
#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/levels/quantized_level.h"
#include "rill/ops/nn/conv/conv_shape.h"
#include "rill/ops/nn/conv/conv_uint8.h"
#include "rill/ops/nn/pool/pool_shape.h"

namespace rill {

extern const OpDecl kQuantizedConv2D, kQuantizedMaxPool, kQuantizedAvgPool, kQuantizedRelu,
    kQuantizedRelu6, kQuantizedReluX;

namespace {

using Byte = std::uint8_t;

const Byte* bytes(const Tensor& tensor) { return static_cast<const Byte*>(tensor.raw_data()); }

void pass_range(KernelCall& call, int first) {
  call.output<float>(1)[0] = call.input<float>(first)[0];
  call.output<float>(2)[0] = call.input<float>(first + 1)[0];
}

std::int32_t zero_level(KernelCall& call, int first) {
  const std::int64_t level = unclamped_level(
      0, call.input<float>(first)[0], call.input<float>(first + 1)[0], quantized_type(DType::qu8));
  require(std::abs(level) <= (1 << 24), "zero is too far from the range of the numbers: level ",
          level);
  return static_cast<std::int32_t>(level);
}

struct Images {
  std::int64_t rows, columns, channels;
  const Byte* pixel(const Byte* data, std::int64_t n, std::int64_t y, std::int64_t x) const {
    return data + ((n * rows + y) * columns + x) * channels;
  }
};

// Calls f(offset of a tap in the filter, pixel below it) for the taps of one window inside.
template <class F>
void for_each_tap(const WindowDim& rows, const WindowDim& columns, std::int64_t y, std::int64_t x,
                  const F& f) {
  for (std::int64_t i = rows.first_tap(y); i < rows.end_tap(y); ++i)
    for (std::int64_t j = columns.first_tap(x); j < columns.end_tap(x); ++j)
      f(i * columns.size + j, rows.start(y) + i * rows.dilation,
        columns.start(x) + j * columns.dilation);
}

void conv(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &filter = call.input_tensor(1);
  const Tensor& out = call.output_tensor(0);
  const ConvShapes shapes(*call.node().op, call.node().attrs, input.shape(), filter.shape());
  require(shapes.dims[0].dilation == 1 && shapes.dims[1].dilation == 1,
          "Current implementation only supports dilated rate as 1 for row and column dimensions.");
  require(base_type(out.dtype()) == DType::qi32, "the result must be qint32, not ", out.dtype());
  const std::int32_t input_zero = zero_level(call, 2), filter_zero = zero_level(call, 4);
  auto* const results = static_cast<std::uint32_t*>(out.raw_data());
  conv_uint8(call, shapes.problem(out.shape()), bytes(input), input_zero, bytes(filter),
             filter_zero, results);
  const auto step = [&](int first) {
    return (call.input<float>(first + 1)[0] - call.input<float>(first)[0]) / 255;
  };
  const float one = step(2) * step(4);
  call.output<float>(1)[0] = one * static_cast<float>(std::numeric_limits<std::int32_t>::min());
  call.output<float>(2)[0] = one * static_cast<float>(std::numeric_limits<std::int32_t>::max());
}

template <bool kLargest>
void pool(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &out = call.output_tensor(0);
  const PoolWindows windows(*call.node().op, call.node().attrs, input.shape());
  windows.require_in_space(call.node().op->name);
  const WindowDim &rows = windows.dims[0], &columns = windows.dims[1];
  const Images images{input.dim(1), input.dim(2), input.dim(3)};
  const auto channels = static_cast<std::size_t>(images.channels);
  auto* const results = static_cast<Byte*>(out.raw_data());
  const std::size_t pixels =
      channels == 0 ? 0 : static_cast<std::size_t>(out.element_count()) / channels;
  const auto cost = static_cast<std::size_t>(rows.size * columns.size) * channels;
  call.parallel_for(
      pixels, std::max<std::size_t>(cost, 1), [&](std::size_t begin, std::size_t end) {
        std::vector<std::int64_t> found(channels);
        for (std::size_t p = begin; p < end; ++p) {
          std::int64_t count = 0;
          std::ranges::fill(found, 0);
          const auto pixel = static_cast<std::int64_t>(p);
          const std::int64_t n = pixel / (rows.out * columns.out);
          const std::int64_t y = pixel / columns.out % rows.out, x = pixel % columns.out;
          for_each_tap(
              rows, columns, y, x, [&](std::int64_t, std::int64_t row, std::int64_t column) {
                const Byte* const from = images.pixel(bytes(input), n, row, column);
                ++count;
                for (std::size_t c = 0; c < channels; ++c)
                  found[c] =
                      kLargest ? std::max<std::int64_t>(found[c], from[c]) : found[c] + from[c];
              });
          const std::int64_t divisor = kLargest || count == 0 ? 1 : count;
          for (std::size_t c = 0; c < channels; ++c)
            results[p * channels + c] = static_cast<Byte>(found[c] / divisor);
        }
      });
  pass_range(call, 1);
}

template <class T>
void clamp_elements(KernelCall& call, std::int64_t least, std::int64_t most) {
  const auto* const x = static_cast<const T*>(call.input_tensor(0).raw_data());
  auto* const y = static_cast<T*>(call.output_tensor(0).raw_data());
  const auto count = static_cast<std::size_t>(call.output_tensor(0).element_count());
  call.parallel_for(count, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      y[i] = std::clamp(x[i], static_cast<T>(least), static_cast<T>(most));
  });
}

// `most` as far as there is one; the range is input `range` and the next.
void rectify(KernelCall& call, const double* most, int range) {
  const DType dtype = base_type(call.input_tensor(0).dtype());
  require(dtype == base_type(call.output_tensor(0).dtype()),
          "the result must have the type of the features");
  const QuantizedType type = quantized_type(dtype);
  const float min = call.input<float>(range)[0], max = call.input<float>(range + 1)[0];
  const std::int64_t least = level_of(0, min, max, type);
  const std::int64_t last = most != nullptr ? std::max(least, level_of(*most, min, max, type))
                                            : static_cast<std::int64_t>(type.highest);
  if (dtype == DType::qu8)
    clamp_elements<Byte>(call, least, last);
  else
    clamp_elements<std::int32_t>(call, least, last);
  pass_range(call, range);
}

void relu(KernelCall& call) { rectify(call, nullptr, 1); }

void relu6(KernelCall& call) {
  const double six = 6;
  rectify(call, &six, 1);
}

void relu_x(KernelCall& call) {
  const double most = call.input<float>(1)[0];
  rectify(call, &most, 2);
}

constexpr TypeSet kBytes = DType::qu8, kReluTypes = DType::qu8 | DType::qi32;

constexpr KernelEntry kEntries[] = {
    {.op = &kQuantizedConv2D, .types = kBytes, .run = conv, .types2 = kBytes},
    {.op = &kQuantizedMaxPool, .types = kBytes, .run = pool<true>},
    {.op = &kQuantizedAvgPool, .types = kBytes, .run = pool<false>},
    {.op = &kQuantizedRelu, .types = kReluTypes, .run = relu},
    {.op = &kQuantizedRelu6, .types = kReluTypes, .run = relu6},
    {.op = &kQuantizedReluX, .types = kReluTypes, .run = relu_x},
};

}  // namespace

extern const KernelTable kQuantizedCpu{kEntries};

}  // namespace rill
