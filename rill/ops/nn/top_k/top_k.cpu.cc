#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/nn/top_k/order_keys.h"
#include "rill/tensor/narrow_float.h"

namespace rill {

extern const OpDecl kTopKV2, kTopK, kInTopK, kInTopKV2, kNthElement;

namespace {

// Calls body(row) for rows of `width` elements on the device's threads.
template <class Body>
void for_rows(const KernelCall& call, std::int64_t rows, std::int64_t width, double cost,
              Body body) {
  call.parallel_for(static_cast<std::size_t>(rows), cost * static_cast<double>(width),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t r = begin; r < end; ++r) body(static_cast<std::int64_t>(r));
                    });
}

// Whether one of `count` values is larger than `limit`; without branches, so that it is vectorised.
template <class T, class V>
bool any_above(const T* x, std::int64_t count, V limit) {
  int found = 0;
  for (std::int64_t i = 0; i < count; ++i) found |= widened(x[i]) > limit;
  return found != 0;
}

constexpr std::int64_t kManyWanted = 32;  // from here on a sort beats a heap

// Fills `best` with the places of the k largest of n values, largest first.
template <class T>
void find_top_k(const T* row, std::int64_t n, std::int64_t k, std::vector<std::int32_t>& best) {
  constexpr std::int64_t kBlock = 32;
  const auto before = [row](std::int32_t a, std::int32_t b) {
    const auto x = widened(row[a]), y = widened(row[b]);
    return x > y || (!(x < y) && a < b);
  };
  best.resize(static_cast<std::size_t>(k));
  std::iota(best.begin(), best.end(), 0);
  // A heap with the worst of the best on top: most blocks are refused as a whole.
  std::ranges::make_heap(best, before);
  for (std::int64_t i = k; i < n; i += kBlock) {
    const std::int64_t end = std::min(n, i + kBlock);
    if (!any_above(row + i, end - i, widened(row[best.front()]))) continue;
    for (auto j = static_cast<std::int32_t>(i); j < end; ++j) {
      if (!(widened(row[j]) > widened(row[best.front()]))) continue;
      std::ranges::pop_heap(best, before);
      best.back() = j;
      std::ranges::push_heap(best, before);
    }
  }
  std::ranges::sort(best, before);
}

// find_top_k for many.
template <class T>
void find_largest_keys(const T* row, std::int64_t n, std::int64_t k,
                       std::vector<std::int32_t>& best) {
  thread_local OrderKeys keys;
  keys.assign(row, n);
  if (k == n) {
    keys.sort_placed();
  } else {
    keys.keep_smallest(static_cast<std::size_t>(k));
    keys.sort();
  }
  best.resize(static_cast<std::size_t>(k));
  std::ranges::transform(keys.keys(), best.begin(), place_of_key);
}

template <class T>
void find_places(const T* row, std::int64_t n, std::int64_t k, std::vector<std::int32_t>& best) {
  if constexpr (sizeof(T) <= 4) {
    if (k >= kManyWanted) return find_largest_keys(row, n, k, best);
  }
  find_top_k(row, n, k, best);
}

template <class T>
void top_k(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &places = call.output_tensor(1);
  const std::int64_t n = input.dim(input.rank() - 1), k = places.dim(places.rank() - 1);
  require(n <= INT32_MAX, "rows of ", n, " elements are too long");
  if (places.element_count() == 0) return;
  const T* from = input.data<T>();
  T* to = call.output_tensor(0).data<T>();
  auto* to_places = places.data<std::int32_t>();
  for_rows(call, input.element_count() / n, n, k < kManyWanted ? 0.5 : 10, [&](std::int64_t r) {
    thread_local std::vector<std::int32_t> best;
    find_places(from + r * n, n, k, best);
    for (std::int64_t i = 0; i < k; ++i) {
      to_places[r * k + i] = best[static_cast<std::size_t>(i)];
      to[r * k + i] = from[r * n + best[static_cast<std::size_t>(i)]];
    }
  });
}

// Whether fewer than k of `count` finite values are larger than x. Looks at a block at a time,
// without branches inside, and no further than it must.
bool fewer_above(const float* row, std::int64_t count, float x, std::int64_t k) {
  constexpr std::int64_t kBlock = 64;
  std::int64_t better = 0;
  for (std::int64_t begin = 0; begin < count && better < k; begin += kBlock) {
    const std::int64_t end = std::min(begin + kBlock, count);
    std::int32_t above = 0, not_finite = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      above += row[i] > x;
      not_finite |= !(std::fabs(row[i]) <= std::numeric_limits<float>::max());
    }
    if (not_finite != 0) return false;
    better += above;
  }
  return better < k;
}

void in_top_k(KernelCall& call) {
  const Tensor &predictions = call.input_tensor(0), &targets = call.input_tensor(1);
  const std::int64_t classes = predictions.dim(1);
  const std::int64_t k = call.input_count() == 3 ? int_at(call.input_tensor(2), 0)
                                                 : call.node().attr<std::int64_t>("k");
  const float* from = predictions.data<float>();
  bool* to = call.output_tensor(0).data<bool>();
  for_rows(call, predictions.dim(0), classes, 0.1, [&](std::int64_t r) {
    const float* row = from + r * classes;
    const std::int64_t target = int_at(targets, r);
    to[r] = target >= 0 && target < classes && std::isfinite(row[target]) &&
            fewer_above(row, classes, row[target], k);
  });
}

// The value that comes at `place` when those of a row are in order.
template <class T>
T nth_of_row(const T* values, std::int64_t width, std::int64_t place) {
  if constexpr (sizeof(T) <= 4) {
    if (width <= INT32_MAX) {
      thread_local OrderKeys keys;  // which fall as values rise
      keys.assign(values, width);
      keys.keep_smallest(static_cast<std::size_t>(width - place));
      return values[place_of_key(std::ranges::max(keys.keys()))];
    }
  }
  thread_local std::vector<T> row;
  row.assign(values, values + width);
  std::ranges::nth_element(row, row.begin() + place,
                           [](T a, T b) { return widened(a) < widened(b); });
  return row[static_cast<std::size_t>(place)];
}

template <class T>
void nth_element(KernelCall& call) {
  const Tensor& input = call.input_tensor(0);
  const std::int64_t n = int_at(call.input_tensor(1), 0), width = input.dim(input.rank() - 1);
  require(n >= 0 && n < width, "Input must have last dimension > n = ", n, " but is ", width);
  if (input.element_count() == 0) return;
  const std::int64_t place = call.node().attr<bool>("reverse") ? width - 1 - n : n;
  const T* from = input.data<T>();
  T* to = call.output_tensor(0).data<T>();
  for_rows(call, input.element_count() / width, width, 5,
           [&](std::int64_t r) { to[r] = nth_of_row(from + r * width, width, place); });
}

template <class T>
constexpr KernelEntry kTopKV2Of{.op = &kTopKV2, .types = dtype_of<T>, .run = top_k<T>};
template <class T>
constexpr KernelEntry kTopKOf{.op = &kTopK, .types = dtype_of<T>, .run = top_k<T>};
template <class T>
constexpr KernelEntry kNthElementOf{
    .op = &kNthElement, .types = dtype_of<T>, .run = nth_element<T>};

template <class... T>
struct TopKEntries {
  KernelEntry all[3 * sizeof...(T) + 2] = {kTopKV2Of<T>...,
                                           kTopKOf<T>...,
                                           kNthElementOf<T>...,
                                           {.op = &kInTopK, .run = in_top_k},
                                           {.op = &kInTopKV2, .run = in_top_k}};
};
constexpr TopKEntries<float, double, half, bfloat16, std::int8_t, std::int16_t, std::int32_t,
                      std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>
    kEntries;

}  // namespace

extern const KernelTable kTopKCpu{kEntries.all};

}  // namespace rill
