#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes fingerprint_shape(const ShapeCtx& c) {
  const PartialShape data = c.with_rank_at_least(0, 1);
  (void)c.scalar(1);
  std::int64_t width = kUnknownDim;
  if (const Tensor* method = c.value(1)) {
    const auto& name = method->scalar_value<std::string>();
    require(name == "farmhash64", "Unsupported method: ", name);
    width = 8;
  }
  return {PartialShape{data.has_rank() ? data.dim(0) : kUnknownDim, width}};
}

}  // namespace

extern constexpr OpDecl kFingerprint{
    .name = "Fingerprint",
    .doc = "The fingerprint of each row of `data`, as bytes; the method is farmhash64.",
    .inputs = {"data: T", "method: string"},
    .outputs = {"fingerprint: uint8"},
    .attrs = {"T: type"},
    .traits = kPure,
    .shape = fingerprint_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kFingerprint));

}  // namespace rill
