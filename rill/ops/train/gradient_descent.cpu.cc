#include "rill/kernel/kernel_registry.h"
#include "rill/ops/resource/variable_input.h"

namespace rill {

extern const OpDecl kApplyGradientDescent, kResourceApplyGradientDescent;

namespace {

// Half types round after each operation, as their arithmetic does everywhere.
template <class T>
T descended(T value, T alpha, T delta) {
  if constexpr (sizeof(T) == 2) {
    const T step(static_cast<float>(alpha) * static_cast<float>(delta));
    return T(static_cast<float>(value) - static_cast<float>(step));
  } else {
    return value - alpha * delta;
  }
}

template <class T>
void descend(const KernelCall& call, Variable& variable) {
  const Tensor &alpha = call.input_tensor(1), &delta = call.input_tensor(2);
  require(alpha.rank() == 0, "alpha is not a scalar: ", alpha.shape());
  variable.update([&](Tensor& current) {
    require(current.shape() == delta.shape(), "var and delta do not have the same shape",
            current.shape(), " ", delta.shape());
    T* value = current.data<T>();
    const T* step = delta.data<T>();
    const T rate = *alpha.data<T>();
    call.parallel_for(static_cast<std::size_t>(current.element_count()), 0.06 * sizeof(T),
                      [=](std::size_t begin, std::size_t end) {
                        for (std::size_t i = begin; i < end; ++i)
                          value[i] = descended(value[i], rate, step[i]);
                      });
  });
}

template <class T>
void apply_gradient_descent(KernelCall& call) {
  descend<T>(call, *call.ref_input(0));
  call.set_ref_output(0, call.ref_input(0));
}

template <class T>
void resource_apply_gradient_descent(KernelCall& call) {
  descend<T>(call, *variable_input(call, 0));
}

template <class T>
constexpr KernelEntry kByReference{.op = &kApplyGradientDescent,
                                   .types = dtype_of<T>,
                                   .run = apply_gradient_descent<T>,
                                   .allocates = true};
template <class T>
constexpr KernelEntry kByHandle{.op = &kResourceApplyGradientDescent,
                                .types = dtype_of<T>,
                                .run = resource_apply_gradient_descent<T>};

constexpr KernelEntry kEntries[] = {
    kByReference<float>, kByReference<double>, kByReference<half>, kByReference<bfloat16>,
    kByHandle<float>,    kByHandle<double>,    kByHandle<half>,    kByHandle<bfloat16>,
};

}  // namespace

extern const KernelTable kGradientDescentCpu{kEntries};

}  // namespace rill
