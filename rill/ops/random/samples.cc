#include "rill/ops/random/samples.h"

#include <limits>

#include "rill/tensor/dtype_visit.h"
#include "rill/tensor/narrow_float.h"

namespace rill {
namespace {

template <class T>
inline constexpr bool kIsSampled = kFloatTypes.contains(dtype_of<T>) || dtype_of<T> == DType::i32
                                   || dtype_of<T> == DType::i64;

[[noreturn]] void no_samples(DType dtype) {
  raise(Code::kUnimplemented, "no samples of type ", dtype);
}

// Numbers beyond an integer type become its smallest, as the processor has it.
template <class T>
T rounded(double x) {
  if constexpr (std::is_integral_v<T>) {
    const double limit = -static_cast<double>(std::numeric_limits<T>::min());
    return x >= -limit && x < limit ? static_cast<T>(x) : std::numeric_limits<T>::min();
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(x);
  } else {
    return T(static_cast<float>(x));
  }
}

}  // namespace

std::vector<double> as_doubles(const Tensor& t) {
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(t.element_count()));
  visit_dtype(t.dtype(), [&]<class T>() {
    if constexpr (kIsSampled<T>)
      for (const T x : t.flat<T>()) result.push_back(static_cast<double>(widened(x)));
    else
      no_samples(t.dtype());
  });
  return result;
}

void fill_samples(const KernelCall& call, std::size_t parameter_count, double cost,
                  FunctionRef<double(std::size_t, std::size_t)> draw, const Tensor& out) {
  const auto total = static_cast<std::size_t>(out.element_count());
  if (total == 0) return;
  const std::size_t samples = total / parameter_count;
  visit_dtype(out.dtype(), [&]<class T>() {
    if constexpr (kIsSampled<T>) {
      const auto values = out.flat<T>();
      call.parallel_for(total, cost, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const std::size_t parameter = i / samples;
          values[i % samples * parameter_count + parameter] = rounded<T>(draw(parameter, i));
        }
      });
    } else {
      no_samples(out.dtype());
    }
  });
}

}  // namespace rill
