#include <limits>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/image/color_space.h"
#include "rill/ops/image/pixel_types.h"

namespace rill {

extern const OpDecl kAdjustContrast, kAdjustContrastv2, kAdjustHue, kAdjustSaturation;

namespace {

// The means of the channels of one image.
template <class T>
std::vector<float> channel_means(const T* image, std::int64_t pixels, std::int64_t channels) {
  std::vector<double> sums(static_cast<std::size_t>(channels));
  double* sum = sums.data();
  if (channels == 3) {
    double red = 0, green = 0, blue = 0;
    for (std::int64_t i = 0; i < pixels; ++i, image += 3) {
      red += static_cast<double>(image[0]);
      green += static_cast<double>(image[1]);
      blue += static_cast<double>(image[2]);
    }
    sums = {red, green, blue};
  } else {
    for (std::int64_t i = 0; i < pixels; ++i)
      for (std::int64_t c = 0; c < channels; ++c) sum[c] += static_cast<double>(*image++);
  }
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

void adjust_contrast_v2(KernelCall& call) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  adjust_images<float>(call, {number(call, 1), -kInfinity, kInfinity});
}

template <class Body>
void for_pixels(const KernelCall& call, Body body) {
  const float* from = call.input_tensor(0).data<float>();
  float* to = call.output_tensor(0).data<float>();
  const auto pixels = static_cast<std::size_t>(call.output_tensor(0).element_count() / 3);
  call.parallel_for(pixels, 8, [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(from + 3 * i, to + 3 * i);
  });
}

// Hue in sixths of a turn, with the smallest and the largest channel: turning it changes neither.
void adjust_hue(KernelCall& call) {
  const float delta = std::fmod(number(call, 1) * 6, 6.0F);
  for_pixels(call, [delta](const float* from, float* to) {
    const float most = std::max({from[0], from[1], from[2]}),
                least = std::min({from[0], from[1], from[2]}), range = most - least;
    float hue = to_hsv(from[0], from[1], from[2]).hue * 6 + delta;
    if (hue < 0) hue += 6;
    if (hue >= 6) hue -= 6;
    const HueShares<float> shares(hue / 6);
    to[0] = least + shares.red * range;
    to[1] = least + shares.green * range;
    to[2] = least + shares.blue * range;
  });
}

void adjust_saturation(KernelCall& call) {
  const float scale = number(call, 1);
  for_pixels(call, [scale](const float* from, float* to) {
    Hsv<float> color = to_hsv(from[0], from[1], from[2]);
    color.saturation = std::min(1.0F, std::max(0.0F, color.saturation * scale));
    write_rgb(color, to);
  });
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
