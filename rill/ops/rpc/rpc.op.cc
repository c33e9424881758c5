#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// Scalars go with vectors, whose lengths are all the same.
PartialShape calls_shape(const ShapeCtx& c) {
  PartialShape calls = PartialShape::scalar();
  for (int i = 0; i < 3; ++i) {
    const PartialShape& input = c.input(i);
    if (!input.has_rank()) {
      if (calls.has_rank() && calls.rank() == 0) calls = PartialShape();
      continue;
    }
    require(input.rank() <= 1, "Shape must be at most rank 1 but is rank ", input.rank());
    if (input.rank() == 0) continue;
    calls = calls.has_rank() && calls.rank() == 0 ? input : merge_shapes(calls, input);
  }
  return calls;
}

Shapes rpc_shape(const ShapeCtx& c) { return {calls_shape(c)}; }
Shapes try_rpc_shape(const ShapeCtx& c) {
  const PartialShape calls = calls_shape(c);
  return {calls, calls, calls};
}

}  // namespace

extern constexpr OpDecl kRpc{
    .name = "Rpc",
    .doc =
        "What the method of the service at each address answers to each request. Fails with the "
        "status of a call that does.",
    .inputs = {"address: string", "method: string", "request: string"},
    .outputs = {"response: string"},
    .attrs = {"protocol: string = ''", "fail_fast: bool = true", "timeout_in_ms: int = 0"},
    .traits = kStateful | kUsesNetwork,
    .shape = rpc_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kRpc));

extern constexpr OpDecl kTryRpc{
    .name = "TryRpc",
    .doc = "As Rpc; a call that fails has an empty response, and its status tells why.",
    .inputs = {"address: string", "method: string", "request: string"},
    .outputs = {"response: string", "status_code: int32", "status_message: string"},
    .attrs = {"protocol: string = ''", "fail_fast: bool = true", "timeout_in_ms: int = 0"},
    .traits = kStateful | kUsesNetwork,
    .shape = try_rpc_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kTryRpc));

}  // namespace rill
