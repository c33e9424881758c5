#include "rill/ops/queue/accumulator.h"

#include "rill/ops/data_flow/add_to.h"
#include "rill/ops/queue/type_list.h"
#include "rill/ops/resource/shared_handle.h"
#include "rill/ops/update/variable_input.h"

namespace rill {

extern const OpDecl kConditionalAccumulator, kAccumulatorApplyGradient, kAccumulatorTakeGradient,
    kAccumulatorSetGlobalStep, kAccumulatorNumAccumulated;
extern const OpDecl kResourceConditionalAccumulator, kResourceAccumulatorApplyGradient,
    kResourceAccumulatorTakeGradient, kResourceAccumulatorSetGlobalStep,
    kResourceAccumulatorNumAccumulated;

namespace {

class TakeDense final : public TakeGradient {
 public:
  using TakeGradient::TakeGradient;
  Tensor sum;
  std::int64_t divisor = 1;

 private:
  void deliver(KernelCall& call) override {
    call.set_output(0, divisor == 1 ? sum : divided(sum, {{divisor}}));
  }
};

class DenseAccumulator final : public Accumulator {
 public:
  using Accumulator::Accumulator;

  void add(std::int64_t local_step, const Tensor& gradient) {
    apply(local_step, [&] {
      const PartialShape wanted = count_ > 0 ? PartialShape(sum_.shape()) : options_.shape;
      require(wanted.accepts(gradient.shape()), "Shape mismatch: expected ", wanted, ", got ",
              gradient.shape());
      if (count_ == 0)
        sum_ = kept(gradient);
      else
        add_to(sum_, gradient);
    });
  }

  std::int64_t memory_bytes() const override {
    const std::lock_guard lock(mutex_);
    return static_cast<std::int64_t>(sum_.byte_size());
  }

 private:
  void hand_over(TakeGradient& taker, std::int64_t count) override {
    auto& dense = static_cast<TakeDense&>(taker);
    dense.sum = std::move(sum_);
    dense.divisor = options_.averages ? count : 1;
  }

  Tensor sum_;
};

void make_accumulator(KernelCall& call) {
  const KernelNode& node = call.node();
  auto& handle = call.state<SharedHandle>();
  const Accumulator::Options options{
      .name = handle.name(),
      .dtype = node.attr<DType>("dtype"),
      .shape = node.attr<PartialShape>("shape"),
      .averages = node.attr<std::string>("reduction_type") == "MEAN"};
  handle.set_output(
      call, Accumulator::kTypeName, [&] { return std::make_shared<DenseAccumulator>(options); },
      [](const Resource&) {});
}

std::shared_ptr<DenseAccumulator> dense_input(const KernelCall& call) {
  auto found = std::dynamic_pointer_cast<DenseAccumulator>(shared_input_as<Accumulator>(call));
  require(found != nullptr, "input 0 of ", call.node().op->name,
          " is not an accumulator of dense gradients");
  return found;
}

void apply_gradient(KernelCall& call) {
  const auto accumulator = dense_input(call);
  const DType types[] = {DType::i64, accumulator->options().dtype};
  check_signature(call.node(), types, {});
  accumulator->add(int_scalar(call, 1), call.input_tensor(2));
}

void take_gradient(KernelCall& call, Done done) {
  const auto accumulator = dense_input(call);
  const DType count[] = {DType::i32}, types[] = {accumulator->options().dtype};
  check_signature(call.node(), count, types);
  const std::int64_t required = int_scalar(call, 1);
  require(required > 0, "Argument num_required must be positive, but was ", required);
  accumulator->take(std::make_shared<TakeDense>(call, std::move(done), required));
}

void set_global_step(KernelCall& call) {
  shared_input_as<Accumulator>(call)->set_step(int_scalar(call, 1));
}

void num_accumulated(KernelCall& call) {
  const auto count = static_cast<std::int32_t>(shared_input_as<Accumulator>(call)->count());
  call.set_output(0, Tensor::scalar(count));
}

constexpr KernelEntry makes(const OpDecl& op) {
  return {.op = &op,
          .types = kAccumulatedTypes,
          .run = make_accumulator,
          .make_state = SharedHandle::make,
          .allocates = true,
          .expensive = false};
}
constexpr KernelEntry runs(const OpDecl& op, KernelFn run) {
  return {.op = &op, .run = run, .allocates = true, .expensive = false};
}
constexpr KernelEntry waits(const OpDecl& op, AsyncKernelFn run) {
  return {.op = &op, .run_async = run, .allocates = true, .expensive = false};
}

constexpr KernelEntry kEntries[] = {
    makes(kConditionalAccumulator),
    makes(kResourceConditionalAccumulator),
    runs(kAccumulatorApplyGradient, apply_gradient),
    runs(kResourceAccumulatorApplyGradient, apply_gradient),
    waits(kAccumulatorTakeGradient, take_gradient),
    waits(kResourceAccumulatorTakeGradient, take_gradient),
    runs(kAccumulatorSetGlobalStep, set_global_step),
    runs(kResourceAccumulatorSetGlobalStep, set_global_step),
    runs(kAccumulatorNumAccumulated, num_accumulated),
    runs(kResourceAccumulatorNumAccumulated, num_accumulated),
};

}  // namespace

extern const KernelTable kAccumulatorCpu{kEntries};

}  // namespace rill
