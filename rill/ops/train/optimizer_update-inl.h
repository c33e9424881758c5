// Rules of optimizers and the loop around them, one copy per instruction set: include it after
// rill/ops/simd/each_target.h. A rule is a class template over a kind of number:
//
//   template <class N> struct Rule {
//     static constexpr int kSlots = 1;
//     explicit Rule(const UpdateData&);                       // reads the scalars
//     void operator()(N grad, N& var, N& slot) const;       // updates one element
//   };
//
// Rules compute in TensorFlow's order, so that the last bits agree.

#if defined(RILL_OPS_TRAIN_STEP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RILL_OPS_TRAIN_STEP_INL_H
#undef RILL_OPS_TRAIN_STEP_INL_H
#else
#define RILL_OPS_TRAIN_STEP_INL_H
#endif

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "rill/ops/train/optimizer_update.h"
#include "rill/tensor/narrow_float.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

using std::sqrt;

// A half or bfloat16 that is computed with as a float and rounded after each operation.
template <class T>
struct Rounded {
  float value = 0;
  explicit Rounded(T stored) : value(static_cast<float>(stored)) {}
  template <class F>
  requires std::is_arithmetic_v<F>
  explicit Rounded(F number) : Rounded(T(static_cast<float>(number))) {}
  explicit operator T() const { return T(value); }

  friend Rounded operator+(Rounded a, Rounded b) { return Rounded(a.value + b.value); }
  friend Rounded operator-(Rounded a, Rounded b) { return Rounded(a.value - b.value); }
  friend Rounded operator*(Rounded a, Rounded b) { return Rounded(a.value * b.value); }
  friend Rounded operator/(Rounded a, Rounded b) { return Rounded(a.value / b.value); }
  friend bool operator==(Rounded a, Rounded b) { return a.value == b.value; }
  friend bool operator<(Rounded a, Rounded b) { return a.value < b.value; }
  friend bool operator>(Rounded a, Rounded b) { return b < a; }
  friend Rounded sqrt(Rounded a) { return Rounded(std::sqrt(a.value)); }
};

template <class T>
using Number = std::conditional_t<kIsNarrowFloat<T>, Rounded<T>, T>;

template <class N>
N sign(N x) {
  return x > N(0) ? N(1) : x < N(0) ? N(-1) : x;
}
template <class N>
N magnitude(N x) {
  return x < N(0) ? N(0) - x : x;
}
template <class N>
N larger(N x, N y) {
  return x < y ? y : x;
}
template <class N>
N smaller(N x, N y) {
  return y < x ? y : x;
}
template <class N>
N raised(N x, N power) {
  if constexpr (std::is_arithmetic_v<N>) {
    return std::pow(x, power);
  } else {
    return N(std::pow(x.value, power.value));
  }
}
template <class N>
N exponential(N x) {
  if constexpr (std::is_arithmetic_v<N>) {
    return std::exp(x);
  } else {
    return N(std::exp(x.value));
  }
}

// What l1 and l2 penalties leave of a value after a step of size `rate`.
template <class N>
N drawn_to_zero(N value, N rate, N l1, N l2) {
  const N scale = N(1) + l2 * rate;
  if (l1 > N(0)) return sign(value) * larger(magnitude(value) - rate * l1, N(0)) / scale;
  return value / scale;
}

template <template <class> class Rule, class T>
void update_row(const UpdateData& data, std::size_t at, std::size_t grad_at, std::size_t n) {
  using N = Number<T>;
  constexpr int kSlots = Rule<N>::kSlots;
  const Rule<N> rule(data);
  const T* grad = static_cast<const T*>(data.grad) + grad_at;
  T* state[1 + kSlots];
  for (int s = 0; s <= kSlots; ++s) state[s] = static_cast<T*>(data.state[s]) + at;
    // No two arrays overlap: they belong to different variables.
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) {
    N var(state[0][i]);
    if constexpr (kSlots == 0) {
      rule(N(grad[i]), var);
    } else if constexpr (kSlots == 1) {
      N a(state[1][i]);
      rule(N(grad[i]), var, a);
      state[1][i] = T(a);
    } else if constexpr (kSlots == 2) {
      N a(state[1][i]), b(state[2][i]);
      rule(N(grad[i]), var, a, b);
      state[1][i] = T(a);
      state[2][i] = T(b);
    } else {
      N a(state[1][i]), b(state[2][i]), c(state[3][i]);
      rule(N(grad[i]), var, a, b, c);
      state[1][i] = T(a);
      state[2][i] = T(b);
      state[3][i] = T(c);
    }
    state[0][i] = T(var);
  }
}

template <template <class> class Rule>
UpdateFn pick_update(DType type) {
  switch (type) {
    case DType::f32:
      return update_row<Rule, float>;
    case DType::f64:
      return update_row<Rule, double>;
    case DType::f16:
      return update_row<Rule, half>;
    case DType::bf16:
      return update_row<Rule, bfloat16>;
    default:
      return nullptr;
  }
}

}  // namespace
}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
