#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rill/ops/ctc/ctc_rows.h"

namespace rill {

// The states that an alignment goes through: each label, with blanks before, between and after.
class CtcStates {
 public:
  // `merge_repeated`: a label may last several frames, and two equal ones need a blank between.
  CtcStates(std::span<const std::int32_t> labels, std::int32_t blank, bool merge_repeated);

  std::int64_t count() const { return static_cast<std::int64_t>(slots_.size()); }
  // The classes there are; number 0 is the blank.
  std::span<const std::int32_t> classes() const { return classes_; }
  // Which of them each state has, and each state counted from the last one.
  const std::int32_t* slots() const { return slots_.data(); }
  const std::int32_t* slots_back() const { return slots_back_.data(); }

  // One frame on: what arrives at the states [begin, end) from those of `from`, whose elements
  // begin - 2, ..., end - 1 are read.
  void forward(WideNumbers to, WideNumbers from, std::int64_t begin, std::int64_t end) const {
    ctc_rows().advance(to, from, stay_.data(), skip_.data(), begin, end);
  }
  // The same for a row that lists the states from the last to the first, one frame back.
  void backward(WideNumbers to, WideNumbers from, std::int64_t begin, std::int64_t end) const {
    ctc_rows().advance(to, from, stay_back_.data(), skip_back_.data(), begin, end);
  }

 private:
  std::vector<std::int32_t> classes_, slots_, slots_back_;
  // By state, 0 or kZeroExponent: whether it may last, and be entered past a blank.
  std::vector<double> stay_, skip_, stay_back_, skip_back_;
};

// The states that alignments can be in at a frame, so that every label still gets one.
struct Band {
  std::int64_t begin, end;
  std::int64_t size() const { return end - begin; }
};
inline Band band_at(std::int64_t frame, std::int64_t frames, std::int64_t states) {
  const std::int64_t begin = states - 2 * (frames - frame), end = 2 * (frame + 1);
  return {begin > 0 ? begin : 0, end < states ? end : states};
}

}  // namespace rill
