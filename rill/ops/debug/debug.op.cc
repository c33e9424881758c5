#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// Fourteen numbers, then the dimensions.
Shapes numeric_summary_shape(const ShapeCtx& c) {
  const PartialShape& in = c.input(0);
  return {PartialShape{in.has_rank() ? 14 + in.rank() : -1}};
}

}  // namespace

extern constexpr OpDecl kCopyOp{
    .name = "Copy",
    .doc = "The input, for debug ops to look at.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "tensor_name: string = ''", "debug_ops_spec: list(string) = []"},
    .traits = kUninitializedOk | kNoAccess,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kCopyOp));

extern constexpr OpDecl kCopyHost{
    .name = "CopyHost",
    .doc = "Copy, for values in the host's memory.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "tensor_name: string = ''", "debug_ops_spec: list(string) = []"},
    .traits = kUninitializedOk | kNoAccess,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kCopyHost));

extern constexpr OpDecl kDebugIdentity{
    .name = "DebugIdentity",
    .doc = "The input, which also goes to `debug_urls`.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "device_name: string = ''", "tensor_name: string = ''",
              "debug_urls: list(string) = []", "gated_grpc: bool = false"},
    .traits = kUninitializedOk | kWritesFiles,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kDebugIdentity));

extern constexpr OpDecl kDebugNanCount{
    .name = "DebugNanCount",
    .doc = "How many elements are not a number.",
    .inputs = {"input: T"},
    .outputs = {"output: int64"},
    .attrs = {"T: type", "device_name: string = ''", "tensor_name: string = ''",
              "debug_urls: list(string) = []", "gated_grpc: bool = false"},
    .traits = kUninitializedOk | kDataDependentShape | kWritesFiles,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kDebugNanCount));

extern constexpr OpDecl kDebugNumericSummary{
    .name = "DebugNumericSummary",
    .doc = "Counts of kinds of elements, extremes, mean and variance, type and shape.",
    .inputs = {"input: T"},
    .outputs = {"output: double"},
    .attrs = {"T: type", "device_name: string = ''", "tensor_name: string = ''",
              "debug_urls: list(string) = []", "lower_bound: float = -inf",
              "upper_bound: float = inf", "mute_if_healthy: bool = false",
              "gated_grpc: bool = false"},
    .traits = kUninitializedOk | kDataDependentShape | kWritesFiles,
    .shape = numeric_summary_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kDebugNumericSummary));

}  // namespace rill
