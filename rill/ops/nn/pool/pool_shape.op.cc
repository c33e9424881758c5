#include "rill/ops/nn/pool/pool_shape.h"

#include <algorithm>

namespace rill {
namespace {

std::vector<std::int64_t> numbers(const Tensor& tensor) {
  const auto values = tensor.flat<std::int32_t>();
  return {values.begin(), values.end()};
}

ImageLayout pool_layout(const AttrMap& attrs) {
  const auto it = attrs.find("data_format");
  return ImageLayout(it == attrs.end() ? std::string_view("NHWC")
                                       : std::string_view(attr<std::string>(attrs, "data_format")));
}

bool stays_in_space(const std::vector<std::int64_t>& sizes, const ImageLayout& layout) {
  return static_cast<int>(sizes.size()) == layout.rank && sizes[0] == 1 &&
         sizes[static_cast<std::size_t>(layout.channel_dim())] == 1;
}

}  // namespace

PoolWindows::PoolWindows(const Op& op, const AttrMap& attrs, const PartialShape& images,
                         const Tensor* sizes, const Tensor* strides)
    : layout(pool_layout(attrs)) {
  AttrMap all = attrs;
  if (strides != nullptr) all.insert_or_assign("strides", numbers(*strides));
  if (sizes != nullptr) all.insert_or_assign("ksize", numbers(*sizes));
  const auto& ksize = attr<std::vector<std::int64_t>>(all, "ksize");
  require(static_cast<int>(ksize.size()) == layout.rank, "Sliding window ksize field must specify ",
          layout.rank, " dimensions, not ", ksize.size());
  const auto at = [&](int d) { return ksize[static_cast<std::size_t>(d)]; };
  for (const std::int64_t size : ksize)
    require(size > 0, "Sliding window ksize must be positive, not ", size);
  in_space = stays_in_space(ksize, layout);
  auto steps = attr<std::vector<std::int64_t>>(all, "strides");
  in_space = in_space && stays_in_space(steps, layout);
  if (static_cast<int>(steps.size()) == layout.rank)
    steps[0] = steps[static_cast<std::size_t>(layout.channel_dim())] = 1;
  all.insert_or_assign("strides", steps);
  require(!images.has_rank() || images.rank() == layout.rank,
          when_run("tensor_in must be ", layout.rank, "-dimensional, not ", images),
          when_built("Shape must be rank ", layout.rank, " but is rank ", images.rank()));
  std::vector<std::int64_t> space;
  for (int i = 0; i < layout.space_rank(); ++i) space.push_back(at(layout.space_dim(i)));
  dims = windows_over(images, layout, space, WindowRules(all, layout, op.name));
}

std::int64_t pooled_channels(const AttrMap& attrs, const PartialShape& images) {
  const ImageLayout layout = pool_layout(attrs);
  const auto& ksize = attr<std::vector<std::int64_t>>(attrs, "ksize");
  const auto& strides = attr<std::vector<std::int64_t>>(attrs, "strides");
  if (!layout.channels_last || layout.rank != 4 || ksize.size() != 4 || strides.size() != 4 ||
      ksize[3] <= 1)
    return 1;
  const auto is_one = [](std::int64_t size) { return size == 1; };
  if (!std::all_of(ksize.begin(), ksize.end() - 1, is_one) ||
      !std::all_of(strides.begin(), strides.end() - 1, is_one))
    raise(Code::kUnimplemented,
          "MaxPooling supports exactly one of pooling across depth or pooling ",
          "across width/height.");
  require(!images.has_rank() || images.rank() == 4, "tensor_in must be 4-dimensional, not ",
          images);
  const std::int64_t depth = images.has_rank() ? images.dim(3) : kUnknownDim;
  require(depth == kUnknownDim || depth % ksize[3] == 0,
          "Depthwise max pooling requires the depth window to evenly divide the input depth, but ",
          depth, " is no multiple of ", ksize[3]);
  require(
      ksize[3] == strides[3],
      "Depthwise max pooling requires the depth window to equal the depth stride, but they are ",
      ksize[3], " and ", strides[3]);
  return ksize[3];
}

void PoolWindows::require_in_space(std::string_view op) const {
  if (!in_space) raise(Code::kUnimplemented, op, " across the batch or the channels");
}

PartialShape PoolWindows::results(const PartialShape& images) const {
  std::vector<std::int64_t> space;
  for (const WindowDim& dim : dims) space.push_back(dim.out);
  const bool known = images.has_rank();
  return image_shape(layout, known ? images.dim(0) : kUnknownDim, space,
                     known ? images.dim(layout.channel_dim()) : kUnknownDim);
}

}  // namespace rill
