#include "rill/ops/nn/pool/pool_shape.h"

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
  if (at(0) != 1 || at(layout.channel_dim()) != 1)
    raise(Code::kUnimplemented, op.name, " across the batch or the channels");
  require(!images.has_rank() || images.rank() == layout.rank, "tensor_in must be ", layout.rank,
          "-dimensional, not ", images);
  std::vector<std::int64_t> space;
  for (int i = 0; i < layout.space_rank(); ++i) space.push_back(at(layout.space_dim(i)));
  dims = windows_over(images, layout, space, WindowRules(all, layout, op.name));
}

PartialShape PoolWindows::results(const PartialShape& images) const {
  std::vector<std::int64_t> space;
  for (const WindowDim& dim : dims) space.push_back(dim.out);
  const bool known = images.has_rank();
  return image_shape(layout, known ? images.dim(0) : kUnknownDim, space,
                     known ? images.dim(layout.channel_dim()) : kUnknownDim);
}

}  // namespace rill
