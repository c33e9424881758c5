#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "rill/ops/spectral/fft_passes.h"
#include "rill/ops/spectral/fft_row.h"

namespace rill {

// How transforms of one length are computed, with all roots of unity they need. Safe to use from
// several threads.
template <class T>
class FftPlan {
 public:
  // From the process's store. `size` is at least 1. Throws ResourceExhausted where the roots do not
  // fit into memory.
  static std::shared_ptr<const FftPlan> find(std::size_t size);

  explicit FftPlan(std::size_t size);

  std::size_t size() const { return size_; }
  // Scratch elements that run() needs for rows of `width`.
  std::size_t scratch_size(std::size_t width) const;

  // `width` forward transforms side by side: x is [size][width], and so is the result, which is at
  // the place returned: x itself or the scratch.
  Split<T> run(Split<T> x, Split<T> scratch, std::size_t width) const;
  // One forward transform of a sequence, as above with a width of 1; a long one is cut into a
  // matrix.
  Split<T> run_alone(Split<T> x, Split<T> scratch) const;
  // Whether single rows have a way of their own, which is the quickest; complex numbers are read
  // and written real part first, and inverse transforms divided by their length.
  bool has_row() const { return row_ || (convolution_ && convolution_->row_); }
  std::size_t row_scratch_size() const;
  void run_row(T* out, const T* in, T* scratch, bool is_inverse) const;
  // That way itself, for lengths that need no convolution; nullptr for others.
  const FftRow<T>* row() const { return row_.get(); }
  // Whether transforms are as quick one by one as side by side.
  bool is_quick_alone() const { return columns_ || (convolution_ && convolution_->columns_); }

 private:
  struct RadixPass {
    std::size_t radix, groups;
    std::vector<T> roots_re, roots_im;    // [groups][radix - 1]
    std::vector<T> circle_re, circle_im;  // of radices without a pass of their own
  };
  void make_steps();
  void make_chirp();
  void make_square();
  Split<T> run_steps(Split<T> x, Split<T> scratch, std::size_t width) const;
  Split<T> run_chirp(Split<T> x, Split<T> scratch, std::size_t width) const;
  void run_chirp_row(T* out, const T* in, T* scratch, bool is_inverse) const;

  const std::size_t size_;
  std::unique_ptr<const FftRow<T>> row_;
  std::vector<RadixPass> steps_;
  // Bluestein: a convolution with a chirp, done by transforms of a longer, smoother length.
  std::shared_ptr<const FftPlan> convolution_;
  std::vector<T> chirp_re_, chirp_im_, filter_re_, filter_im_;
  // The sides of the matrix for run_alone(), and the roots between its columns and rows.
  std::shared_ptr<const FftPlan> columns_, rows_;
  std::vector<T> between_re_, between_im_;
};

}  // namespace rill
