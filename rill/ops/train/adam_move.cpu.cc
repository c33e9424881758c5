#include <cmath>

#include "rill/kernel/kernel_registry.h"
#include "rill/kernel/variable.h"

#define HWY_TARGET_INCLUDE "rill/ops/train/adam_move.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

void move_row(float* x, const float* m, const float* v, float lr, float epsilon, std::size_t n) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) x[i] -= lr * m[i] / (std::sqrt(v[i]) + epsilon);
}

}  // namespace

auto adam_move_row() { return move_row; }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kAdamMove;

namespace {

HWY_EXPORT(adam_move_row);

void adam_move(KernelCall& call) {
  static const auto row = HWY_DYNAMIC_DISPATCH(adam_move_row)();
  const auto& variable = call.ref_input(0);
  const Tensor &m = call.input_tensor(1), &v = call.input_tensor(2);
  const float lr = call.input<float>(3)[0], epsilon = call.input<float>(4)[0];
  variable->update([&](Tensor& current) {
    require(current.shape() == m.shape() && current.shape() == v.shape(),
            "Parameters and update must be the same size: ", current.shape(), " and ", m.shape());
    call.parallel_for(static_cast<std::size_t>(current.element_count()), 0.7,
                      [&](std::size_t begin, std::size_t end) {
                        row(current.data<float>() + begin, m.data<float>() + begin,
                            v.data<float>() + begin, lr, epsilon, end - begin);
                      });
  });
  call.set_ref_output(0, variable);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kAdamMove, .types = DType::f32, .run = adam_move, .allocates = true}};

}  // namespace

extern const KernelTable kAdamMoveCpu{kEntries};

}  // namespace rill
#endif
