#include <future>
#include <optional>

#include "rill/graph/device_name.h"
#include "rill/kernel/remote_caller.h"
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

// Where the function is to run; null: here. Another device of this process computes the same.
std::optional<RemoteFunction> elsewhere(KernelCall& call) {
  const Tensor& target = call.input_tensor(0);
  require(target.rank() == 0, "target must be a scalar, not of shape ", target.shape());
  const DeviceName here = DeviceName::parse(call.device().name());
  const DeviceName there = DeviceName::parse(target.scalar_value<std::string>()).over(here);
  const bool is_here =
      there.job == here.job && there.replica == here.replica && there.task == here.task;
  if (is_here && there.type == here.type) return std::nullopt;
  const KernelNode& node = call.node();
  if (is_here) raise(Code::kUnimplemented, "RemoteCall to ", there, " from ", here);
  return RemoteFunction{.name = node.attr<FuncName>("f"),
                        .device = to_text(there),
                        .argument_types = {node.input_types.begin() + 1, node.input_types.end()},
                        .result_types = node.output_types};
}

void start_elsewhere(KernelCall& call, const RemoteFunction& function, Done done) {
  auto* const remotely = dynamic_cast<CallsRemotely*>(call.step().functions);
  RemoteCaller* const caller = remotely == nullptr ? nullptr : remotely->remote_caller();
  if (caller == nullptr)
    raise(Code::kUnimplemented, "RemoteCall to ", function.device, " from ", call.device().name(),
          ": this session has no other tasks");
  caller->call(function, call.step(), inputs_from(call, 1),
               [&call, done](std::exception_ptr error, std::vector<Tensor> results) {
                 if (!error)
                   for (std::size_t i = 0; i < results.size(); ++i)
                     call.set_output(static_cast<int>(i), std::move(results[i]));
                 done(error);
               });
}

void start_remote(KernelCall& call, Done done) {
  if (const auto function = elsewhere(call))
    return start_elsewhere(call, *function, std::move(done));
  start_through(call, called(call, 1), 1, std::move(done));
}

void run_remote(KernelCall& call) {
  const auto function = elsewhere(call);
  if (!function) return call_through(call, called(call, 1), 1);
  std::promise<void> ended;
  start_elsewhere(call, *function, [&ended](std::exception_ptr error) {
    if (error)
      ended.set_exception(error);
    else
      ended.set_value();
  });
  ended.get_future().get();
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
