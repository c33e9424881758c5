#pragma once

#include <deque>

#include "rill/ops/queue/element_store.h"
#include "rill/ops/queue/waiter.h"

namespace rill {

inline constexpr TypeSet kAccumulatedTypes = TypeSet(DType::f16) | DType::f32 | DType::f64;

// Wants the sum or the average once enough gradients have come.
class TakeGradient : public Waiter {
 public:
  TakeGradient(KernelCall& call, Done done, std::int64_t required)
      : Waiter(call, std::move(done)), required(required) {}
  const char* cancelled_text() const override { return "TakeGrad operation was cancelled"; }

  const std::int64_t required;
};

// Collects gradients that several workers compute for the same step. One that was computed from
// values older than the accumulator's step is dropped; taking the result begins a new step. Takers
// are served in the order in which they came.
class Accumulator : public Resource, public WaitingRoom {
 public:
  static constexpr const char* kTypeName = "tensorflow::ConditionalAccumulatorBase";
  struct Options {
    std::string name;
    DType dtype = DType::f32;
    PartialShape shape;
    bool averages = true;  // else it sums
  };
  explicit Accumulator(Options options) : options_(std::move(options)) {}

  const Options& options() const { return options_; }
  void take(const std::shared_ptr<TakeGradient>& taker);
  void set_step(std::int64_t step);
  std::int64_t count() const;

  std::string describe() const override { return "accumulator " + options_.name; }

 protected:
  // Runs `add` under the lock, unless the gradient is stale, and counts it.
  void apply(std::int64_t local_step, FunctionRef<void()> add);
  // Hands what was collected over to `taker` and forgets it; with the lock held.
  virtual void hand_over(TakeGradient& taker, std::int64_t count) = 0;

  const Options options_;
  std::int64_t count_ = 0;

 private:
  void serve() override;
  void leave(Waiter& waiter) override;

  std::int64_t step_ = 0;
  std::deque<std::shared_ptr<TakeGradient>> takers_;
};

// The scalar on input i, as local steps and counts are given.
std::int64_t int_scalar(const KernelCall& call, int i);

// Divides every row of `rows` by its number in `counts`; with one number, everything by that one.
Tensor divided(const Tensor& rows, std::span<const std::int64_t> counts);

}  // namespace rill
