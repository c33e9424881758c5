#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/strided_copy.h"
#include "rill/tensor/narrow_float.h"

namespace rill {

extern const OpDecl kEditDistance;

namespace {

template <class T>
using Sequence = std::vector<const T*>;

// Two sequences to compare, both perhaps empty.
template <class T>
struct Pair {
  Sequence<T> hypothesis, truth;
};

template <class T>
std::int64_t distance(const Sequence<T>& from, const Sequence<T>& to) {
  std::vector<std::int64_t> row(to.size() + 1);  // to each prefix of `to`
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::int64_t diagonal = row[0]++;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::int64_t replaced = diagonal + (widened(*from[i]) == widened(*to[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

template <class T>
float measured(const Pair<T>& pair, bool normalize) {
  const std::int64_t edits = distance<T>(pair.hypothesis, pair.truth);
  if (!normalize || edits == 0) return static_cast<float>(edits);
  if (pair.truth.empty()) return std::numeric_limits<float>::infinity();
  return static_cast<float>(edits) / static_cast<float>(pair.truth.size());
}

// Sequences by their place in the output.
template <class T>
using Pairs = std::map<std::int64_t, Pair<T>>;

// Adds the elements of the sparse tensor at input `first` to the sequences they belong to.
template <class T>
void collect(const KernelCall& call, int first, Sequence<T> Pair<T>::*sequence, Pairs<T>& pairs) {
  const Tensor &indices = call.input_tensor(first), &values = call.input_tensor(first + 1);
  const Shape& out = call.output_tensor(0).shape();
  const Dims strides = row_major_strides(out);
  const auto* index = indices.data<std::int64_t>();
  for (std::int64_t i = 0; i < indices.dim(0); ++i, index += indices.dim(1)) {
    std::int64_t place = 0;
    for (int d = 0; d < out.rank(); ++d) {
      require(index[d] >= 0 && index[d] < out.dim(d), "index ", index[d], " of element ", i,
              " is outside of dimension ", d, ", which is ", out.dim(d));
      place += index[d] * strides[d];
    }
    (pairs[place].*sequence).push_back(values.data<T>() + i);
  }
}

template <class T>
void edit_distance(KernelCall& call) {
  const bool normalize = call.node().attr<bool>("normalize");
  const auto out = call.output<float>(0);
  std::ranges::fill(out, 0.0f);
  Pairs<T> pairs;
  collect<T>(call, 0, &Pair<T>::hypothesis, pairs);
  collect<T>(call, 3, &Pair<T>::truth, pairs);
  std::vector<const typename Pairs<T>::value_type*> all;
  double work = 0;
  for (const auto& entry : pairs) {
    all.push_back(&entry);
    work += static_cast<double>(entry.second.hypothesis.size() * entry.second.truth.size());
  }
  if (all.empty()) return;
  call.parallel_for(all.size(), 50 + 2 * work / static_cast<double>(all.size()),
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i)
                        out[static_cast<std::size_t>(all[i]->first)] =
                            measured(all[i]->second, normalize);
                    });
}

template <class... T>
struct Entries {
  KernelEntry all[sizeof...(T)] = {
      {.op = &kEditDistance, .types = dtype_of<T>, .run = edit_distance<T>}...};
};
constexpr Entries<half, bfloat16, float, double, std::int8_t, std::int16_t, std::int32_t,
                  std::int64_t, std::uint8_t, std::uint16_t, std::complex<float>,
                  std::complex<double>, bool, std::string>
    kEntries;

}  // namespace

extern const KernelTable kEditDistanceCpu{kEntries.all};

}  // namespace rill
