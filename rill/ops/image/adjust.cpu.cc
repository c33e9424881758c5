#include <algorithm>
#include <cmath>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/image/adjust_rows.h"
#include "rill/ops/image/pixel_types.h"

namespace rill {

extern const OpDecl kAdjustContrast, kAdjustContrastv2, kAdjustHue, kAdjustSaturation;

namespace {

// The means of the channels of one image.
template <class T>
std::vector<float> channel_means(const T* image, std::int64_t pixels, std::int64_t channels) {
  std::vector<double> sums(static_cast<std::size_t>(channels));
  for (std::int64_t i = 0; i < pixels; ++i)
    for (double& sum : sums) sum += static_cast<double>(*image++);
  std::vector<float> means;
  for (const double s : sums) means.push_back(static_cast<float>(s / static_cast<double>(pixels)));
  return means;
}

struct Contrast {
  float factor, least, most;
};

template <class T>
void adjust_images(const KernelCall& call, const Contrast& contrast) {
  const Shape& shape = call.input_tensor(0).shape();
  const std::int64_t channels = shape.dim(shape.rank() - 1),
                     pixels = shape.dim(shape.rank() - 2) * shape.dim(shape.rank() - 3),
                     size = pixels * channels;
  if (shape.element_count() == 0) return;
  const T* from = call.input_tensor(0).data<T>();
  float* to = call.output_tensor(0).data<float>();
  call.parallel_for(
      static_cast<std::size_t>(shape.element_count() / size), 3 * static_cast<double>(size),
      [&](std::size_t begin, std::size_t end) {
        for (auto n = static_cast<std::int64_t>(begin); n < static_cast<std::int64_t>(end); ++n) {
          const T* image = from + n * size;
          float* out = to + n * size;
          const std::vector<float> means = channel_means(image, pixels, channels);
          for (std::int64_t i = 0; i < pixels; ++i)
            for (const float mean : means) {
              const float value = (static_cast<float>(*image++) - mean) * contrast.factor + mean;
              *out++ = std::min(std::max(value, contrast.least), contrast.most);
            }
        }
      });
}

float number(const KernelCall& call, int i) { return call.input_tensor(i).scalar_value<float>(); }

void adjust_contrast(KernelCall& call) {
  const Contrast contrast{number(call, 1), number(call, 2), number(call, 3)};
  visit_pixel(call.input_tensor(0).dtype(), [&]<class T>() {
    if constexpr (!std::is_same_v<T, half> && !std::is_same_v<T, bfloat16>)
      adjust_images<T>(call, contrast);
  });
}

// The means of one image's channels, repeated as often as `means` is long. Floats are added up over
// short ways only, then as doubles.
void repeat_means(const float* image, std::int64_t size, std::int64_t channels,
                  std::vector<float>& means) {
  constexpr int kShortWay = 64;
  const auto period = static_cast<std::int64_t>(means.size());
  std::vector<double> sums(static_cast<std::size_t>(channels));
  for (std::int64_t begin = 0; begin < size;) {
    std::ranges::fill(means, 0.0F);
    for (int i = 0; i < kShortWay && begin < size; ++i, begin += period)
      adjust_rows().add(means.data(), image + begin, std::min(period, size - begin));
    for (std::size_t k = 0; k < means.size(); ++k)
      sums[k % sums.size()] += static_cast<double>(means[k]);
  }
  const auto pixels = static_cast<double>(size / channels);
  for (std::size_t k = 0; k < means.size(); ++k)
    means[k] = static_cast<float>(sums[k % sums.size()] / pixels);
}

void adjust_contrast_v2(KernelCall& call) {
  const Shape& shape = call.input_tensor(0).shape();
  if (shape.element_count() == 0) return;
  constexpr std::int64_t kPeriod = 192;  // elements at a time, about
  const float factor = number(call, 1);
  const std::int64_t channels = shape.dim(shape.rank() - 1),
                     size = shape.dim(shape.rank() - 3) * shape.dim(shape.rank() - 2) * channels,
                     period = std::max<std::int64_t>(kPeriod / channels, 1) * channels;
  const float* images = call.input_tensor(0).data<float>();
  float* out = call.output_tensor(0).data<float>();
  call.parallel_for(static_cast<std::size_t>(shape.element_count() / size),
                    static_cast<double>(size), [&](std::size_t begin, std::size_t end) {
                      std::vector<float> means(static_cast<std::size_t>(period));
                      for (auto n = static_cast<std::int64_t>(begin);
                           n < static_cast<std::int64_t>(end); ++n) {
                        const float* image = images + n * size;
                        repeat_means(image, size, channels, means);
                        for (std::int64_t i = 0; i < size; i += period)
                          adjust_rows().contrast(out + n * size + i, image + i, means.data(),
                                                 factor, std::min(period, size - i));
                      }
                    });
}

using AdjustColors = void (*)(float*, const float*, std::int64_t, float);

void for_colors(const KernelCall& call, AdjustColors adjust, float by) {
  const float* from = call.input_tensor(0).data<float>();
  float* to = call.output_tensor(0).data<float>();
  const auto count = static_cast<std::size_t>(call.output_tensor(0).element_count() / 3);
  call.parallel_for(count, 3, [=](std::size_t begin, std::size_t end) {
    adjust(to + 3 * begin, from + 3 * begin, static_cast<std::int64_t>(end - begin), by);
  });
}

void adjust_hue(KernelCall& call) {
  for_colors(call, adjust_rows().turn_hue, std::fmod(number(call, 1) * 6, 6.0F));
}
void adjust_saturation(KernelCall& call) {
  for_colors(call, adjust_rows().scale_saturation, number(call, 1));
}

constexpr TypeSet kContrastTypes =
    DType::u8 | DType::i8 | DType::i16 | DType::i32 | DType::f32 | DType::f64;
constexpr KernelEntry kEntries[] = {
    {.op = &kAdjustContrast, .types = kContrastTypes, .run = adjust_contrast},
    {.op = &kAdjustContrastv2, .types = DType::f32, .run = adjust_contrast_v2},
    {.op = &kAdjustHue, .types = DType::f32, .run = adjust_hue},
    {.op = &kAdjustSaturation, .types = DType::f32, .run = adjust_saturation},
};

}  // namespace

extern const KernelTable kAdjustCpu{kEntries};

}  // namespace rill
