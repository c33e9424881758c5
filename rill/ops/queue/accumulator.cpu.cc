#include "rill/kernel/kernel_entries.h"
#include "rill/ops/data_flow/add_to.h"
#include "rill/ops/queue/accumulator_kernel.h"
#include "rill/ops/queue/type_list.h"
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

std::shared_ptr<DenseAccumulator> dense_input(const KernelCall& call) {
  auto found = std::dynamic_pointer_cast<DenseAccumulator>(shared_input_as<Accumulator>(call));
  require(found != nullptr, "input 0 of ", call.node().op->name,
          " is not an accumulator of dense gradients");
  return found;
}

void apply_dense_gradient(KernelCall& call) {
  const auto accumulator = dense_input(call);
  const DType types[] = {DType::i64, accumulator->options().dtype};
  check_signature(call.node(), types, {});
  accumulator->add(int_scalar(call, 1), call.input_tensor(2));
}

void take_dense_gradient(KernelCall& call, Done done) {
  const auto accumulator = dense_input(call);
  const DType count[] = {DType::i32}, types[] = {accumulator->options().dtype};
  check_signature(call.node(), count, types);
  const std::int64_t required = required_count(call);
  accumulator->take(std::make_shared<TakeDense>(call, std::move(done), required));
}

void set_global_step(KernelCall& call) {
  shared_input_as<Accumulator>(call)->set_step(int_scalar(call, 1));
}

void num_accumulated(KernelCall& call) {
  const auto count = static_cast<std::int32_t>(shared_input_as<Accumulator>(call)->count());
  call.set_output(0, Tensor::scalar(count));
}

constexpr KernelEntry kEntries[] = {
    accumulator_kernel<DenseAccumulator>(kConditionalAccumulator),
    accumulator_kernel<DenseAccumulator>(kResourceConditionalAccumulator),
    quick_kernel(kAccumulatorApplyGradient, apply_dense_gradient),
    quick_kernel(kResourceAccumulatorApplyGradient, apply_dense_gradient),
    quick_kernel(kAccumulatorTakeGradient, take_dense_gradient),
    quick_kernel(kResourceAccumulatorTakeGradient, take_dense_gradient),
    quick_kernel(kAccumulatorSetGlobalStep, set_global_step),
    quick_kernel(kResourceAccumulatorSetGlobalStep, set_global_step),
    quick_kernel(kAccumulatorNumAccumulated, num_accumulated),
    quick_kernel(kResourceAccumulatorNumAccumulated, num_accumulated),
};

}  // namespace

extern const KernelTable kAccumulatorCpu{kEntries};

}  // namespace rill
