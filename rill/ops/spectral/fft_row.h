#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "rill/ops/spectral/fft_passes.h"

namespace rill {

constexpr std::size_t kFirstRadix = 8;  // of a row's first step
constexpr std::size_t kMaxRowRadix = 8;

// The steps of a transform of one row that lies in memory as complex numbers, real part first.
// Vectors run along the row: over groups in the first step, over neighbours in the others.
// `is_exchanged`: real and imaginary parts change places, which makes an inverse transform.
template <class T>
struct FftRowPasses {
  // Roots are [kFirstRadix - 1][groups]; `groups` is a multiple of the vectors' lanes.
  void (*first)(Split<T> out, const T* in, Split<const T> roots, std::size_t groups,
                bool is_exchanged);
  // By radix; `width` is a multiple of kFirstRadix.
  std::array<FftPass<T>, kMaxRowRadix + 1> middle;
  // The last step, with one group. The numbers are multiplied by `scale`.
  using Last = void (*)(T* out, Split<const T> in, std::size_t width, T scale, bool is_exchanged);
  std::array<Last, kMaxRowRadix + 1> last;
  // Between the transform of `size` complex numbers that are pairs of real ones, and the first half
  // of the transform of those 2 * size real ones: size + 1 numbers.
  void (*from_pairs)(T* out, Split<const T> z, Split<const T> roots, std::size_t size);
  void (*to_pairs)(T* z, const T* in, Split<const T> roots, std::size_t size);
};

template <class T>
const FftRowPasses<T>& fft_row_passes();
template <>
const FftRowPasses<float>& fft_row_passes<float>();
template <>
const FftRowPasses<double>& fft_row_passes<double>();

// How one row of a length is transformed. Safe to use from several threads.
template <class T>
class FftRow {
 public:
  static bool fits(std::size_t size);  // only such lengths have steps like this
  explicit FftRow(std::size_t size);

  std::size_t scratch_size() const { return 6 * size_; }
  // `in` and `out` are `size` complex numbers, and may be the same. The result is multiplied by
  // `scale`; nothing else divides inverse transforms.
  void run(T* out, const T* in, T* scratch, bool is_inverse, T scale) const;
  // Of 2 * size real numbers, to size + 1 complex ones; and back, divided by their number.
  void run_real(T* out, const T* in, T* scratch) const;
  void run_real_inverse(T* out, const T* in, T* scratch) const;

 private:
  struct RadixPass {
    std::size_t radix, groups;
    std::vector<T> roots_re, roots_im;
  };
  // All steps but the last; the result is in `scratch`.
  Split<T> run_but_last(const T* in, T* scratch, bool is_exchanged) const;
  Split<T> other_half(Split<T> used, T* scratch) const;

  const std::size_t size_;
  std::vector<RadixPass> steps_;
  std::vector<T> pair_roots_re_, pair_roots_im_;  // of a length twice as large
};

}  // namespace rill
