#include "rill/ops/array/slice/blocks_shape.h"

#include "rill/ops/array/values/index_values.h"

namespace rill {

BlockArgs block_args(const Op& op, const AttrMap& attrs, const Tensor* sizes, const Tensor* ends) {
  BlockArgs args;
  const bool by_attr = op.find_attr("block_size") != nullptr;
  if (!by_attr && sizes == nullptr) return args;
  const std::int64_t count = by_attr ? 2 : sizes->element_count();
  for (std::int64_t d = 0; d < count; ++d) {
    args.sizes.push_back(by_attr ? attr<std::int64_t>(attrs, "block_size") : int_at(*sizes, d));
    require(args.sizes.back() >= 1,
            when_run("block_shape must be positive: element ", d, " is ", args.sizes.back()),
            when_built("block_shape must be positive"));
  }
  if (ends == nullptr) return args;
  args.known = true;
  const Shape wanted{count, 2};
  if (ends->shape() != wanted)
    require(false,
            when_run("input ", op.inputs.back().name, " must have shape ", wanted, ", not ",
                     ends->shape()),
            when_built(merge_refusal(PartialShape(ends->shape()), PartialShape(wanted))));
  for (std::int64_t d = 0; d < count; ++d) {
    args.starts.push_back(int_at(*ends, 2 * d));
    args.ends.push_back(int_at(*ends, 2 * d + 1));
    require(args.starts.back() >= 0 && args.ends.back() >= 0, op.inputs.back().name,
            " must be non-negative: ", args.starts.back(), " ", args.ends.back());
  }
  return args;
}

std::int64_t block_rank(const ShapeCtx& c) {
  return c.op().find_attr("block_size") != nullptr ? 2 : c.vector(1).dim(0);
}

BlockArgs block_args(const ShapeCtx& c) {
  const bool by_attr = c.op().find_attr("block_size") != nullptr;
  if (by_attr) (void)c.with_rank(0, 4);
  if (!by_attr)
    require(!c.input(1).has_rank() || c.input(1).rank() == 1,
            when_run("block_shape must be one dimensional"),
            when_built("block_shape must have rank 1."));
  (void)c.with_rank(by_attr ? 1 : 2, 2);
  const Tensor* sizes = by_attr ? nullptr : c.value(1);
  return block_args(c.op(), c.attrs(), sizes, c.value(by_attr ? 1 : 2));
}

}  // namespace rill
