#include <span>
#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/eight_bit/bytes.h"

namespace rill {

extern const OpDecl kQuantizedInstanceNorm, kQuantizedBatchNormWithGlobalNormalization;

namespace {

using Words = std::vector<std::uint32_t>;

// A byte of one channel of one image becomes (level - mean) * inverse, the deviation's.
struct Normal {
  double mean = 0, inverse = 0;
  float operator()(std::uint8_t level) const {
    return static_cast<float>((level - mean) * inverse);
  }
};

// One for each channel of an image, found without rounding in whole numbers.
void find_normals(const std::uint8_t* x, std::int64_t pixels, std::span<Normal> normals,
                  double step, double epsilon) {
  std::vector<std::uint64_t> sums(normals.size()), squares(normals.size());
  for (std::int64_t i = 0; i < pixels; ++i)
    for (std::size_t c = 0; c < normals.size(); ++c) {
      const std::uint64_t level = *x++;
      sums[c] += level;
      squares[c] += level * level;
    }
  const auto count = static_cast<double>(pixels);
  for (std::size_t c = 0; c < normals.size(); ++c) {
    const double mean = static_cast<double>(sums[c]) / count;
    const double variance = std::max(0.0, static_cast<double>(squares[c]) / count - mean * mean);
    normals[c] = {mean, step / std::sqrt(variance * step * step + epsilon)};
  }
}

// The range of the results: given, or what they take up.
LevelRange norm_range(const KernelNode& node, std::span<const LevelRange> used) {
  LevelRange range{INFINITY, -INFINITY};
  if (node.attr<bool>("output_range_given")) {
    range = {node.attr<float>("given_y_min"), node.attr<float>("given_y_max")};
    require(range.min < range.max, "given_y_min must be less than given_y_max : ", range.min,
            " >= ", range.max);
    return range;
  }
  for (const LevelRange& one : used)
    range = {std::min(range.min, one.min), std::max(range.max, one.max)};
  range.max = std::max(range.max, range.min + node.attr<float>("min_separation"));
  return range;
}

void instance_norm(KernelCall& call) {
  const Tensor &x = call.input_tensor(0), &y = call.output_tensor(0);
  const LevelRange from = range_input(call, 1);
  require(from.min < from.max, "input_min must be less than input_max : ", from.min,
          " >= ", from.max);
  const QuantizedType type = quantized_type(DType::qu8);
  const std::int64_t pixels = x.dim(1) * x.dim(2), size = pixels * x.dim(3);
  const auto images = static_cast<std::size_t>(size == 0 ? 0 : x.dim(0)),
             channels = static_cast<std::size_t>(x.dim(3));
  std::vector<Normal> normals(images * channels);
  std::vector<LevelRange> used(images, {INFINITY, -INFINITY});
  // Calls body(image, its levels, its channels).
  const auto for_images = [&](auto body) {
    call.parallel_for(images, 2 * static_cast<double>(size),
                      [&](std::size_t begin, std::size_t end) {
                        for (std::size_t n = begin; n < end; ++n)
                          body(n, byte_data(x) + static_cast<std::int64_t>(n) * size,
                               std::span(normals).subspan(n * channels, channels));
                      });
  };
  for_images([&](std::size_t n, const std::uint8_t* levels, std::span<Normal> by) {
    find_normals(levels, pixels, by, LevelMeaning(from, type).step,
                 call.node().attr<float>("variance_epsilon"));
    for (std::int64_t i = 0; i < pixels; ++i)
      for (const Normal& normal : by) {
        const float value = normal(*levels++);
        used[n] = {std::min(used[n].min, value), std::max(used[n].max, value)};
      }
  });
  const LevelRange to = norm_range(call.node(), used);
  const NearestLevel nearest(to, type);
  for_images([&](std::size_t n, const std::uint8_t* levels, std::span<Normal> by) {
    auto* out = static_cast<std::uint8_t*>(y.raw_data()) + static_cast<std::int64_t>(n) * size;
    for (std::int64_t i = 0; i < pixels; ++i)
      for (const Normal& normal : by)
        *out++ = static_cast<std::uint8_t>(nearest(normal(*levels++)));
  });
  set_range(call, 1, to);
}

// Twenty bits before the binary point, so that usual numbers fit; ten and more behind it.
constexpr LevelRange kNormRange{-(1 << 20), 1 << 20};

std::int32_t norm_level(float value) {
  return static_cast<std::int32_t>(
      level_of(value, kNormRange.min, kNormRange.max, quantized_type(DType::qi32)));
}

void batch_norm(KernelCall& call) {
  const QuantizedType type = quantized_type(DType::qu8);
  const auto value = [&](int input, std::size_t i) {
    const LevelRange range = range_input(call, input + 1);
    return value_of_level(byte_data(call.input_tensor(input))[i], range.min, range.max, type);
  };
  const Tensor &x = call.input_tensor(0), &out = call.output_tensor(0);
  const auto channels = static_cast<std::size_t>(x.dim(3));
  const auto epsilon = call.node().attr<float>("variance_epsilon");
  const bool scaled = call.node().attr<bool>("scale_after_normalization");
  Words scales, offsets, levels;
  for (std::size_t c = 0; c < channels; ++c) {
    float scale = 1.0f / std::sqrt(value(6, c) + epsilon);
    if (scaled) scale *= value(12, c);
    require(!std::isnan(scale), "the variance of channel ", c, " is below zero");
    scales.push_back(static_cast<std::uint32_t>(norm_level(scale)));
    offsets.push_back(static_cast<std::uint32_t>(norm_level(-value(3, c) * scale + value(9, c))));
  }
  for (std::size_t i = 0; i < 256 && x.element_count() > 0; ++i) {
    const LevelRange range = range_input(call, 1);
    levels.push_back(static_cast<std::uint32_t>(
        norm_level(value_of_level(static_cast<double>(i), range.min, range.max, type))));
  }
  const std::int32_t one = norm_level(1);
  auto* const y = static_cast<std::int32_t*>(out.raw_data());
  const auto rows = channels == 0 ? 0 : static_cast<std::size_t>(x.element_count()) / channels;
  call.parallel_for(
      rows, 3 * static_cast<double>(channels), [&](std::size_t begin, std::size_t end) {
        for (std::size_t r = begin; r < end; ++r)
          for (std::size_t c = 0; c < channels; ++c) {
            const std::size_t i = r * channels + c;
            // The product wraps around, as TensorFlow's does.
            const auto product = static_cast<std::int32_t>(levels[byte_data(x)[i]] * scales[c]);
            y[i] =
                static_cast<std::int32_t>(static_cast<std::uint32_t>(product / one) + offsets[c]);
          }
      });
  set_range(call, 1, kNormRange);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kQuantizedInstanceNorm, .types = DType::qu8, .run = instance_norm},
    {.op = &kQuantizedBatchNormWithGlobalNormalization,
     .types = DType::qu8,
     .run = batch_norm,
     .types2 = DType::qi32},
};

}  // namespace

extern const KernelTable kQuantizedNormCpu{kEntries};

}  // namespace rill
