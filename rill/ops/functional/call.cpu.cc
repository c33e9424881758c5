#include "rill/graph/device_name.h"
#include "rill/ops/functional/bound.h"

namespace rill {

extern const OpDecl kPartitionedCall, kStatefulPartitionedCall, kRemoteCall, kSymbolicGradient;

namespace {

BoundFunction& called(KernelCall& call, int first) {
  const KernelNode& node = call.node();
  return call.state<CalledFunctions>().get(
      0, call.step(), std::span(node.input_types).subspan(static_cast<std::size_t>(first)),
      node.output_types);
}

void run_call(KernelCall& call) { call_through(call, called(call, 0), 0); }
void start_call(KernelCall& call, Done done) {
  start_through(call, called(call, 0), 0, std::move(done));
}

// Another device of this process computes the same; another process would have to be asked.
void check_target(KernelCall& call) {
  const Tensor& target = call.input_tensor(0);
  require(target.rank() == 0, "target must be a scalar, not of shape ", target.shape());
  const DeviceName here = DeviceName::parse(call.device().name());
  const DeviceName there = DeviceName::parse(target.scalar_value<std::string>()).over(here);
  if (there.job != here.job || there.replica != here.replica || there.task != here.task ||
      there.type != here.type)
    raise(Code::kUnimplemented, "RemoteCall to ", there, " from ", here);
}

void run_remote(KernelCall& call) {
  check_target(call);
  call_through(call, called(call, 1), 1);
}
void start_remote(KernelCall& call, Done done) {
  check_target(call);
  start_through(call, called(call, 1), 1, std::move(done));
}

std::unique_ptr<KernelState> calls_gradient(const KernelNode& node) {
  FuncName gradient{.name = "SymbolicGradient"};
  gradient.attrs.emplace("f", node.attr<FuncName>("f"));
  return std::make_unique<CalledFunctions>(node, std::vector<FuncName>{std::move(gradient)});
}

constexpr KernelEntry kEntries[] = {
    {.op = &kPartitionedCall,
     .run = run_call,
     .run_async = start_call,
     .make_state = calls_f,
     .allocates = true,
     .any_device = true},
    {.op = &kStatefulPartitionedCall,
     .run = run_call,
     .run_async = start_call,
     .make_state = calls_f,
     .allocates = true,
     .any_device = true},
    {.op = &kRemoteCall,
     .run = run_remote,
     .run_async = start_remote,
     .make_state = calls_f,
     .allocates = true},
    {.op = &kSymbolicGradient,
     .run = run_call,
     .run_async = start_call,
     .make_state = calls_gradient,
     .allocates = true,
     .any_device = true},
};

}  // namespace

extern const KernelTable kCallCpu{kEntries};

}  // namespace rill
