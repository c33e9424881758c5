#include "rill/ops/eight_bit/finish_sums.h"

#include "rill/ops/eight_bit/finish_row.h"

namespace rill {
namespace {

const float* data_or_null(const std::vector<float>& values) {
  return values.empty() ? nullptr : values.data();
}

void set_row_summand(FinishRow& row, const SumFinish& finish, std::int64_t first) {
  const Tensor& summand = *finish.summand;
  row.summand_scale = finish.summand_scale;
  if (base_type(summand.dtype()) == DType::qi8)
    row.signed_summand = static_cast<const std::int8_t*>(summand.raw_data()) + first;
  else if (base_type(summand.dtype()) == DType::qu8)
    row.unsigned_summand = static_cast<const std::uint8_t*>(summand.raw_data()) + first;
  else
    row.float_summand = summand.data<float>() + first;
}

template <class T>
void finish_rows(const KernelCall& call, const SumFinish& finish, const std::int32_t* sums,
                 std::int64_t columns, const Tensor& out) {
  const auto rows = static_cast<std::size_t>(out.element_count() / columns);
  call.parallel_for(
      rows, 0.4 * static_cast<double>(columns), [&](std::size_t begin, std::size_t end) {
        for (auto r = static_cast<std::int64_t>(begin); r < static_cast<std::int64_t>(end); ++r) {
          const std::int64_t first = r * columns;
          FinishRow row{.sums = sums + first,
                        .bias = data_or_null(finish.bias),
                        .scale = data_or_null(finish.scale),
                        .float_scale = data_or_null(finish.summand_steps),
                        .rectifies = finish.rectifies,
                        .count = static_cast<std::size_t>(columns)};
          if (finish.summand != nullptr) set_row_summand(row, finish, first);
          finish_row(row, static_cast<T*>(out.raw_data()) + first);
        }
      });
}

// Sums that nothing is added to stay exact.
void rectify_words(const KernelCall& call, const Tensor& out) {
  auto* const words = static_cast<std::int32_t*>(out.raw_data());
  call.parallel_for(static_cast<std::size_t>(out.element_count()), 0.3,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) words[i] = std::max(words[i], 0);
                    });
}

}  // namespace

void finish_sums(const KernelCall& call, const SumFinish& finish, const std::uint32_t* sums,
                 std::int64_t columns, const Tensor& out) {
  if (out.element_count() == 0) return;
  const auto* const words = reinterpret_cast<const std::int32_t*>(sums);
  switch (base_type(out.dtype())) {
    case DType::qi8:
      return finish_rows<std::int8_t>(call, finish, words, columns, out);
    case DType::qu8:
      return finish_rows<std::uint8_t>(call, finish, words, columns, out);
    default:
      if (!finish.bias.empty() || finish.summand != nullptr)
        finish_rows<std::int32_t>(call, finish, words, columns, out);
      else if (finish.rectifies)
        rectify_words(call, out);
  }
}

}  // namespace rill
