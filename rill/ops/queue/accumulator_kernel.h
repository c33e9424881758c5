#pragma once

#include "rill/ops/queue/accumulator.h"
#include "rill/ops/resource/shared_handle.h"

namespace rill {

// Makes an A, a kind of Accumulator, or finds the one that is shared.
template <class A>
void make_accumulator(KernelCall& call) {
  const KernelNode& node = call.node();
  auto& handle = call.state<SharedHandle>();
  const Accumulator::Options options{
      .name = handle.name(),
      .dtype = node.attr<DType>("dtype"),
      .shape = node.attr<PartialShape>("shape"),
      .averages = node.attr<std::string>("reduction_type") == "MEAN"};
  handle.set_output(
      call, Accumulator::kTypeName, [&] { return std::make_shared<A>(options); },
      [](const Resource&) {});
}

template <class A>
constexpr KernelEntry accumulator_kernel(const OpDecl& op) {
  KernelEntry entry = shared_handle_kernel(op, make_accumulator<A>);
  entry.types = kAccumulatedTypes;
  return entry;
}

// How many gradients an op that takes their sum asks for; throws InvalidArgument unless positive.
inline std::int64_t required_count(const KernelCall& call) {
  const std::int64_t required = int_scalar(call, 1);
  require(required > 0, "Argument num_required must be positive, but was ", required);
  return required;
}

}  // namespace rill
