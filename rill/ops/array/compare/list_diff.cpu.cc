#include <string>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/compare/distinct.h"
#include "rill/ops/array/values/index_values.h"

namespace rill {

extern const OpDecl kListDiff;

namespace {

template <class T>
std::vector<std::size_t> places_not_in(const Tensor& x, const Tensor& y) {
  const auto all = x.flat<T>(), some = y.flat<T>();
  const Elements<T> elements{some.data(), static_cast<std::int64_t>(some.size())};
  Distinct<Elements<T>> taken(elements);
  for (std::int64_t i = 0; i < elements.length; ++i) taken.number(i);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!taken.contains(Elements<T>::hash_of(all[i]), [&](std::int64_t first) {
          return widened(some[static_cast<std::size_t>(first)]) == widened(all[i]);
        }))
      places.push_back(i);
  return places;
}

template <class T>
void list_diff_of(KernelCall& call) {
  const Tensor &x = call.input_tensor(0), &y = call.input_tensor(1);
  require(x.rank() == 1 && y.rank() == 1, "x and y should be 1D vectors.");
  const std::vector<std::size_t> places = places_not_in<T>(x, y);
  const Shape shape{static_cast<std::int64_t>(places.size())};
  const auto out = call.allocate_output(0, shape).template flat<T>();
  const Tensor& idx = call.allocate_output(1, shape);
  for (std::size_t i = 0; i < places.size(); ++i) {
    out[i] = x.flat<T>()[places[i]];
    set_int_at(idx, static_cast<std::int64_t>(i), static_cast<std::int64_t>(places[i]));
  }
}

template <class T>
constexpr KernelEntry list_diff_entry() {
  return {.op = &kListDiff, .types = dtype_of<T>, .run = list_diff_of<T>, .allocates = true};
}

constexpr KernelEntry kEntries[] = {
    list_diff_entry<std::uint8_t>(), list_diff_entry<std::int8_t>(),
    list_diff_entry<std::int16_t>(), list_diff_entry<std::int32_t>(),
    list_diff_entry<std::int64_t>(), list_diff_entry<float>(),
    list_diff_entry<double>(),       list_diff_entry<std::string>()};

}  // namespace

extern const KernelTable kListDiffCpu{kEntries};

}  // namespace rill
