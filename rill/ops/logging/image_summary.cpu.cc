#include <cmath>
#include <limits>

#include "rill/io/png.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/logging/summary_parts.h"
#include "rill/tensor/dtype_visit.h"

namespace rill {

extern const OpDecl kImageSummary;

namespace {

// How numbers become brightness: value * scale + offset.
struct Scaling {
  float scale, offset;
};

// Zero stays black where nothing is negative, and becomes grey where something is. What is nearly
// nothing everywhere is not blown up.
Scaling scaling_for(float lowest, float highest) {
  constexpr float kNothing = 1e-6F;
  const bool negative = lowest < 0;
  const float largest = negative ? std::max(std::abs(lowest), std::abs(highest)) : highest;
  const float range = negative ? 127.0F : 255.0F;
  return {largest < kNothing ? 0.0F : range / largest, negative ? 128.0F : 0.0F};
}

// As TensorFlow, the scaling is found in float and applied in the type of the image: half is
// rounded after each operation.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
template <class T>
Wide<T> rounded(Wide<T> value) {
  return static_cast<Wide<T>>(T(value));
}

template <class T>
bool is_finite_pixel(const T* pixel, std::int64_t channels) {
  for (std::int64_t c = 0; c < channels; ++c)
    if (!std::isfinite(static_cast<Wide<T>>(pixel[c]))) return false;
  return true;
}

template <class T>
Scaling scaling_of(const T* image, std::int64_t pixels, std::int64_t channels) {
  float lowest = std::numeric_limits<float>::infinity(), highest = -lowest;
  for (std::int64_t i = 0; i < pixels; ++i) {
    const T* const pixel = image + i * channels;
    if (!is_finite_pixel(pixel, channels)) continue;
    for (std::int64_t c = 0; c < channels; ++c) {
      lowest = std::min(lowest, static_cast<float>(pixel[c]));
      highest = std::max(highest, static_cast<float>(pixel[c]));
    }
  }
  return scaling_for(lowest, highest);
}

template <class T>
std::vector<std::uint8_t> brightness(const T* image, std::int64_t pixels, std::int64_t channels,
                                     std::span<const std::uint8_t> bad_color) {
  const Scaling by = scaling_of(image, pixels, channels);
  const Wide<T> scale = rounded<T>(by.scale), offset = by.offset;
  std::vector<std::uint8_t> samples(static_cast<std::size_t>(pixels * channels));
  for (std::int64_t i = 0; i < pixels; ++i) {
    const T* const pixel = image + i * channels;
    const bool finite = is_finite_pixel(pixel, channels);
    for (std::int64_t c = 0; c < channels; ++c) {
      const Wide<T> scaled =
          finite ? rounded<T>(static_cast<Wide<T>>(pixel[c]) * scale) : Wide<T>(0);
      const Wide<T> value = rounded<T>(scaled + offset);
      samples[static_cast<std::size_t>(i * channels + c)] =
          finite ? static_cast<std::uint8_t>(std::clamp<Wide<T>>(value, 0, 255))
                 : bad_color[static_cast<std::size_t>(c)];
    }
  }
  return samples;
}

struct ImageBatchDims {
  std::int64_t count, height, width, channels;
  std::int64_t pixels() const { return height * width; }
};

ImageBatchDims batch_of(const Tensor& tensor) {
  const auto channels = tensor.rank() == 4 ? tensor.dim(3) : 0;
  require(channels == 1 || channels == 3 || channels == 4,
          "Tensor must be 4-D with last dim 1, 3, or 4, not ", tensor.shape());
  const ImageBatchDims batch{tensor.dim(0), tensor.dim(1), tensor.dim(2), channels};
  require(batch.count == 0 || batch.pixels() > 0, "input tensor must have non-zero dims. Found: [",
          batch.count, ", ", batch.height, ", ", batch.width, ", ", channels, "].");
  return batch;
}

void check_bad_color(const Tensor& color, std::int64_t channels) {
  require(color.dtype() == DType::u8, "bad_color must be uint8, got ", color.dtype());
  require(color.rank() == 1, "bad_color must be a vector, got shape ", color.shape());
  require(color.element_count() >= channels,
          "expected depth <= bad_color.size, got depth = ", channels,
          ", bad_color.size = ", color.element_count());
}

std::string png_of(const Tensor& tensor, const ImageBatchDims& batch, std::int64_t which,
                   const Tensor& bad_color) {
  Picture picture{batch.width, batch.height, static_cast<int>(batch.channels), {}};
  std::vector<std::uint8_t> scaled;
  const std::int64_t size = batch.pixels() * batch.channels;
  visit_dtype(tensor.dtype(), [&]<class T>() {
    if constexpr (std::is_same_v<T, std::uint8_t>) {
      picture.samples = {tensor.data<T>() + which * size, static_cast<std::size_t>(size)};
    } else if constexpr (kFloatTypes.contains(dtype_of<T>)) {
      scaled = brightness(tensor.data<T>() + which * size, batch.pixels(), batch.channels,
                          bad_color.flat<std::uint8_t>());
      picture.samples = scaled;
    }
  });
  return encode_png(picture);
}

void image_summary(KernelCall& call) {
  const Tensor& tag = call.input_tensor(0);
  require(tag.rank() == 0, "Tags must be a scalar");
  SummaryMessage message;
  add_pictures(call, tag.scalar_value<std::string>(), call.input_tensor(1),
               call.node().attr<Tensor>("bad_color"), message);
  call.output<std::string>(0)[0] = message.serialized();
}

constexpr KernelEntry kEntries[] = {
    {.op = &kImageSummary,
     .types = DType::u8 | DType::f16 | DType::f32 | DType::f64,
     .run = image_summary},
};

}  // namespace

extern const KernelTable kImageSummaryCpu{kEntries};

void add_pictures(const KernelCall& call, const std::string& tag, const Tensor& tensor,
                  const Tensor& bad_color, SummaryMessage& message) {
  const ImageBatchDims batch = batch_of(tensor);
  require(batch.height <= std::numeric_limits<int>::max() &&
              batch.width <= std::numeric_limits<int>::max(),
          "Tensor too large for summary ", tensor.shape());
  check_bad_color(bad_color, batch.channels);
  const auto most = call.node().attr<std::int64_t>("max_images");
  std::vector<std::string> pngs(static_cast<std::size_t>(std::min(most, batch.count)));
  const double cost = 30.0 * static_cast<double>(batch.pixels() * batch.channels);
  call.parallel_for(pngs.size(), cost, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      pngs[i] = png_of(tensor, batch, static_cast<std::int64_t>(i), bad_color);
  });
  const std::string base = tag + "/image";
  for (std::size_t i = 0; i < pngs.size(); ++i)
    message.add_image(most > 1 ? str_cat(base, "/", i) : base, batch.height, batch.width,
                      static_cast<int>(batch.channels), std::move(pngs[i]));
}

}  // namespace rill
