#include "rill/ops/queue/accumulator.h"

#include "rill/ops/array/values/index_values.h"
#include "rill/tensor/half.h"

namespace rill {
namespace {

template <class T>
void divide_rows(const Tensor& rows, std::span<const std::int64_t> counts, Tensor& result) {
  const auto from = rows.flat<T>();
  const auto to = result.flat<T>();
  const std::size_t width = from.size() / counts.size();
  for (std::size_t i = 0; i < from.size(); ++i)
    to[i] = static_cast<T>(from[i] / static_cast<T>(static_cast<float>(counts[i / width])));
}

template <>
void divide_rows<half>(const Tensor& rows, std::span<const std::int64_t> counts, Tensor& result) {
  const auto from = rows.flat<half>();
  const auto to = result.flat<half>();
  const std::size_t width = from.size() / counts.size();
  for (std::size_t i = 0; i < from.size(); ++i) {
    const half count(static_cast<float>(counts[i / width]));
    to[i] = half(static_cast<float>(from[i]) / static_cast<float>(count));
  }
}

}  // namespace

void Accumulator::take(const std::shared_ptr<TakeGradient>& taker) {
  wait(taker, [&] { takers_.push_back(taker); });
}

void Accumulator::set_step(std::int64_t step) {
  const std::lock_guard lock(mutex_);
  step_ = step;
}

std::int64_t Accumulator::count() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

void Accumulator::apply(std::int64_t local_step, FunctionRef<void()> add) {
  change([&] {
    if (local_step < step_) return;
    add();
    ++count_;
  });
}

void Accumulator::serve() {
  while (!takers_.empty() && count_ >= takers_.front()->required) {
    const auto taker = takers_.front();
    takers_.pop_front();
    hand_over(*taker, std::exchange(count_, 0));
    ++step_;
    end(taker);
  }
}

void Accumulator::leave(Waiter& waiter) {
  std::erase_if(takers_, [&](const auto& taker) { return taker.get() == &waiter; });
}

std::int64_t int_scalar(const KernelCall& call, int i) {
  const Tensor& value = call.input_tensor(i);
  require(value.rank() == 0, "Argument ", call.node().op->inputs[static_cast<std::size_t>(i)].name,
          " must be scalar, but had bad shape ", value.shape());
  return int_at(value, 0);
}

Tensor divided(const Tensor& rows, std::span<const std::int64_t> counts) {
  Tensor result(rows.dtype(), rows.shape());
  if (rows.element_count() == 0) return result;
  switch (rows.dtype()) {
    case DType::f16:
      divide_rows<half>(rows, counts, result);
      break;
    case DType::f32:
      divide_rows<float>(rows, counts, result);
      break;
    case DType::f64:
      divide_rows<double>(rows, counts, result);
      break;
    default:
      raise(Code::kUnimplemented, "accumulator of ", rows.dtype());
  }
  return result;
}

}  // namespace rill
