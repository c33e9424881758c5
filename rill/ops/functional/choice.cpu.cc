#include "rill/ops/functional/bound.h"

namespace rill {

extern const OpDecl kIfOp, kStatelessIf, kInternalIf, kCase, kStatelessCase;

namespace {

BoundFunction& branch(KernelCall& call, int which) {
  const KernelNode& node = call.node();
  return call.state<CalledFunctions>().get(
      which, call.step(), std::span(node.input_types).subspan(1), node.output_types);
}

BoundFunction& branch_of_if(KernelCall& call) {
  return branch(call, is_true(call.input_tensor(0)) ? 0 : 1);
}

BoundFunction& branch_of_case(KernelCall& call) {
  const Tensor& index = call.input_tensor(0);
  require(index.rank() == 0, "branch_index must be scalar, but has shape ", index.shape());
  const std::int32_t given = index.scalar_value<std::int32_t>();
  const int count = call.state<CalledFunctions>().count();
  return branch(call, given < 0 || given >= count ? count - 1 : given);
}

void run_if(KernelCall& call) { call_through(call, branch_of_if(call), 1); }
void start_if(KernelCall& call, Done done) {
  start_through(call, branch_of_if(call), 1, std::move(done));
}
void run_case(KernelCall& call) { call_through(call, branch_of_case(call), 1); }
void start_case(KernelCall& call, Done done) {
  start_through(call, branch_of_case(call), 1, std::move(done));
}

std::unique_ptr<KernelState> calls_branches_of_if(const KernelNode& node) {
  return std::make_unique<CalledFunctions>(
      node, std::vector<FuncName>{node.attr<FuncName>("then_branch"),
                                  node.attr<FuncName>("else_branch")});
}
std::unique_ptr<KernelState> calls_branches_of_case(const KernelNode& node) {
  return std::make_unique<CalledFunctions>(node, node.attr<std::vector<FuncName>>("branches"));
}

constexpr KernelEntry if_kernel(const OpDecl& op) {
  return {.op = &op,
          .run = run_if,
          .run_async = start_if,
          .make_state = calls_branches_of_if,
          .allocates = true,
          .host_memory = "cond",
          .any_device = true};
}
constexpr KernelEntry case_kernel(const OpDecl& op) {
  return {.op = &op,
          .run = run_case,
          .run_async = start_case,
          .make_state = calls_branches_of_case,
          .allocates = true,
          .host_memory = "branch_index",
          .any_device = true};
}

constexpr KernelEntry kEntries[] = {
    if_kernel(kIfOp),   if_kernel(kStatelessIf),     if_kernel(kInternalIf),
    case_kernel(kCase), case_kernel(kStatelessCase),
};

}  // namespace

extern const KernelTable kChoiceCpu{kEntries};

}  // namespace rill
