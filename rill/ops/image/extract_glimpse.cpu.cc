#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "rill/base/philox.h"
#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kExtractGlimpse;

namespace {

enum class Noise { kUniform, kGaussian, kZero };

Noise noise_of(const KernelNode& node) {
  const auto& name = node.attr<std::string>("noise");
  if (node.attr<bool>("uniform_noise") || name == "uniform") return Noise::kUniform;
  if (name == "gaussian") return Noise::kGaussian;
  require(name == "zero", "The noise could only be uniform, gaussian, or zero, got ", name);
  return Noise::kZero;
}

// Fills a glimpse with noise of the range, or of the mean and deviation, that its image has.
void fill_noise(std::span<float> glimpse, std::span<const float> image, Noise noise) {
  if (noise == Noise::kZero || image.empty()) return void(std::ranges::fill(glimpse, 0.0F));
  const auto [least, most] = std::ranges::minmax(image);
  std::mt19937_64 generator(entropy_bits());
  if (noise == Noise::kUniform) {
    const float range = most - least;
    for (float& x : glimpse) x = least + range * std::generate_canonical<float, 24>(generator);
    return;
  }
  double sum = 0, squares = 0;
  const auto count = static_cast<double>(image.size());
  for (const float x : image) sum += static_cast<double>(x);
  const double mean = sum / count;
  for (const float x : image) squares += std::pow(static_cast<double>(x) - mean, 2);
  std::normal_distribution<double> normal;
  const double deviation = std::sqrt(squares / count);
  for (float& x : glimpse) {
    const double drawn = mean + deviation * normal(generator);
    x = std::min(std::max(static_cast<float>(drawn), least), most);
  }
}

// One dimension: pixels [from, from + count) of the glimpse are those of the image at `source`.
struct Window {
  std::int64_t from = 0, source = 0, count = 0;

  Window(float offset, std::int64_t image, std::int64_t glimpse, bool centered, bool normalized) {
    const auto size = static_cast<float>(image);
    float at = normalized ? offset * size : offset;
    if (centered) at = at / 2 + size / 2;
    at -= static_cast<float>(glimpse) / 2;
    // What is farther away than any image is large shows nothing; nor does NaN.
    constexpr float kFar = 1e15F;
    if (!(std::fabs(at) < kFar)) return;
    const auto begin = static_cast<std::int64_t>(at);
    source = std::max<std::int64_t>(begin, 0);
    from = source - begin;
    count = std::max<std::int64_t>(std::min(begin + glimpse, image) - source, 0);
  }
};

void extract_glimpse(KernelCall& call) {
  const Tensor &images = call.input_tensor(0), &results = call.output_tensor(0);
  const bool centered = call.node().attr<bool>("centered"),
             normalized = call.node().attr<bool>("normalized");
  const Noise noise = noise_of(call.node());
  const std::int64_t channels = images.dim(3), row = images.dim(2) * channels,
                     out_row = results.dim(2) * channels, size = images.dim(1) * row,
                     out_size = results.dim(1) * out_row;
  if (results.element_count() == 0) return;
  const float *source = images.data<float>(), *offsets = call.input_tensor(2).data<float>();
  float* out = results.data<float>();
  for (std::int64_t n = 0; n < images.dim(0); ++n) {
    const Window down(offsets[2 * n], images.dim(1), results.dim(1), centered, normalized),
        across(offsets[2 * n + 1], images.dim(2), results.dim(2), centered, normalized);
    const float* image = source + n * size;
    float* glimpse = out + n * out_size;
    if (down.count < results.dim(1) || across.count < results.dim(2))
      fill_noise({glimpse, static_cast<std::size_t>(out_size)},
                 {image, static_cast<std::size_t>(size)}, noise);
    for (std::int64_t y = 0; y < down.count; ++y)
      std::copy_n(image + (down.source + y) * row + across.source * channels,
                  across.count * channels,
                  glimpse + (down.from + y) * out_row + across.from * channels);
  }
}

constexpr KernelEntry kEntries[] = {{.op = &kExtractGlimpse, .run = extract_glimpse}};

}  // namespace

extern const KernelTable kExtractGlimpseCpu{kEntries};

}  // namespace rill
