#include "rill/ops/spectral/fft_plan.h"

#include <algorithm>
#include <complex>
#include <list>
#include <mutex>

#include "rill/base/error.h"
#include "rill/base/memory.h"
#include "rill/ops/spectral/roots_of_unity.h"
#include "rill/ops/spectral/split_vectors.h"

namespace rill {
namespace {

constexpr std::size_t kMinSide = 32;  // of a matrix whose columns fill vectors well
constexpr std::size_t kPlansKept = 48;

template <class T>
Split<const T> constant(Split<T> x) {
  return {x.re, x.im};
}

// The radices of a length, empty when a prime factor is too large.
std::vector<std::size_t> radices_of(std::size_t size) {
  std::vector<std::size_t> radices;
  const auto take = [&](std::size_t radix) {
    while (size % radix == 0) {
      radices.push_back(radix);
      size /= radix;
    }
  };
  for (const std::size_t radix : {8, 4, 2, 3, 5}) take(radix);
  // 2 after some 8s: two passes of 4 are cheaper than one of 8 and one of 2.
  if (const auto two = std::ranges::find(radices, std::size_t{2});
      two != radices.end() && !radices.empty() && radices[0] == 8) {
    radices[0] = 4;
    *two = 4;
  }
  for (std::size_t radix = 7; radix <= kMaxFftRadix; radix += 2) take(radix);
  if (size > 1) radices.clear();
  return radices;
}

std::size_t smooth_at_least(std::size_t size) {
  std::size_t best = 1;
  while (best < size) best *= 2;
  for (const std::size_t start : {3, 5, 9, 15}) {
    std::size_t n = start;
    while (n < size) n *= 2;
    best = std::min(best, n);
  }
  return best;
}

}  // namespace

template <class T>
FftPlan<T>::FftPlan(std::size_t size) : size_(size) {
  if (size == 1) return;
  if (FftRow<T>::fits(size)) row_ = std::make_unique<FftRow<T>>(size);
  make_steps();
  if (steps_.empty()) make_chirp();
}

template <class T>
void FftPlan<T>::make_steps() {
  std::size_t left = size_;
  for (const std::size_t radix : radices_of(size_)) {
    RadixPass step{.radix = radix, .groups = left / radix};
    for (std::size_t p = 0; p < step.groups; ++p)
      for (std::size_t k = 1; k < radix; ++k)
        append_complex(step.roots_re, step.roots_im, root_of_unity(p * k % left, left));
    for (std::size_t k = 0; k < radix && radix > 5 && radix != 8; ++k)
      append_complex(step.circle_re, step.circle_im, root_of_unity(k, radix));
    steps_.push_back(std::move(step));
    left /= radix;
  }
  if (!steps_.empty()) make_square();
}

template <class T>
void FftPlan<T>::make_square() {
  std::size_t side = 0;  // the largest divisor up to the square root
  for (std::size_t d = kMinSide; d * d <= size_; ++d)
    if (size_ % d == 0) side = d;
  if (side == 0) return;
  columns_ = std::make_shared<FftPlan>(side);
  rows_ = std::make_shared<FftPlan>(size_ / side);
  for (std::size_t k = 0; k < side; ++k)
    for (std::size_t n = 0; n < size_ / side; ++n)
      append_complex(between_re_, between_im_, root_of_unity(k * n % size_, size_));
}

template <class T>
void FftPlan<T>::make_chirp() {
  const std::size_t longer = smooth_at_least(2 * size_ - 1);
  convolution_ = find(longer);
  const auto chirp = [this](std::size_t k) {  // exp(-pi i k^2 / size)
    // A length that fits into memory has a square that fits into 64 bits, all but the top ones.
    return root_of_unity(k * k % (2 * size_), 2 * size_);
  };
  for (std::size_t k = 0; k < size_; ++k) append_complex(chirp_re_, chirp_im_, chirp(k));
  filter_re_.resize(longer);
  filter_im_.resize(longer);
  for (std::size_t k = 0; k < size_; ++k)
    for (const std::size_t place : {k, (longer - k) % longer}) {
      const std::complex<double> value = std::conj(chirp(k)) / static_cast<double>(longer);
      filter_re_[place] = static_cast<T>(value.real());
      filter_im_[place] = static_cast<T>(value.imag());
    }
  std::vector<T> scratch(2 * convolution_->scratch_size(1));
  const Split<T> at{filter_re_.data(), filter_im_.data()};
  const Split<T> result =
      convolution_->run(at, {scratch.data(), scratch.data() + scratch.size() / 2}, 1);
  if (result.re == at.re) return;
  std::copy_n(result.re, longer, at.re);
  std::copy_n(result.im, longer, at.im);
}

template <class T>
std::size_t FftPlan<T>::scratch_size(std::size_t width) const {
  if (!convolution_) return size_ * width;
  return convolution_->size() * width + convolution_->scratch_size(width);
}

template <class T>
Split<T> FftPlan<T>::run(Split<T> x, Split<T> scratch, std::size_t width) const {
  if (size_ == 1) return x;
  return convolution_ ? run_chirp(x, scratch, width) : run_steps(x, scratch, width);
}

template <class T>
Split<T> FftPlan<T>::run_steps(Split<T> x, Split<T> scratch, std::size_t width) const {
  const FftPasses<T>& passes = fft_passes<T>();
  Split<T> from = x, to = scratch;
  for (const RadixPass& step : steps_) {
    const Split<const T> in = constant(from), roots = split_of(step.roots_re, step.roots_im);
    // Rows that earlier steps have made neighbours are transformed together.
    const auto run = [&](FftPass<T> pass) { pass(to, in, roots, step.groups, width); };
    switch (step.radix) {
      case 2:
        run(passes.radix2);
        break;
      case 3:
        run(passes.radix3);
        break;
      case 4:
        run(passes.radix4);
        break;
      case 5:
        run(passes.radix5);
        break;
      case 8:
        run(passes.radix8);
        break;
      default:
        passes.odd_radix(to, in, roots, step.groups, width, step.radix,
                         split_of(step.circle_re, step.circle_im));
    }
    width *= step.radix;
    std::swap(from, to);
  }
  return from;
}

// x becomes the transform of x by: X[k] = chirp[k] sum (x[n] chirp[n]) conj(chirp[k - n]).
template <class T>
Split<T> FftPlan<T>::run_chirp(Split<T> x, Split<T> scratch, std::size_t width) const {
  const FftPasses<T>& passes = fft_passes<T>();
  const std::size_t longer = convolution_->size();
  const Split<T> padded = scratch, rest = scratch + longer * width;
  const auto times_row = [&](Split<T> to, Split<const T> from, T re, T im) {
    for (std::size_t q = 0; q < width; ++q) {
      const T a = from.re[q], b = from.im[q];
      to.re[q] = a * re - b * im;
      to.im[q] = a * im + b * re;
    }
  };
  for (std::size_t n = 0; n < size_; ++n)
    times_row(padded + n * width, constant(x + n * width), chirp_re_[n], chirp_im_[n]);
  std::fill_n(padded.re + size_ * width, (longer - size_) * width, T(0));
  std::fill_n(padded.im + size_ * width, (longer - size_) * width, T(0));
  const auto convolve = [&](Split<T> data, Split<T> room) {
    return width == 1 ? convolution_->run_alone(data, room) : convolution_->run(data, room, width);
  };
  const Split<T> spectrum = convolve(padded, rest);
  if (width == 1)
    passes.multiply(spectrum, split_of(filter_re_, filter_im_), longer);
  else
    for (std::size_t k = 0; k < longer; ++k)
      times_row(spectrum + k * width, constant(spectrum + k * width), filter_re_[k], filter_im_[k]);
  // With the parts exchanged a forward transform goes back.
  const Split<T> other = spectrum.re == padded.re ? rest : padded;
  const Split<T> back = convolve({spectrum.im, spectrum.re}, {other.im, other.re});
  for (std::size_t k = 0; k < size_; ++k)
    times_row(x + k * width, constant(Split<T>{back.im, back.re} + k * width), chirp_re_[k],
              chirp_im_[k]);
  return x;
}

template <class T>
std::size_t FftPlan<T>::row_scratch_size() const {
  if (row_) return row_->scratch_size();
  return 2 * convolution_->size_ + convolution_->row_->scratch_size();
}

template <class T>
void FftPlan<T>::run_row(T* out, const T* in, T* scratch, bool is_inverse) const {
  if (!row_) return run_chirp_row(out, in, scratch, is_inverse);
  row_->run(out, in, scratch, is_inverse, is_inverse ? T(1) / static_cast<T>(size_) : T(1));
}

// run_chirp() of one row. An inverse transform is the forward one with the parts exchanged.
template <class T>
void FftPlan<T>::run_chirp_row(T* out, const T* in, T* scratch, bool is_inverse) const {
  const FftRow<T>& row = *convolution_->row_;
  const std::size_t longer = convolution_->size_, re = is_inverse ? 1 : 0, im = 1 - re;
  T *const padded = scratch, *const rest = scratch + 2 * longer;
  const auto times = [](T* to, T a, T b, T c, T d) {
    to[0] = a * c - b * d;
    to[1] = a * d + b * c;
  };
  for (std::size_t n = 0; n < size_; ++n)
    times(padded + 2 * n, in[2 * n + re], in[2 * n + im], chirp_re_[n], chirp_im_[n]);
  std::fill_n(padded + 2 * size_, 2 * (longer - size_), T(0));
  row.run(padded, padded, rest, false, 1);
  for (std::size_t k = 0; k < longer; ++k)
    times(padded + 2 * k, padded[2 * k], padded[2 * k + 1], filter_re_[k], filter_im_[k]);
  row.run(padded, padded, rest, true, is_inverse ? T(1) / static_cast<T>(size_) : T(1));
  for (std::size_t k = 0; k < size_; ++k) {
    T value[2];
    times(value, padded[2 * k], padded[2 * k + 1], chirp_re_[k], chirp_im_[k]);
    out[2 * k] = value[re];
    out[2 * k + 1] = value[im];
  }
}

template <class T>
Split<T> FftPlan<T>::run_alone(Split<T> x, Split<T> scratch) const {
  if (!columns_) return run(x, scratch, 1);
  const FftPasses<T>& passes = fft_passes<T>();
  const Split<T> mixed = columns_->run(x, scratch, rows_->size());
  passes.multiply(mixed, split_of(between_re_, between_im_), size_);
  const Split<T> turned = mixed.re == x.re ? scratch : x;
  passes.transpose(turned, constant(mixed), columns_->size(), rows_->size());
  return rows_->run(turned, mixed, columns_->size());
}

template <class T>
std::shared_ptr<const FftPlan<T>> FftPlan<T>::find(std::size_t size) {
  static std::mutex mutex;
  static std::list<std::shared_ptr<const FftPlan>> kept;  // the latest first
  {
    const std::lock_guard lock(mutex);
    for (auto it = kept.begin(); it != kept.end(); ++it)
      if ((*it)->size() == size) {
        kept.splice(kept.begin(), kept, it);
        return kept.front();
      }
  }
  constexpr std::size_t kBytesPerElement = 24 * sizeof(T);
  if (size > available_memory() / kBytesPerElement)
    raise(Code::kResourceExhausted, "no memory for a Fourier transform of length ", size);
  auto plan = std::make_shared<const FftPlan>(size);
  const std::lock_guard lock(mutex);
  kept.push_front(plan);
  if (kept.size() > kPlansKept) kept.pop_back();
  return plan;
}

template class FftPlan<float>;
template class FftPlan<double>;

}  // namespace rill
