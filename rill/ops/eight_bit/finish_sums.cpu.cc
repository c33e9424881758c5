#include "rill/ops/eight_bit/finish_sums.h"

#include <cmath>
#include <limits>

namespace rill {
namespace {

// Within the numbers of T; the lowest for what is no number.
template <class T>
T saturated(float value) {
  constexpr double kLowest = std::numeric_limits<T>::min(),
                   kHighest = std::numeric_limits<T>::max();
  const double rounded = std::nearbyint(value);
  return static_cast<T>(rounded >= kHighest ? kHighest : rounded > kLowest ? rounded : kLowest);
}

float element_of(const Tensor& bytes, std::int64_t i) {
  return base_type(bytes.dtype()) == DType::qi8
             ? static_cast<float>(static_cast<const std::int8_t*>(bytes.raw_data())[i])
             : static_cast<float>(static_cast<const std::uint8_t*>(bytes.raw_data())[i]);
}

void finish_words(const SumFinish& f, const std::int32_t* sums, std::int64_t columns,
                  std::int64_t first, std::int32_t* out) {
  const bool adds = !f.bias.empty() || f.summand != nullptr;
  for (std::int64_t j = 0; j < columns; ++j) {
    const auto c = static_cast<std::size_t>(j);
    std::int32_t result = sums[j];
    if (adds) {
      auto value = static_cast<float>(result);
      if (!f.bias.empty()) value += f.bias[c];
      if (f.summand != nullptr) value += f.summand->data<float>()[first + j] * f.summand_steps[c];
      result = saturated<std::int32_t>(value);
    }
    out[j] = f.rectifies ? std::max(result, 0) : result;
  }
}

template <class Byte>
void finish_bytes(const SumFinish& f, const std::int32_t* sums, std::int64_t columns,
                  std::int64_t first, Byte* out) {
  for (std::int64_t j = 0; j < columns; ++j) {
    const auto c = static_cast<std::size_t>(j);
    auto value = static_cast<float>(sums[j]);
    if (!f.bias.empty()) value += f.bias[c];
    value *= f.scale[c];
    if (f.summand != nullptr) value += element_of(*f.summand, first + j) * f.summand_scale;
    out[j] = saturated<Byte>(f.rectifies ? std::max(value, 0.0f) : value);
  }
}

}  // namespace

void finish_sums(const KernelCall& call, const SumFinish& finish, const std::uint32_t* sums,
                 std::int64_t columns, const Tensor& out) {
  const DType type = base_type(out.dtype());
  const bool nothing = type == DType::qi32 && finish.bias.empty() && finish.summand == nullptr &&
                       !finish.rectifies && sums == out.raw_data();
  if (columns == 0 || out.element_count() == 0 || nothing) return;
  const auto rows = static_cast<std::size_t>(out.element_count() / columns);
  const auto* const words = reinterpret_cast<const std::int32_t*>(sums);
  call.parallel_for(
      rows, 1.5 * static_cast<double>(columns), [&](std::size_t begin, std::size_t end) {
        for (auto r = static_cast<std::int64_t>(begin); r < static_cast<std::int64_t>(end); ++r) {
          const std::int64_t first = r * columns;
          if (type == DType::qi32)
            finish_words(finish, words + first, columns, first,
                         static_cast<std::int32_t*>(out.raw_data()) + first);
          else if (type == DType::qi8)
            finish_bytes(finish, words + first, columns, first,
                         static_cast<std::int8_t*>(out.raw_data()) + first);
          else
            finish_bytes(finish, words + first, columns, first,
                         static_cast<std::uint8_t*>(out.raw_data()) + first);
        }
      });
}

}  // namespace rill
