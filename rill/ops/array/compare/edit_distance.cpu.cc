#include <algorithm>
#include <limits>
#include <numeric>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/slice/strided_copy.h"
#include "rill/tensor/narrow_float.h"

namespace rill {

extern const OpDecl kEditDistance;

namespace {

template <class T>
std::int64_t distance(std::span<const T> from, std::span<const T> to) {
  thread_local std::vector<std::int64_t> distances;
  distances.resize(to.size() + 1);
  std::int64_t* const row = distances.data();  // to each prefix of `to`
  std::iota(row, row + to.size() + 1, 0);
  for (const T& item : from) {
    const auto& wanted = widened(item);
    std::int64_t diagonal = row[0], left = ++row[0];
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::int64_t replaced = diagonal + !(wanted == widened(to[j]));
      diagonal = row[j + 1];
      // `left` comes last: it is what the next step waits for.
      left = std::min(std::min(replaced, diagonal + 1), left + 1);
      row[j + 1] = left;
    }
  }
  return row[to.size()];
}

template <class T>
float measured(std::span<const T> hypothesis, std::span<const T> truth, bool normalize) {
  const std::int64_t edits = distance(hypothesis, truth);
  if (!normalize || edits == 0) return static_cast<float>(edits);
  if (truth.empty()) return std::numeric_limits<float>::infinity();
  return static_cast<float>(edits) / static_cast<float>(truth.size());
}

// The values of a sparse tensor as sequences, in the order of their places in the output.
template <class T>
class Sequences {
 public:
  // The tensor whose indices are input `first`.
  Sequences(const KernelCall& call, int first) {
    const Tensor& values = call.input_tensor(first + 1);
    read_places(call.input_tensor(first), call.output_tensor(0).shape());
    values_ = {values.data<T>(), places_.size()};
    if (!std::ranges::is_sorted(places_)) sort();
  }

  std::size_t size() const { return places_.size(); }
  std::int64_t place(std::size_t i) const { return places_[i]; }
  // The sequence that begins with element i; empty unless it has this place.
  std::span<const T> at(std::size_t i, std::int64_t place) const {
    std::size_t end = i;
    while (end < size() && places_[end] == place) ++end;
    return {values_.data() + i, end - i};
  }

 private:
  void read_places(const Tensor& indices, const Shape& out) {
    const Dims strides = row_major_strides(out);
    const auto* index = indices.data<std::int64_t>();
    const std::int64_t count = indices.dim(0), width = indices.dim(1);
    const std::size_t rank = out.dims().size();
    const std::int64_t *dims = out.dims().data(), *steps = strides.data();
    places_.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i, index += width) {
      std::int64_t place = 0;
      for (std::size_t d = 0; d < rank; ++d) {
        require(index[d] >= 0 && index[d] < dims[d], "index ", index[d], " of element ", i,
                " is outside of dimension ", d, ", which is ", dims[d]);
        place += index[d] * steps[d];
      }
      places_.push_back(place);
    }
  }
  void sort() {
    std::vector<std::size_t> order(size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [this](std::size_t i) { return places_[i]; });
    const auto count = static_cast<std::int64_t>(size());
    sorted_ = Tensor(dtype_of<T>, {count});
    std::ranges::transform(order, sorted_.data<T>(), [this](std::size_t i) { return values_[i]; });
    values_ = {sorted_.data<T>(), size()};
    std::ranges::sort(places_);
  }

  std::vector<std::int64_t> places_;
  std::span<const T> values_;
  Tensor sorted_;  // the values, where they were in no order
};

// Two sequences to compare, one of them perhaps empty.
template <class T>
struct Pair {
  std::int64_t place;
  std::span<const T> hypothesis, truth;
};

template <class T>
std::vector<Pair<T>> pairs_of(const Sequences<T>& hypotheses, const Sequences<T>& truths) {
  std::vector<Pair<T>> pairs;
  for (std::size_t h = 0, t = 0; h < hypotheses.size() || t < truths.size();) {
    const std::int64_t place = h == hypotheses.size() ? truths.place(t)
                               : t == truths.size()
                                   ? hypotheses.place(h)
                                   : std::min(hypotheses.place(h), truths.place(t));
    pairs.push_back({place, hypotheses.at(h, place), truths.at(t, place)});
    h += pairs.back().hypothesis.size();
    t += pairs.back().truth.size();
  }
  return pairs;
}

template <class T>
void edit_distance(KernelCall& call) {
  const bool normalize = call.node().attr<bool>("normalize");
  const auto out = call.output<float>(0);
  std::ranges::fill(out, 0.0f);
  const Sequences<T> hypotheses(call, 0), truths(call, 3);
  const std::vector<Pair<T>> pairs = pairs_of(hypotheses, truths);
  if (pairs.empty()) return;
  double work = 0;
  for (const Pair<T>& pair : pairs)
    work += static_cast<double>(pair.hypothesis.size() * pair.truth.size());
  call.parallel_for(pairs.size(), 50 + work / static_cast<double>(pairs.size()),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i)
                        out[static_cast<std::size_t>(pairs[i].place)] =
                            measured(pairs[i].hypothesis, pairs[i].truth, normalize);
                    });
}

template <class... T>
struct EditDistanceEntries {
  KernelEntry all[sizeof...(T)] = {
      {.op = &kEditDistance, .types = dtype_of<T>, .run = edit_distance<T>}...};
};
constexpr EditDistanceEntries<half, bfloat16, float, double, std::int8_t, std::int16_t,
                              std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                              std::complex<float>, std::complex<double>, bool, std::string>
    kEntries;

}  // namespace

extern const KernelTable kEditDistanceCpu{kEntries.all};

}  // namespace rill
