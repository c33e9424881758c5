#include <algorithm>

#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"

namespace rill {

extern const OpDecl kUnaryOpsComposition;

namespace {

// One op of the chain: its own kernel, with its own state.
struct Stage {
  KernelNode node;
  const KernelEntry* kernel = nullptr;
  std::unique_ptr<KernelState> state;
};

struct CompositionState final : KernelState {
  std::vector<Stage> stages;
};

bool is_one_to_one(const Op& op) {
  return op.has(kElementwise) && op.inputs.size() == 1 && op.outputs.size() == 1 &&
         op.inputs[0].type_attr == "T" && op.outputs[0].type_attr == "T" && op.attrs.size() == 1;
}

Stage stage_of(const KernelNode& node, const std::string& name) {
  const Op* op = standard_ops().find(name);
  require(op != nullptr && is_one_to_one(*op),
          "Do not have a compute function registered for op: ", name);
  const DType type = base_type(node.input_type(0));
  Stage stage;
  stage.node = {node.name + "/" + name, op, {{"T", type}}, {type}, {type}, node.device};
  stage.kernel = &standard_kernels().choose(stage.node);
  require(stage.kernel->run != nullptr && !stage.kernel->allocates,
          "Do not have a compute function registered for op: ", name);
  if (stage.kernel->make_state != nullptr) stage.state = stage.kernel->make_state(stage.node);
  return stage;
}

std::unique_ptr<KernelState> make_composition_state(const KernelNode& node) {
  auto state = std::make_unique<CompositionState>();
  const auto& names = node.attr<std::vector<std::string>>("op_names");
  require(!names.empty(), "_UnaryOpsComposition names no ops");
  for (const std::string& name : names) state->stages.push_back(stage_of(node, name));
  return state;
}

// Every stage after the first works in place: its output may be its operand.
void run_composition(KernelCall& call) {
  Value x{call.input_tensor(0), nullptr}, y{call.output_tensor(0), nullptr};
  Value *const out = &y, *in = &x;
  for (const Stage& stage : call.state<CompositionState>().stages) {
    KernelCall inner(stage.node, stage.state.get(), {&in, 1}, {&out, 1}, call.step());
    stage.kernel->run(inner);
    in = &y;
  }
}

constexpr KernelEntry kEntries[] = {{.op = &kUnaryOpsComposition,
                                     .types = DType::f16 | DType::f32 | DType::f64,
                                     .run = run_composition,
                                     .make_state = make_composition_state}};

}  // namespace

extern const KernelTable kUnaryCompositionCpu{kEntries};

}  // namespace rill
