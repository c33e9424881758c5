#include <algorithm>
#include <cmath>

#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kResampler, kResamplerGrad;

namespace {

// Half numbers are computed with as floats.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;

// The four pixels around a place and their weights; those outside of the image are -1.
template <class R>
struct Around {
  bool is_near = false;                       // at least one of them may count
  std::int64_t offset[4] = {-1, -1, -1, -1};  // upper left, upper right, lower left, lower right
  R weight[4] = {};
  R left = 0, top = 0;  // the shares of the left and the upper pixels

  Around(R x, R y, const Shape& images) {
    const std::int64_t height = images.dim(1), width = images.dim(2), depth = images.dim(3);
    is_near = x > -1 && y > -1 && x < static_cast<R>(width) && y < static_cast<R>(height);
    if (!is_near) return;
    const R floor_x = std::floor(x), floor_y = std::floor(y);
    const auto column = static_cast<std::int64_t>(floor_x),
               row = static_cast<std::int64_t>(floor_y);
    left = floor_x + 1 - x;
    top = floor_y + 1 - y;
    for (int i = 0; i < 4; ++i) {
      const bool is_right = i % 2 != 0, is_lower = i / 2 != 0;
      const std::int64_t px = column + (is_right ? 1 : 0), py = row + (is_lower ? 1 : 0);
      weight[i] = (is_right ? 1 - left : left) * (is_lower ? 1 - top : top);
      if (px >= 0 && py >= 0 && px < width && py < height) offset[i] = (py * width + px) * depth;
    }
  }
};

// How many places each image is seen at.
struct Places {
  explicit Places(const KernelCall& call)
      : images(call.input_tensor(0).shape()),
        depth(images.dim(3)),
        image_size(images.dim(1) * images.dim(2) * depth),
        each(images.dim(0) == 0 ? 0 : call.input_tensor(1).element_count() / 2 / images.dim(0)) {}
  const Shape& images;
  std::int64_t depth, image_size, each;
};

template <class T>
void resample(KernelCall& call) {
  using R = Wide<T>;
  const Places places(call);
  const T *data = call.input_tensor(0).data<T>(), *warp = call.input_tensor(1).data<T>();
  T* out = call.output_tensor(0).data<T>();
  const auto count = static_cast<std::size_t>(call.input_tensor(1).element_count() / 2);
  call.parallel_for(
      count, 20 + 4 * static_cast<double>(places.depth), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const Around<R> around(static_cast<R>(warp[2 * i]), static_cast<R>(warp[2 * i + 1]),
                                 places.images);
          const T* image = data + static_cast<std::int64_t>(i) / places.each * places.image_size;
          T* to = out + static_cast<std::int64_t>(i) * places.depth;
          for (std::int64_t c = 0; c < places.depth; ++c) {
            R sum = 0;
            for (int k = 0; k < 4; ++k)
              if (around.offset[k] >= 0)
                sum += around.weight[k] * static_cast<R>(image[around.offset[k] + c]);
            to[c] = static_cast<T>(sum);
          }
        }
      });
}

// One place's share of the gradients of its image and of itself.
template <class T>
void add_gradients(const Around<Wide<T>>& around, const T* image, const T* grad, std::int64_t depth,
                   Wide<T>* grad_image, T* grad_place) {
  using R = Wide<T>;
  R along_x = 0, along_y = 0;
  for (std::int64_t c = 0; c < depth; ++c) {
    const R arriving = static_cast<R>(grad[c]);
    R pixel[4];
    for (int k = 0; k < 4; ++k) {
      const std::int64_t at = around.offset[k];
      pixel[k] = at < 0 ? R(0) : static_cast<R>(image[at + c]);
      if (at >= 0) grad_image[at + c] += arriving * around.weight[k];
    }
    along_x +=
        arriving * ((1 - around.top) * (pixel[3] - pixel[2]) + around.top * (pixel[1] - pixel[0]));
    along_y += arriving *
               ((1 - around.left) * (pixel[3] - pixel[1]) + around.left * (pixel[2] - pixel[0]));
  }
  grad_place[0] = static_cast<T>(along_x);
  grad_place[1] = static_cast<T>(along_y);
}

// Each image belongs to one thread, which adds to it in order.
template <class T>
void resample_grad(KernelCall& call) {
  using R = Wide<T>;
  const Places places(call);
  const T *data = call.input_tensor(0).data<T>(), *warp = call.input_tensor(1).data<T>(),
          *grad = call.input_tensor(2).data<T>();
  T *grad_data = call.output_tensor(0).data<T>(), *grad_warp = call.output_tensor(1).data<T>();
  call.parallel_for(static_cast<std::size_t>(places.images.dim(0)),
                    static_cast<double>(places.each * (20 + 8 * places.depth) + places.image_size),
                    [&](std::size_t begin, std::size_t end) {
                      std::vector<R> sums(static_cast<std::size_t>(places.image_size));
                      for (auto b = static_cast<std::int64_t>(begin);
                           b < static_cast<std::int64_t>(end); ++b) {
                        std::ranges::fill(sums, R(0));
                        const T* image = data + b * places.image_size;
                        for (std::int64_t i = b * places.each; i < (b + 1) * places.each; ++i) {
                          const Around<R> around(static_cast<R>(warp[2 * i]),
                                                 static_cast<R>(warp[2 * i + 1]), places.images);
                          add_gradients<T>(around, image, grad + i * places.depth, places.depth,
                                           sums.data(), grad_warp + 2 * i);
                        }
                        for (std::int64_t i = 0; i < places.image_size; ++i)
                          grad_data[b * places.image_size + i] =
                              static_cast<T>(sums[static_cast<std::size_t>(i)]);
                      }
                    });
}

template <class T>
constexpr KernelEntry resampler_entry() {
  return {.op = &kResampler, .types = dtype_of<T>, .run = resample<T>};
}
template <class T>
constexpr KernelEntry resampler_grad_entry() {
  return {.op = &kResamplerGrad, .types = dtype_of<T>, .run = resample_grad<T>};
}
constexpr KernelEntry kEntries[] = {resampler_entry<half>(),       resampler_entry<bfloat16>(),
                                    resampler_entry<float>(),      resampler_entry<double>(),
                                    resampler_grad_entry<half>(),  resampler_grad_entry<bfloat16>(),
                                    resampler_grad_entry<float>(), resampler_grad_entry<double>()};

}  // namespace

extern const KernelTable kResamplerCpu{kEntries};

}  // namespace rill
