#include "rill/ops/nn/conv/padded_conv_shape.h"

#include <cmath>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/nn/conv/conv_tensors.h"
#include "rill/ops/nn/conv/image_buffers.h"

namespace rill {

extern const OpDecl kFusedPadConv2D, kFusedResizeAndPadConv2D;

namespace {

// Which element each one of a padded dimension is the image of.
std::vector<std::int64_t> mirrored(const PaddedConv::Border& b, bool reflects) {
  const std::int64_t skip = reflects ? 1 : 0, most = b.inside - skip;
  require(b.before <= most && b.after <= most,
          reflects ? "paddings must be less than the dimension size: "
                   : "paddings must be no greater than the dimension size: ",
          b.before, ", ", b.after, reflects ? " not less than " : " greater than ", b.inside);
  std::vector<std::int64_t> sources;
  for (std::int64_t i = -b.before; i < b.inside + b.after; ++i)
    sources.push_back(i < 0 ? -i - 1 + skip : i < b.inside ? i : 2 * b.inside - 1 - skip - i);
  return sources;
}

// What lies between two elements of a dimension: at `low`, the given part of the way to `high`.
struct Between {
  std::int64_t low, high;
  float part;
};

std::vector<Between> resized(std::int64_t in, std::int64_t out, bool align_corners) {
  const float scale = align_corners && out > 1
                          ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                          : static_cast<float>(in) / static_cast<float>(out);
  std::vector<Between> places;
  for (std::int64_t i = 0; i < out; ++i) {
    const float at = static_cast<float>(i) * scale;
    const auto low = std::min(static_cast<std::int64_t>(std::floor(at)), in - 1);
    places.push_back({low, std::min(low + 1, in - 1), at - std::floor(at)});
  }
  return places;
}

// Rows of images as they are, or as bilinear interpolation makes them.
template <class T>
class Resizer {
 public:
  Resizer(const Tensor& images, const PaddedConv& p, bool resizes, bool align_corners)
      : images_(images), resizes_(resizes) {
    if (!resizes) return;
    require(images.dim(1) > 0 && images.dim(2) > 0,
            "Input tensor can't be empty: ", images.shape());
    rows_ = resized(images.dim(1), p.rows.inside, align_corners);
    columns_ = resized(images.dim(2), p.columns.inside, align_corners);
  }

  // Row y of image n; perhaps in `scratch`.
  const T* row(std::int64_t n, std::int64_t y, std::vector<T>& scratch) const {
    const std::int64_t channels = images_.dim(3), size = images_.dim(2) * channels;
    const T* image = images_.data<T>() + n * images_.dim(1) * size;
    if (!resizes_) return image + y * size;
    const Between& vertical = rows_[static_cast<std::size_t>(y)];
    const T *top = image + vertical.low * size, *bottom = image + vertical.high * size;
    scratch.resize(columns_.size() * static_cast<std::size_t>(channels));
    T* to = scratch.data();
    for (const Between& across : columns_) {
      const std::int64_t left = across.low * channels, right = across.high * channels;
      for (std::int64_t c = 0; c < channels; ++c) {
        const T above = top[left + c] + (top[right + c] - top[left + c]) * across.part;
        const T below = bottom[left + c] + (bottom[right + c] - bottom[left + c]) * across.part;
        *to++ = above + (below - above) * vertical.part;
      }
    }
    return scratch.data();
  }

 private:
  const Tensor& images_;
  bool resizes_;
  std::vector<Between> rows_, columns_;
};

// Images as they are convolved: resized, then padded.
template <class T>
Tensor enlarged(const KernelCall& call, const Tensor& images, const PaddedConv& p, bool resizes) {
  const bool reflects = call.node().attr<std::string>("mode") == "REFLECT";
  const auto rows = mirrored(p.rows, reflects), columns = mirrored(p.columns, reflects);
  const bool aligned = resizes && call.node().attr<bool>("resize_align_corners");
  const Resizer<T> resizer(images, p, resizes, aligned);
  const std::int64_t batch = images.dim(0), channels = images.dim(3);
  const auto height = static_cast<std::int64_t>(rows.size()),
             width = static_cast<std::int64_t>(columns.size());
  const Tensor out(images.dtype(), {batch, height, width, channels},
                   call.device().allocator(MemoryKind::host));
  const double cost = (resizes ? 2 : 0.5) * static_cast<double>(width * channels);
  call.parallel_for(
      static_cast<std::size_t>(batch * height), cost, [&](std::size_t begin, std::size_t end) {
        std::vector<T> scratch;
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
          const T* from =
              resizer.row(i / height, rows[static_cast<std::size_t>(i % height)], scratch);
          T* to = out.data<T>() + i * width * channels;
          for (const std::int64_t column : columns)
            to = std::copy_n(from + column * channels, channels, to);
        }
      });
  return out;
}

template <class T>
void padded_conv(KernelCall& call) {
  const bool resizes = call.input_count() == 4;
  const Tensor &images = call.input_tensor(0), &paddings = call.input_tensor(resizes ? 2 : 1),
               &filter = call.input_tensor(resizes ? 3 : 2);
  const PaddedConv p(*call.node().op, call.node().attrs, images.shape(), resizes,
                     resizes ? &call.input_tensor(1) : nullptr, &paddings, filter.shape());
  conv_tensors(call, p.conv, enlarged<T>(call, widened_tensor(call, images), p, resizes), filter,
               call.output_tensor(0));
}

constexpr KernelEntry kEntries[] = {
    {.op = &kFusedPadConv2D, .types = DType::f32 | DType::f16, .run = padded_conv<float>},
    {.op = &kFusedPadConv2D, .types = DType::f64, .run = padded_conv<double>},
    {.op = &kFusedResizeAndPadConv2D, .types = DType::f32 | DType::f16, .run = padded_conv<float>},
    {.op = &kFusedResizeAndPadConv2D, .types = DType::f64, .run = padded_conv<double>},
};

}  // namespace

extern const KernelTable kPaddedConvCpu{kEntries};

}  // namespace rill
