#include "rill/ops/nn/conv/padded_conv_shape.h"

#include "rill/ops/array/values/index_values.h"

namespace rill {
namespace {

PaddedConv::Border border(const PartialShape& images, int dim, bool resizes, const Tensor* size,
                          const Tensor* paddings) {
  PaddedConv::Border result{.inside = images.has_rank() ? images.dim(dim) : kUnknownDim};
  if (resizes) {
    result.inside = size == nullptr ? kUnknownDim : int_at(*size, dim - 1);
    require(size == nullptr || result.inside > 0, "output dimensions must be positive, not ",
            result.inside);
  }
  if (paddings == nullptr) return result;
  result.before = int_at(*paddings, std::int64_t{2} * dim);
  result.after = int_at(*paddings, std::int64_t{2} * dim + 1);
  require(result.before >= 0 && result.after >= 0, "Paddings must be non-negative: ", result.before,
          " ", result.after);
  require(result.inside <= INT64_MAX - result.before - result.after, "the padded images are too ",
          "large: ", result.before, " + ", result.inside, " + ", result.after);
  return result;
}

// Paddings of batch and channels are refused.
const Tensor* in_space(const Tensor* paddings) {
  if (paddings == nullptr) return paddings;
  for (const std::int64_t i : {0, 1, 6, 7})
    require(int_at(*paddings, i) == 0, "Fused mirror padding only support spatial padding, not ",
            i < 2 ? "batches: " : "channels: ", summary(*paddings));
  return paddings;
}

PartialShape padded(const PartialShape& images, const PaddedConv::Border& rows,
                    const PaddedConv::Border& columns, const Tensor* paddings) {
  const auto length = [&](const PaddedConv::Border& b) {
    return b.inside < 0 || paddings == nullptr ? kUnknownDim : b.before + b.inside + b.after;
  };
  const bool known = images.has_rank();
  return {known ? images.dim(0) : kUnknownDim, length(rows), length(columns),
          known ? images.dim(3) : kUnknownDim};
}

}  // namespace

PaddedConv::PaddedConv(const Op& op, const AttrMap& attrs, const PartialShape& images, bool resizes,
                       const Tensor* size, const Tensor* paddings, const PartialShape& filter)
    : rows(border(images, 1, resizes, size, in_space(paddings))),
      columns(border(images, 2, resizes, size, paddings)),
      conv(op, attrs, padded(images, rows, columns, paddings), filter) {}

}  // namespace rill
