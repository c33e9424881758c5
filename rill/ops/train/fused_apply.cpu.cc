#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"
#include "rill/ops/train/optimizer_update.h"

namespace rill {

extern const OpDecl kFusedApply, kFusedResourceApply;

namespace {

// The kernel of the op whose steps are taken, and where each finds its inputs.
struct FusedUpdates final : KernelState {
  KernelNode node;
  std::unique_ptr<KernelState> step;
  std::vector<UpdateInputs> steps;
};

AttrMap update_attrs(const KernelNode& node, const Op& op) {
  AttrMap attrs{{"T", node.attr<DType>("T")}, {"use_locking", true}};
  const std::string_view flag = update_flag(op);
  if (!flag.empty()) attrs.emplace(flag, node.attr<bool>("flag"));
  return attrs;
}

std::unique_ptr<KernelState> make_state(const KernelNode& node) {
  const auto& name = node.attr<std::string>("update");
  const Op* op = standard_ops().find(name);
  require(op != nullptr, "there is no op ", name);
  const UpdateArgs args = update_args(*op);
  const auto states = node.attr<std::int64_t>("N"), grads = node.attr<std::int64_t>("M");
  require(args.grad >= 0 && args.indices < 0 && states == grads * args.states &&
              node.attr<std::int64_t>("K") == static_cast<std::int64_t>(args.scalars.size()),
          "the inputs do not fit ", grads, " steps of ", name);
  auto state = std::make_unique<FusedUpdates>();
  state->node = {
      .name = node.name, .op = op, .attrs = update_attrs(node, *op), .device = node.device};
  for (int i = 0; i < static_cast<int>(op->inputs.size()); ++i)
    state->node.input_types.push_back(i < args.states ? node.input_type(0) : node.attr<DType>("T"));
  const KernelEntry& kernel = standard_kernels().choose(state->node);
  require(kernel.run == run_update_kernel, name, " takes no step of an optimizer");
  state->step = kernel.make_state(state->node);
  for (int i = 0; i < static_cast<int>(grads); ++i)
    state->steps.push_back({.state = i * args.states,
                            .grad = static_cast<int>(states) + i,
                            .scalars = static_cast<int>(states + grads)});
  return state;
}

void fused_apply(KernelCall& call) {
  const FusedUpdates& state = call.state<FusedUpdates>();
  double elements = 0;
  for (const UpdateInputs& step : state.steps)
    elements += static_cast<double>(call.input_tensor(step.grad).element_count());
  const double cost = 50 + elements / static_cast<double>(state.steps.size());
  call.parallel_for(state.steps.size(), cost, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      apply_update(call, static_cast<const UpdateState&>(*state.step), *state.node.op,
                   state.steps[i]);
  });
}

constexpr KernelEntry entry(const OpDecl* op) {
  return {.op = op,
          .types = kFloatTypes,
          .run = fused_apply,
          .make_state = make_state,
          .allocates = true};
}
constexpr KernelEntry kEntries[] = {entry(&kFusedApply), entry(&kFusedResourceApply)};

}  // namespace

extern const KernelTable kFusedApplyCpu{kEntries};

}  // namespace rill
