#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "rill/base/philox.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/random/normal.h"
#include "rill/ops/random/philox_rows.h"

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

struct Extremes {
  float least, most;
};

// Two vectors at a time, because each waits for the one before.
Extremes extremes_of(std::span<const float> image) {
  using Four [[gnu::vector_size(16)]] = float;
  constexpr std::size_t kWidth = 4;
  const float first = image[0];
  Four least[2] = {first - Four{}, first - Four{}}, most[2] = {least[0], least[1]};
  std::size_t i = 0;
  for (; i + 2 * kWidth <= image.size(); i += 2 * kWidth)
    for (std::size_t k = 0; k < 2; ++k) {
      Four x;
      std::memcpy(&x, &image[i + k * kWidth], sizeof x);
      least[k] = x < least[k] ? x : least[k];
      most[k] = x > most[k] ? x : most[k];
    }
  Extremes all{first, first};
  for (std::size_t k = 0; k < 2; ++k)
    for (std::size_t lane = 0; lane < kWidth; ++lane)
      all = {std::min<float>(all.least, least[k][lane]), std::max<float>(all.most, most[k][lane])};
  for (; i < image.size(); ++i) all = {std::min(all.least, image[i]), std::max(all.most, image[i])};
  return all;
}

// `noise` becomes noise of the range, or of the mean and deviation, that the image has.
void draw_noise(std::span<float> noise, std::span<const float> image, Noise kind, Philox stream) {
  const auto [least, most] = extremes_of(image);
  const std::size_t blocks = (noise.size() + 3) / 4;
  std::vector<std::uint32_t> words(4 * blocks);
  philox_words(stream, 1, words.data(), blocks);
  if (kind == Noise::kUniform) {
    uniform_row(noise.data(), words.data(), noise.size());
    for (float& x : noise) x = least + (most - least) * x;
    return;
  }
  double sum = 0, squares = 0;
  const auto count = static_cast<double>(image.size());
  for (const float x : image) sum += static_cast<double>(x);
  const double mean = sum / count;
  for (const float x : image)
    squares += (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean);
  const double deviation = std::sqrt(squares / count);
  std::vector<float> normal(4 * blocks);
  normal_row(normal.data(), words.data(), blocks);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    const double drawn = mean + deviation * static_cast<double>(normal[i]);
    noise[i] = std::min(std::max(static_cast<float>(drawn), least), most);
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

// Images and glimpses, each a number of rows.
struct Sizes {
  std::int64_t channels, rows, row, out_rows, out_row;

  std::int64_t image() const { return rows * row; }
  std::int64_t glimpse() const { return out_rows * out_row; }
};

// Writes what `image` shows, and around it zeros or what comes next of `noise`.
void write_glimpse(const Sizes& s, const Window& down, const Window& across, const float* image,
                   const float* noise, float* glimpse) {
  const auto surround = [&noise](float* to, std::int64_t count) {
    noise == nullptr ? std::fill_n(to, count, 0.0F) : std::copy_n(noise, count, to);
    if (noise != nullptr) noise += count;
  };
  const std::int64_t left = across.from * s.channels, seen = across.count * s.channels;
  for (std::int64_t y = 0; y < s.out_rows; ++y, glimpse += s.out_row) {
    if (y < down.from || y >= down.from + down.count || seen == 0) {
      surround(glimpse, s.out_row);
      continue;
    }
    surround(glimpse, left);
    std::copy_n(image + (down.source + y - down.from) * s.row + across.source * s.channels, seen,
                glimpse + left);
    surround(glimpse + left + seen, s.out_row - left - seen);
  }
}

void extract_glimpse(KernelCall& call) {
  const Tensor &images = call.input_tensor(0), &results = call.output_tensor(0);
  const bool centered = call.node().attr<bool>("centered"),
             normalized = call.node().attr<bool>("normalized");
  const Noise kind = noise_of(call.node());
  const Sizes sizes{images.dim(3), images.dim(1), images.dim(2) * images.dim(3), results.dim(1),
                    results.dim(2) * images.dim(3)};
  if (results.element_count() == 0) return;
  const float *source = images.data<float>(), *offsets = call.input_tensor(2).data<float>();
  float* out = results.data<float>();
  const bool noisy = kind != Noise::kZero && sizes.image() > 0;
  const Philox stream(noisy ? entropy_bits() : 0, 0);
  const double nanos =
      (noisy ? 0.3 * static_cast<double>(sizes.image()) : 0) + static_cast<double>(sizes.glimpse());
  const auto extract = [&](std::int64_t n) {
    const Window down(offsets[2 * n], images.dim(1), results.dim(1), centered, normalized),
        across(offsets[2 * n + 1], images.dim(2), results.dim(2), centered, normalized);
    const float* image = source + n * sizes.image();
    std::vector<float> noise;
    const std::int64_t hidden = sizes.glimpse() - down.count * across.count * sizes.channels;
    if (noisy && hidden > 0) {
      noise.resize(static_cast<std::size_t>(hidden));
      Philox own = stream;
      own.skip(static_cast<std::uint64_t>(n) * static_cast<std::uint64_t>(sizes.glimpse()));
      draw_noise(noise, {image, static_cast<std::size_t>(sizes.image())}, kind, own);
    }
    write_glimpse(sizes, down, across, image, noise.empty() ? nullptr : noise.data(),
                  out + n * sizes.glimpse());
  };
  call.parallel_for(static_cast<std::size_t>(images.dim(0)), nanos,
                    [&](std::size_t begin, std::size_t end) {
                      for (; begin < end; ++begin) extract(static_cast<std::int64_t>(begin));
                    });
}

constexpr KernelEntry kEntries[] = {{.op = &kExtractGlimpse, .run = extract_glimpse}};

}  // namespace

extern const KernelTable kExtractGlimpseCpu{kEntries};

}  // namespace rill
