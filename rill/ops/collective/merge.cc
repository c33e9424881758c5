#include "rill/ops/collective/merge.h"

#include <algorithm>

#include "rill/base/error.h"
#include "rill/tensor/half.h"

namespace rill {
namespace {

// What arithmetic is done in: that of half numbers rounds after each operation.
template <class T>
using Arithmetic = std::conditional_t<std::is_same_v<T, half>, float, T>;

template <class A>
A merge_two(MergeOp op, A a, A b) {
  switch (op) {
    case MergeOp::kAdd:
      if constexpr (std::is_integral_v<A>) {  // wraps around, as everywhere
        using Unsigned = std::make_unsigned_t<A>;
        return static_cast<A>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
      } else {
        return a + b;
      }
    case MergeOp::kMul:
      if constexpr (std::is_integral_v<A>) {
        using Unsigned = std::make_unsigned_t<A>;
        return static_cast<A>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
      } else {
        return a * b;
      }
    case MergeOp::kMin:
      return b < a ? b : a;
    case MergeOp::kMax:
      return a < b ? b : a;
  }
  return a;
}

template <class T>
void merge_into(MergeOp op, Tensor& out, const Tensor& value) {
  T* const to = out.data<T>();
  const T* const from = value.data<T>();
  const auto count = static_cast<std::size_t>(out.element_count());
  using A = Arithmetic<T>;
  if (op == MergeOp::kAdd && std::is_floating_point_v<T>) {
    for (std::size_t i = 0; i < count; ++i)
      to[i] = static_cast<T>(static_cast<A>(to[i]) + static_cast<A>(from[i]));
    return;
  }
  for (std::size_t i = 0; i < count; ++i)
    to[i] = static_cast<T>(merge_two<A>(op, static_cast<A>(to[i]), static_cast<A>(from[i])));
}

template <class T>
void divide(Tensor& out, int divisor) {
  using A = Arithmetic<T>;
  const auto by = static_cast<A>(divisor);
  for (T& x : out.flat<T>()) x = static_cast<T>(static_cast<A>(x) / by);
}

template <class T>
Tensor merged_of(MergeOp op, const std::vector<Tensor>& values, int divisor) {
  Tensor out(values.front().dtype(), values.front().shape());
  copy_elements(out.dtype(), out.raw_data(), values.front().raw_data(),
                static_cast<std::size_t>(out.element_count()));
  for (std::size_t i = 1; i < values.size(); ++i) merge_into<T>(op, out, values[i]);
  if (divisor > 1) divide<T>(out, divisor);
  return out;
}

}  // namespace

MergeOp merge_op(const std::string& name) {
  if (name == "Add") return MergeOp::kAdd;
  if (name == "Mul") return MergeOp::kMul;
  if (name == "Min") return MergeOp::kMin;
  if (name == "Max") return MergeOp::kMax;
  raise(Code::kInvalidArgument,
        "merge_op must be one of {\"Min\", \"Max\", \"Mul\", \"Add\"}, not ", name);
}

Tensor merged(MergeOp op, const std::vector<Tensor>& values, int divisor) {
  const Tensor& first = values.at(0);
  for (const Tensor& value : values)
    require(value.dtype() == first.dtype() && value.element_count() == first.element_count(),
            "Shape mismatch in a collective instance: one member has ", first.dtype(),
            first.shape(), ", another one ", value.dtype(), value.shape());
  switch (first.dtype()) {
    case DType::f32:
      return merged_of<float>(op, values, divisor);
    case DType::f64:
      return merged_of<double>(op, values, divisor);
    case DType::f16:
      return merged_of<half>(op, values, divisor);
    case DType::i32:
      return merged_of<std::int32_t>(op, values, divisor);
    case DType::i64:
      return merged_of<std::int64_t>(op, values, divisor);
    default:
      raise(Code::kInvalidArgument, "Collective ops have no kernels for ", first.dtype());
  }
}

}  // namespace rill
