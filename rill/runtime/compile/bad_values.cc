#include "rill/runtime/compile/bad_values.h"

#include <cmath>
#include <limits>

#include "rill/ops/simd/largest_bits.h"
#include "rill/tensor/dtype_visit.h"

namespace rill {
namespace {

template <class Bits>
Finiteness judged(const Tensor& tensor, Bits infinity) {
  const std::size_t count = tensor.byte_size() / sizeof(Bits);
  const Bits most = largest_bits(static_cast<const Bits*>(tensor.raw_data()), count);
  return most > infinity    ? Finiteness::nan
         : most == infinity ? Finiteness::infinite
                            : Finiteness::finite;
}

void add(double x, ValueSummary* summary, std::int64_t* finite) {
  if (std::isnan(x)) return void(++summary->nans);
  if (std::isinf(x)) return void(++summary->infinities);
  summary->min = *finite == 0 ? x : std::min(summary->min, x);
  summary->max = *finite == 0 ? x : std::max(summary->max, x);
  summary->mean += (x - summary->mean) / static_cast<double>(++*finite);
}

std::string kinds_text(const ValueSummary& value) {
  const auto finite = value.elements - value.nans - value.infinities;
  std::string text = str_cat(value.nans, " NaN and ", value.infinities, " infinite of ",
                             value.elements, value.elements == 1 ? " element" : " elements");
  if (finite > 0)
    text += str_cat(finite == value.elements ? ", from " : ", the others from ", value.min, " to ",
                    value.max, ", mean ", value.mean);
  return text;
}

std::string to_text(const ValueSummary& value) {
  std::vector<std::string> dims;
  for (const std::int64_t dim : value.shape) dims.push_back(str_cat(dim));
  return str_cat("'", value.name, "', ", value.dtype, "[", join(dims, ","),
                 "]: ", kinds_text(value));
}

std::string place(const NanOrigin& origin) {
  return origin.line.empty() ? "" : str_cat(", made at ", origin.line);
}

}  // namespace

Finiteness finiteness(const Tensor& tensor) {
  if (!tensor.has_value() || tensor.memory_kind() != MemoryKind::host || tensor.byte_size() == 0)
    return Finiteness::finite;
  switch (tensor.dtype()) {
    case DType::f32:
    case DType::c64:
      return judged<std::uint32_t>(tensor, 0x7f800000u);
    case DType::f64:
    case DType::c128:
      return judged<std::uint64_t>(tensor, 0x7ff0000000000000u);
    case DType::f16:
      return judged<std::uint16_t>(tensor, 0x7c00);
    case DType::bf16:
      return judged<std::uint16_t>(tensor, 0x7f80);
    default:
      return Finiteness::finite;
  }
}

ValueSummary summarise(std::string name, const Tensor& tensor) {
  ValueSummary summary{.name = std::move(name), .dtype = tensor.dtype(), .shape = {}};
  if (!tensor.has_value()) return summary;
  const auto dims = tensor.shape().dims();
  summary.shape.assign(dims.begin(), dims.end());
  summary.elements = tensor.element_count();
  if (tensor.memory_kind() != MemoryKind::host) return summary;
  std::int64_t finite = 0;
  visit_dtype(tensor.dtype(), [&]<class T>() {
    constexpr bool kIsShort = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
    using Wide = std::conditional_t<kIsShort, float, T>;
    if constexpr (std::is_convertible_v<T, double> || kIsShort)
      for (const T& x : tensor.flat<T>())
        add(static_cast<double>(static_cast<Wide>(x)), &summary, &finite);
    else if constexpr (std::is_same_v<T, std::complex<float>> ||
                       std::is_same_v<T, std::complex<double>>)
      for (const T& x : tensor.flat<T>())
        add(std::isnan(x.imag()) ? x.imag() : std::abs(x), &summary, &finite);
  });
  return summary;
}

std::string to_text(const NanOrigin& origin) {
  const char* const what = origin.is_nan ? "NaN" : "infinity";
  std::string text;
  if (!origin.variable.empty()) {
    text = str_cat("variable '", origin.variable, "' held the first ", what,
                   " of this step when it was read by '", origin.node, "'", place(origin));
    for (const std::string& writer : origin.writers) text += "\n  it is written by " + writer;
  } else if (origin.op.empty()) {
    text = str_cat("'", origin.node, "' was fed the first ", what, " of this step");
  } else {
    text = str_cat("'", origin.node, "' (", origin.op, ") made the first ", what, " of this step",
                   place(origin));
  }
  if (!origin.forward.empty()) text += "\n  it is part of the gradient of " + origin.forward;
  text += "\n  result " + to_text(origin.output);
  for (const ValueSummary& input : origin.inputs) text += "\n  input " + to_text(input);
  for (const NanOrigin& cause : origin.causes)
    text += "\nThe infinity among its inputs: " + to_text(cause);
  return text;
}

}  // namespace rill
