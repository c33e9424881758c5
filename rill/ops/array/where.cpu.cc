#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/element_types.h"

namespace rill {

extern const OpDecl kWhere;

namespace {

// An element is zero when the bits under `mask` are: all of them, or all but the sign of a float.
template <class T>
T zero_mask(DType dtype) {
  switch (dtype) {
    case DType::f16:
    case DType::bf16:
      return static_cast<T>(0x7fff);
    case DType::f32:
      return static_cast<T>(0x7fffffff);
    case DType::f64:
      return static_cast<T>(0x7fffffffffffffff);
    case DType::c64:
      return static_cast<T>(0x7fffffff7fffffff);
    default:
      return static_cast<T>(~std::uint64_t{0});
  }
}

template <class T>
bool is_set(T bits, T mask) {
  return (bits & mask) != 0;
}
bool is_set(const Bytes16& bits, std::uint64_t mask) {
  return ((bits.low | bits.high) & mask) != 0;
}

void write_places(const Tensor& input, const std::vector<std::int64_t>& found, std::int64_t* out) {
  for (std::int64_t place : found) {
    out += input.rank();
    for (int d = input.rank() - 1; d >= 0; --d) {
      *--out = place % input.dim(d);
      place /= input.dim(d);
    }
    out += input.rank();
  }
}

void where(KernelCall& call) {
  const Tensor& input = call.input_tensor(0);
  require(input.rank() >= 1 && input.rank() <= 8,
          "WhereOp : Unhandled input dimensions: ", input.rank());
  std::vector<std::int64_t> found;
  with_element_type(input.dtype(), [&]<class T>(T*) {
    if constexpr (std::is_same_v<T, Bytes16> || std::is_integral_v<T>) {
      using Mask = std::conditional_t<std::is_integral_v<T>, T, std::uint64_t>;
      const auto mask =
          sizeof(T) == 16 ? static_cast<Mask>(0x7fffffffffffffff) : zero_mask<Mask>(input.dtype());
      const T* src = static_cast<const T*>(input.raw_data());
      for (std::int64_t i = 0; i < input.element_count(); ++i)
        if (is_set(src[i], mask)) found.push_back(i);
    }
  });
  const Tensor& out =
      call.allocate_output(0, {static_cast<std::int64_t>(found.size()), input.rank()});
  write_places(input, found, out.data<std::int64_t>());
}

constexpr KernelEntry kEntries[] = {
    {.op = &kWhere, .types = kNumberTypes | DType::boolean, .run = where, .allocates = true}};

}  // namespace

extern const KernelTable kWhereCpu{kEntries};

}  // namespace rill
