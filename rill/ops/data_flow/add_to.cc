#include "rill/ops/data_flow/add_to.h"

#include "rill/ops/math/rows/numeric.h"
#include "rill/tensor/dtype_visit.h"
#include "rill/tensor/narrow_float.h"

namespace rill {
namespace {

template <class T>
inline constexpr bool kAddable =
    kIsInteger<T> || kIsComplex<T> || std::is_floating_point_v<T> || kIsNarrowFloat<T>;

template <class T>
T add(T a, T b) {
  return static_cast<T>(wrapping_add<Widened<T>>(widened(a), widened(b)));
}

}  // namespace

void check_addable(DType dtype, const char* what) {
  const bool addable = visit_dtype(dtype, []<class T>() { return kAddable<T>; });
  require(addable, "tensor_array::", what, " type not supported: ", dtype);
}

void add_to(Tensor& sum, const Tensor& value) {
  check_addable(sum.dtype(), "AddToTensor");
  Tensor result = sum.is_exclusive() ? sum : Tensor(sum.dtype(), sum.shape());
  visit_dtype(sum.dtype(), [&]<class T>() {
    if constexpr (kAddable<T>) {
      const auto a = sum.flat<T>(), b = value.flat<T>(), out = result.flat<T>();
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = add(a[i], b[i]);
    }
  });
  sum = std::move(result);
}

}  // namespace rill
