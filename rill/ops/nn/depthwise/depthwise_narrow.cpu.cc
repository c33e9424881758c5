#include "rill/ops/nn/depthwise/depthwise_narrow.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "rill/kernel/fast_paths.h"

#define HWY_TARGET_INCLUDE "rill/ops/nn/depthwise/depthwise_narrow.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

#ifndef RILL_OPS_NN_DEPTHWISE_NARROW_ONCE
#define RILL_OPS_NN_DEPTHWISE_NARROW_ONCE
namespace rill {

// Pixels of a row whose windows see the same taps. A tap has `block` elements of the filter, as
// many as some whole pixels and as some whole vectors.
template <class T>
struct NarrowRun {
  T* out;
  const T *source, *filter;
  std::int64_t count, block;  // elements; count >= block
  std::int64_t row_count, source_row, filter_row;
  std::int64_t tap_count, source_tap, filter_tap;
};

}  // namespace rill
#endif

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX3
constexpr int kNarrowBytes = 64;
#elif HWY_TARGET == HWY_AVX2
constexpr int kNarrowBytes = 32;
#else
constexpr int kNarrowBytes = 16;
#endif
constexpr int kNarrowSums = 8;  // vectors: as many as hide how long an addition takes

// `blocks` blocks of `vectors` vectors at `at`. Sums have the order of any other window.
template <class T, int vectors, int blocks>
void narrow_blocks(const NarrowRun<T>& run, std::int64_t at) {
  typedef T Vector __attribute__((vector_size(kNarrowBytes)));
  constexpr int kLanes = kNarrowBytes / static_cast<int>(sizeof(T));
  Vector sums[blocks][vectors] = {};
  const T *row = run.source + at, *filter_row = run.filter;
  for (std::int64_t r = 0; r < run.row_count;
       ++r, row += run.source_row, filter_row += run.filter_row) {
    const T *source = row, *filter = filter_row;
    for (std::int64_t k = 0; k < run.tap_count;
         ++k, source += run.source_tap, filter += run.filter_tap)
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) {
        Vector tap, x;
        std::memcpy(&tap, filter + v * kLanes, sizeof tap);
#pragma GCC unroll 8
        for (int b = 0; b < blocks; ++b) {
          std::memcpy(&x, source + (b * vectors + v) * kLanes, sizeof x);
          sums[b][v] += x * tap;
        }
      }
  }
  std::memcpy(run.out + at, sums, sizeof sums);
}

template <class T, int vectors>
void narrow_vectors(const NarrowRun<T>& run) {
  constexpr int kBlocks = vectors > kNarrowSums / 2 ? 1 : kNarrowSums / vectors;
  std::int64_t at = 0;
  for (; at + kBlocks * run.block <= run.count; at += kBlocks * run.block)
    narrow_blocks<T, vectors, kBlocks>(run, at);
  for (; at + run.block <= run.count; at += run.block) narrow_blocks<T, vectors, 1>(run, at);
  if (at < run.count) narrow_blocks<T, vectors, 1>(run, run.count - run.block);  // some again
}

template <class T>
void narrow_any(const NarrowRun<T>& run) {
  switch (run.block * static_cast<std::int64_t>(sizeof(T)) / kNarrowBytes) {
    case 1:
      return narrow_vectors<T, 1>(run);
    case 3:
      return narrow_vectors<T, 3>(run);
    case 5:
      return narrow_vectors<T, 5>(run);
    default:
      return narrow_vectors<T, 7>(run);
  }
}

}  // namespace

void narrow_floats(const NarrowRun<float>& run) { narrow_any(run); }
void narrow_doubles(const NarrowRun<double>& run) { narrow_any(run); }
std::int64_t narrow_bytes() { return kNarrowBytes; }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(narrow_floats);
HWY_EXPORT(narrow_doubles);
HWY_EXPORT(narrow_bytes);

namespace {

void run_narrow(const NarrowRun<float>& run) { HWY_DYNAMIC_DISPATCH(narrow_floats)(run); }
void run_narrow(const NarrowRun<double>& run) { HWY_DYNAMIC_DISPATCH(narrow_doubles)(run); }

// Whether b is what a is, `step` further on.
bool follows(const TapRun& a, const TapRun& b, std::int64_t step) {
  return b.count == a.count && b.filter == a.filter && b.source_step == a.source_step &&
         b.filter_step == a.filter_step && b.source == a.source + step;
}

}  // namespace

template <class T>
NarrowFilter<T>::NarrowFilter(std::span<const TapRun> columns, const T* filter, std::int64_t taps,
                              std::int64_t channels)
    : channels_(channels) {
  constexpr std::int64_t kMaxVectors = 7;
  const std::int64_t lanes = HWY_DYNAMIC_DISPATCH(narrow_bytes)() / sizeof(T);
  if (channels <= 0 || channels % lanes == 0 || columns.empty()) return;
  const std::int64_t block = std::lcm(channels, lanes);
  if (block > kMaxVectors * lanes) return;
  const auto first = std::ranges::max_element(columns, {}, &TapRun::count);
  auto last = first;
  while (last + 1 != columns.end() && follows(*last, *(last + 1), channels)) ++last;
  if ((last + 1 - first) * channels < block || !takes(FastPath::kDepthwiseTaps)) return;
  block_ = block;
  begin_ = first - columns.begin();
  end_ = last + 1 - columns.begin();
  filter_.resize(static_cast<std::size_t>(taps * block));
  for (std::int64_t t = 0; t < taps; ++t)
    for (std::int64_t i = 0; i < block; ++i)
      filter_[static_cast<std::size_t>(t * block + i)] = filter[t * channels + i % channels];
}

template <class T>
void NarrowFilter<T>::gather(T* out, const T* source, const TapRun& rows,
                             std::span<const TapRun> columns) const {
  if (begin_ == end_) return;
  const TapRun& taps = columns[static_cast<std::size_t>(begin_)];
  const auto repeated = [&](std::int64_t place) { return place / channels_ * block_; };
  run_narrow(NarrowRun<T>{.out = out + begin_ * channels_,
                          .source = source + rows.source + taps.source,
                          .filter = filter_.data() + repeated(rows.filter + taps.filter),
                          .count = (end_ - begin_) * channels_,
                          .block = block_,
                          .row_count = rows.count,
                          .source_row = rows.source_step,
                          .filter_row = repeated(rows.filter_step),
                          .tap_count = taps.count,
                          .source_tap = taps.source_step,
                          .filter_tap = repeated(taps.filter_step)});
}

template class NarrowFilter<float>;
template class NarrowFilter<double>;

}  // namespace rill
#endif
