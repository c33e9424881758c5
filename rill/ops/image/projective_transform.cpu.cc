#include <cmath>

#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kImageProjectiveTransformV2;

namespace {

// One image, which is 0 outside.
template <class T>
class Pixels {
 public:
  Pixels(const T* data, const Shape& shape)
      : data_(data), height_(shape.dim(1)), width_(shape.dim(2)), depth_(shape.dim(3)) {}

  std::int64_t depth() const { return depth_; }
  // The channels at a place, nullptr outside of the image. NaN is outside.
  const T* at(float y, float x) const {
    const bool is_inside =
        y >= 0 && x >= 0 && y < static_cast<float>(height_) && x < static_cast<float>(width_);
    if (!is_inside) return nullptr;
    return data_ + (static_cast<std::int64_t>(y) * width_ + static_cast<std::int64_t>(x)) * depth_;
  }

 private:
  const T* data_;
  std::int64_t height_, width_, depth_;
};

template <class T>
float channel(const T* pixel, std::int64_t c) {
  return pixel == nullptr ? 0.0F : static_cast<float>(pixel[c]);
}

template <class T>
void nearest(const Pixels<T>& image, float y, float x, T* out) {
  const T* pixel = image.at(std::round(y), std::round(x));
  for (std::int64_t c = 0; c < image.depth(); ++c) out[c] = pixel == nullptr ? T(0.0F) : pixel[c];
}

template <class T>
void bilinear(const Pixels<T>& image, float y, float x, T* out) {
  const float top = std::floor(y), left = std::floor(x), bottom = top + 1, right = left + 1;
  const T *a = image.at(top, left), *b = image.at(top, right), *c = image.at(bottom, left),
          *d = image.at(bottom, right);
  for (std::int64_t i = 0; i < image.depth(); ++i) {
    const float upper = (right - x) * channel(a, i) + (x - left) * channel(b, i);
    const float lower = (right - x) * channel(c, i) + (x - left) * channel(d, i);
    const float both = (bottom - y) * upper + (y - top) * lower;
    out[i] = both == both ? static_cast<T>(both) : T(0.0F);  // far away there is nothing
  }
}

template <class T>
void transform_row(const Pixels<T>& image, const float* t, std::int64_t row, std::int64_t width,
                   bool is_nearest, T* out) {
  const auto y = static_cast<float>(row);
  for (std::int64_t i = 0; i < width; ++i, out += image.depth()) {
    const auto x = static_cast<float>(i);
    const float k = t[6] * x + t[7] * y + 1;
    if (k == 0) {
      for (std::int64_t c = 0; c < image.depth(); ++c) out[c] = T(0.0F);
      continue;
    }
    const float from_x = (t[0] * x + t[1] * y + t[2]) / k,
                from_y = (t[3] * x + t[4] * y + t[5]) / k;
    is_nearest ? nearest(image, from_y, from_x, out) : bilinear(image, from_y, from_x, out);
  }
}

template <class T>
void projective_transform(KernelCall& call) {
  const Tensor &images = call.input_tensor(0), &transforms = call.input_tensor(1),
               &results = call.output_tensor(0);
  const bool is_nearest = call.node().attr<std::string>("interpolation") == "NEAREST";
  if (results.element_count() == 0) return;
  const std::int64_t height = results.dim(1), width = results.dim(2), depth = results.dim(3);
  const std::int64_t image_size = images.dim(1) * images.dim(2) * depth;
  const std::int64_t step = transforms.dim(0) == 1 ? 0 : 8;
  call.parallel_for(
      static_cast<std::size_t>(results.dim(0) * height),
      static_cast<double>(width * (10 + 4 * depth)), [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
          const std::int64_t image = i / height;
          const Pixels<T> pixels(images.data<T>() + image * image_size, images.shape());
          transform_row(pixels, transforms.data<float>() + image * step, i % height, width,
                        is_nearest, results.data<T>() + i * width * depth);
        }
      });
}

template <class T>
constexpr KernelEntry projective_entry() {
  return {.op = &kImageProjectiveTransformV2, .types = dtype_of<T>, .run = projective_transform<T>};
}
constexpr KernelEntry kEntries[] = {
    projective_entry<std::uint8_t>(), projective_entry<std::int32_t>(),
    projective_entry<std::int64_t>(), projective_entry<half>(),
    projective_entry<float>(),        projective_entry<double>()};

}  // namespace

extern const KernelTable kProjectiveTransformCpu{kEntries};

}  // namespace rill
