#include "rill/ops/spectral/fft_row.h"

#include "rill/ops/spectral/roots_of_unity.h"
#include "rill/ops/spectral/split_vectors.h"

namespace rill {
namespace {

constexpr std::size_t kLanes = 8;          // of the vectors of the first step, at most
constexpr std::size_t kLongest = 1 << 13;  // longer ones leave the nearest cache too often

// The radices after the first one, largest first; empty where others would be needed.
std::vector<std::size_t> later_radices(std::size_t size) {
  std::vector<std::size_t> radices;
  for (const std::size_t radix : {8, 4, 2, 3, 5})
    for (; size % radix == 0; size /= radix) radices.push_back(radix);
  if (size > 1) return {};
  // 8 and 2 are better done as 4 and 4.
  for (std::size_t i = 0; i + 1 < radices.size(); ++i)
    if (radices[i] == 8 && radices[i + 1] == 2) radices[i] = radices[i + 1] = 4;
  return radices;
}

template <class T>
void append_root(std::vector<T>& re, std::vector<T>& im, std::size_t k, std::size_t n) {
  append_complex(re, im, root_of_unity(k, n));
}

}  // namespace

template <class T>
bool FftRow<T>::fits(std::size_t size) {
  return size % (kFirstRadix * kLanes) == 0 && size <= kLongest &&
         !later_radices(size / kFirstRadix).empty();
}

template <class T>
FftRow<T>::FftRow(std::size_t size) : size_(size) {
  RadixPass first{.radix = kFirstRadix, .groups = size / kFirstRadix};
  for (std::size_t k = 1; k < kFirstRadix; ++k)
    for (std::size_t p = 0; p < first.groups; ++p)
      append_root(first.roots_re, first.roots_im, p * k % size, size);
  steps_.push_back(std::move(first));
  std::size_t left = size / kFirstRadix;
  for (const std::size_t radix : later_radices(left)) {
    RadixPass step{.radix = radix, .groups = left / radix};
    for (std::size_t p = 0; p < step.groups; ++p)
      for (std::size_t k = 1; k < radix; ++k)
        append_root(step.roots_re, step.roots_im, p * k % left, left);
    steps_.push_back(std::move(step));
    left /= radix;
  }
  for (std::size_t k = 0; k < size; ++k) append_root(pair_roots_re_, pair_roots_im_, k, 2 * size);
}

template <class T>
Split<T> FftRow<T>::other_half(Split<T> used, T* scratch) const {
  T* half = used.re == scratch ? scratch + 2 * size_ : scratch;
  return {half, half + size_};
}

template <class T>
Split<T> FftRow<T>::run_but_last(const T* in, T* scratch, bool is_exchanged) const {
  const FftRowPasses<T>& passes = fft_row_passes<T>();
  Split<T> x{scratch, scratch + size_};
  passes.first(x, in, split_of(steps_[0].roots_re, steps_[0].roots_im), steps_[0].groups,
               is_exchanged);
  std::size_t width = kFirstRadix;
  for (std::size_t i = 1; i + 1 < steps_.size(); ++i) {
    const RadixPass& step = steps_[i];
    const Split<T> to = other_half(x, scratch);
    passes.middle[step.radix](to, {x.re, x.im}, split_of(step.roots_re, step.roots_im), step.groups,
                              width);
    width *= step.radix;
    x = to;
  }
  return x;
}

template <class T>
void FftRow<T>::run(T* out, const T* in, T* scratch, bool is_inverse, T scale) const {
  const Split<T> x = run_but_last(in, scratch, is_inverse);
  const std::size_t radix = steps_.back().radix;
  fft_row_passes<T>().last[radix](out, {x.re, x.im}, size_ / radix, scale, is_inverse);
}

template <class T>
void FftRow<T>::run_real(T* out, const T* in, T* scratch) const {
  const FftRowPasses<T>& passes = fft_row_passes<T>();
  const Split<T> x = run_but_last(in, scratch, false);
  const Split<T> z = other_half(x, scratch);
  const RadixPass& step = steps_.back();
  passes.middle[step.radix](z, {x.re, x.im}, split_of(step.roots_re, step.roots_im), 1,
                            size_ / step.radix);
  passes.from_pairs(out, {z.re, z.im}, split_of(pair_roots_re_, pair_roots_im_), size_);
}

template <class T>
void FftRow<T>::run_real_inverse(T* out, const T* in, T* scratch) const {
  T* const pairs = scratch + 4 * size_;
  fft_row_passes<T>().to_pairs(pairs, in, split_of(pair_roots_re_, pair_roots_im_), size_);
  run(out, pairs, scratch, true, T(1) / static_cast<T>(size_));
}

template class FftRow<float>;
template class FftRow<double>;

}  // namespace rill
