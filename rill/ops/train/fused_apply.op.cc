#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// The steps of an optimizer, variable by variable.
double updates_flops(const KernelWork& work) {
  const auto* const update = work.attr<std::string>("update");
  if (update == nullptr) return 0;
  double flops = 0;
  const std::size_t first = work.count("N");
  for (std::size_t i = 0; i < work.count("M"); ++i)
    flops += flops_of_part(work, *update, work.input(first + i));
  return flops;
}

}  // namespace

extern constexpr OpDecl kFusedApply{
    .name = "_FusedApply",
    .doc =
        "Takes the step of the optimizer's op `update` on several variables: `state` is each "
        "variable with its slots, `scalars` what they share.",
    .inputs = {"state: Ref(N * T)", "grads: M * T", "scalars: K * T"},
    .attrs = {"T: numbertype", "N: int >= 1", "M: int >= 1", "K: int >= 1", "update: string",
              "flag: bool = false"},
    .shape = no_outputs,
    .cost = updates_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kFusedApply));

extern constexpr OpDecl kFusedResourceApply{
    .name = "_FusedResourceApply",
    .doc =
        "Takes the step of the optimizer's op `update` on several variables: `state` is each "
        "variable with its slots, `scalars` what they share.",
    .inputs = {"state: N * resource", "grads: M * T", "scalars: K * T"},
    .attrs = {"T: numbertype", "N: int >= 1", "M: int >= 1", "K: int >= 1", "update: string",
              "flag: bool = false"},
    .traits = kStateful,
    .shape = no_outputs,
    .cost = updates_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kFusedResourceApply));

}  // namespace rill
