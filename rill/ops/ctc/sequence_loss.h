#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "rill/ops/ctc/ctc_states.h"
#include "rill/tensor/tensor.h"

namespace rill {

// The frames of one sequence; those of a batch lie between each other.
template <class T>
struct Frames {
  const T* logits;
  T* gradient;  // holds the softmax before
  std::int64_t count, stride, class_count;
};

// Sums over all alignments: those of the frames so far, kept for every frame, and those of the
// frames to come.
template <class T>
class SequenceLoss {
 public:
  SequenceLoss(const CtcStates& states, const Frames<T>& frames)
      : states_(states),
        frames_(frames),
        row_size_(states.count() + 2),
        slot_count_(static_cast<std::int64_t>(states.classes().size())),
        mantissas_(DType::f64, {frames.count, row_size_}),
        exponents_(DType::f64, {frames.count, row_size_}),
        factors_(static_cast<std::size_t>(2 * slot_count_)),
        shares_(static_cast<std::size_t>(states.count())),
        sums_(static_cast<std::size_t>(slot_count_)) {}

  // The loss; the softmax becomes the gradient.
  double run() {
    sum_forward();
    const std::int64_t last = states_.count() - 1;
    const WideNumbers ends = forward_row(frames_.count - 1);
    total_exponent_ = ends.exponent[last];
    total_mantissa_ = ends.mantissa[last];
    if (last > 0) add_to_total(ends + (last - 1));
    if (is_zero(total_exponent_)) return std::numeric_limits<double>::infinity();
    subtract_shares();
    return -(std::log(total_mantissa_) + total_exponent_ * std::numbers::ln2);
  }

 private:
  // Two zeros stand before each row for what its first states are entered from.
  WideNumbers forward_row(std::int64_t frame) {
    return WideNumbers{mantissas_.data<double>(), exponents_.data<double>()} +
           (frame * row_size_ + 2);
  }

  void add_to_total(WideNumbers number) {
    const double top = std::max(total_exponent_, *number.exponent);
    total_mantissa_ = total_mantissa_ * std::exp2(total_exponent_ - top) +
                      *number.mantissa * std::exp2(*number.exponent - top);
    total_exponent_ = top;
  }

  // The probabilities of a frame by slot. Those near the end of double's range are moved away from
  // it, so that mantissas stay normal.
  WideNumbers factors(std::int64_t frame) {
    const T* probabilities = frames_.gradient + frame * frames_.stride;
    const WideNumbers result{factors_.data(), factors_.data() + slot_count_};
    for (std::int64_t i = 0; i < slot_count_; ++i) {
      const auto p = static_cast<double>(probabilities[states_.classes()[i]]);
      const bool is_small = p < 0x1p-500;
      result.mantissa[i] = p > 0 ? (is_small ? p * 0x1p512 : p) : 1.0;
      result.exponent[i] = p > 0 ? (is_small ? -512.0 : 0.0) : kZeroExponent;
    }
    return result;
  }

  // Alignments start in one of the first two states.
  void start(WideNumbers row) const {
    set_zeros(row + -2, std::min<std::int64_t>(row_size_, 6));
    for (std::int64_t i = 0; i < std::min<std::int64_t>(2, states_.count()); ++i)
      row.exponent[i] = 0;
  }
  // What the next row reads beyond the band is 0.
  void set_edges(WideNumbers row, const Band& band) const {
    set_zeros(row + -2, 2);
    set_zeros(row + band.end, std::min<std::int64_t>(2, states_.count() - band.end));
  }

  void sum_forward() {
    for (std::int64_t t = 0; t < frames_.count; ++t) {
      const Band band = band_at(t, frames_.count, states_.count());
      const WideNumbers row = forward_row(t);
      if (t == 0) {
        start(row);
      } else {
        states_.forward(row, forward_row(t - 1), band.begin, band.end);
        set_edges(row, band);
      }
      ctc_rows().weigh(row + band.begin, factors(t), states_.slots() + band.begin, band.size());
    }
  }

  // From the last frame to the first; rows list the states from the last to the first.
  void subtract_shares() {
    std::vector<double> storage(static_cast<std::size_t>(4 * row_size_));
    WideNumbers row{storage.data() + 2, storage.data() + row_size_ + 2};
    WideNumbers before = row + 2 * row_size_;
    start(row);
    for (std::int64_t back = 0; back < frames_.count; ++back) {
      const std::int64_t t = frames_.count - 1 - back;
      const Band band = band_at(back, frames_.count, states_.count());
      if (back > 0) {
        std::swap(row, before);
        states_.backward(row, before, band.begin, band.end);
        set_edges(row, band);
      }
      subtract_shares_of(t, row, band);
    }
  }

  // `row` is what comes after frame t; on return, that frame is part of it.
  void subtract_shares_of(std::int64_t t, WideNumbers row, const Band& band) {
    const std::int64_t first = states_.count() - band.end;  // of the band, from the front
    ctc_rows().multiply(shares_.data(), forward_row(t) + first, row + (band.end - 1), band.size(),
                        1 / total_mantissa_, -total_exponent_);
    std::ranges::fill(sums_, 0.0);
    double blank = 0;
    const std::int32_t* slots = states_.slots() + first;
    for (std::int64_t i = first % 2; i < band.size(); i += 2) blank += shares_[i];
    for (std::int64_t i = 1 - first % 2; i < band.size(); i += 2) sums_[slots[i]] += shares_[i];
    sums_[0] = blank;
    ctc_rows().weigh(row + band.begin, factors(t), states_.slots_back() + band.begin, band.size());
    T* probabilities = frames_.gradient + t * frames_.stride;
    for (std::int64_t i = 0; i < slot_count_; ++i) {
      T& p = probabilities[states_.classes()[i]];
      p = static_cast<T>(static_cast<double>(p) - sums_[i]);
    }
  }

  const CtcStates& states_;
  const Frames<T>& frames_;
  const std::int64_t row_size_, slot_count_;
  Tensor mantissas_, exponents_;
  std::vector<double> factors_, shares_, sums_;
  double total_mantissa_ = 0, total_exponent_ = 0;
};

}  // namespace rill
