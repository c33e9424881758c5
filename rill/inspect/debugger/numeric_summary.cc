#include <algorithm>
#include <cmath>

#include "rill/inspect/debugger/array_text.h"
#include "rill/tensor/dtype_visit.h"
#include "rill/tensor/element_format.h"

namespace rill::debugger {
namespace {

using Row = std::vector<std::pair<std::string, std::string>>;  // heads and cells

// NumPy adds in pairs, blocks of 128 by eight sums: so the last digits are the same.
template <class T, class F>
T pairwise_sum(std::size_t begin, std::size_t count, const F& value) {
  if (count < 8) {
    T sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += value(begin + i);
    return sum;
  }
  if (count <= 128) {
    T sums[8];
    for (std::size_t k = 0; k < 8; ++k) sums[k] = value(begin + k);
    std::size_t i = 8;
    for (; i < count - count % 8; i += 8)
      for (std::size_t k = 0; k < 8; ++k) sums[k] += value(begin + i + k);
    T sum =
        ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    for (; i < count; ++i) sum += value(begin + i);
    return sum;
  }
  std::size_t half = count / 2;
  half -= half % 8;
  return pairwise_sum<T>(begin, half, value) + pairwise_sum<T>(begin + half, count - half, value);
}

template <class T>
std::string number_text(T value) {
  if constexpr (std::is_integral_v<T>)
    return str_cat(static_cast<std::int64_t>(value));
  else
    return scalar_text(Tensor::scalar(value));
}

std::vector<std::string> table_row(const Row& cells, const Row* last) {
  std::string heads = "|", values = "|";
  const auto add = [&](const Row& row) {
    std::size_t width = 0;  // of every column
    for (const auto& [head, cell] : row) width = std::max({width, head.size(), cell.size()});
    for (const auto& [head, cell] : row) {
      heads += std::string(width - head.size() + 1, ' ') + head;
      values += std::string(width - cell.size() + 1, ' ') + cell;
    }
    heads += " |";
    values += " |";
  };
  add(cells);
  if (last != nullptr) add(*last);
  return {heads, values};
}

template <class T>
std::vector<std::string> numbers_summary(const Tensor& tensor) {
  const auto all = tensor.flat<T>();
  std::int64_t nan = 0, low = 0, negative = 0, zero = 0, positive = 0, high = 0;
  std::vector<T> finite;
  for (const T x : all) {
    const auto wide = static_cast<double>(x);
    if (std::isnan(wide))
      ++nan;
    else if (std::isinf(wide))
      ++(wide < 0 ? low : high);
    else {
      finite.push_back(x);
      ++(wide < 0 ? negative : wide > 0 ? positive : zero);
    }
  }
  Row counts;
  const std::pair<const char*, std::int64_t> kinds[] = {
      {"nan", nan}, {"-inf", low}, {"-", negative}, {"0", zero}, {"+", positive}, {"+inf", high}};
  for (const auto& [name, count] : kinds)
    if (count > 0) counts.emplace_back(name, str_cat(count));
  const Row total{{"total", str_cat(all.size())}};
  std::vector<std::string> lines = table_row(counts, &total);
  if (finite.empty()) return lines;
  using Real = std::conditional_t<std::is_floating_point_v<T>, T, double>;
  const auto count = static_cast<Real>(finite.size());
  const Real mean =
      pairwise_sum<Real>(0, finite.size(),
                         [&](std::size_t i) { return static_cast<Real>(finite[i]); }) /
      count;
  const Real variance = pairwise_sum<Real>(0, finite.size(),
                                           [&](std::size_t i) {
                                             const Real d = static_cast<Real>(finite[i]) - mean;
                                             return d * d;
                                           }) /
                        count;
  const auto [least, most] = std::ranges::minmax_element(finite);
  const Row values{{"min", number_text(*least)},
                   {"max", number_text(*most)},
                   {"mean", number_text(mean)},
                   {"std", number_text(std::sqrt(variance))}};
  const auto rows = table_row(values, nullptr);
  lines.insert(lines.end(), rows.begin(), rows.end());
  return lines;
}

std::vector<std::string> bools_summary(const Tensor& tensor) {
  const auto all = tensor.flat<bool>();
  const auto trues = std::ranges::count(all, true);
  const auto falses = static_cast<std::ptrdiff_t>(all.size()) - trues;
  Row counts;
  if (falses > 0) counts.emplace_back("False", str_cat(falses));
  if (trues > 0) counts.emplace_back("True", str_cat(trues));
  const Row total{{"total", str_cat(all.size())}};
  return table_row(counts, &total);
}

}  // namespace

std::vector<std::string> numeric_summary(const Tensor& tensor) {
  if (tensor.element_count() == 0) return {"No numeric summary available due to empty tensor."};
  if (tensor.dtype() == DType::boolean) return bools_summary(tensor);
  std::vector<std::string> lines;
  visit_dtype(tensor.dtype(), [&]<class T>() {
    if constexpr (std::is_arithmetic_v<T>) {
      lines = numbers_summary<T>(tensor);
    } else if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16>) {
      Tensor wide(DType::f32, tensor.shape());
      std::ranges::transform(tensor.flat<T>(), wide.data<float>(),
                             [](T x) { return static_cast<float>(x); });
      lines = numbers_summary<float>(wide);
    }
  });
  if (lines.empty())
    lines = {str_cat(
        "No numeric summary available due to tensor dtype: ", numpy_type(tensor.dtype()), ".")};
  return lines;
}

}  // namespace rill::debugger
