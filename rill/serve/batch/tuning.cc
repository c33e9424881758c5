#include "rill/serve/batch/tuning.h"

#include <algorithm>
#include <bit>
#include <ranges>
#include <utility>

namespace rill::serve {
namespace {

constexpr double kForgotten = 0.002;  // of the quickest, at each step of its size
constexpr int kStepsBetweenChoices = 8;
constexpr double kShare = 0.05;        // of a step that may go into what rows do not need
constexpr double kLargerShare = 0.25;  // of one that runs beside another
constexpr std::int64_t kMin = 8, kMax = 1024;

}  // namespace

std::int64_t round_rows(std::int64_t rows) {
  constexpr std::int64_t kAll = 16;
  if (rows <= kAll) return rows;
  const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(rows)));
  return rows >= power + power / 2 ? power + power / 2 : power;
}

void BatchTuning::add_step(std::int64_t rows, std::int64_t nanos) {
  const int size = std::clamp(
      static_cast<int>(std::bit_width(static_cast<std::uint64_t>(rows))) - 1, 0, kSizes - 1);
  Quickest& quickest = quickest_[size];
  quickest.nanos *= 1 + kForgotten;
  if (const auto n = static_cast<double>(rows), t = static_cast<double>(nanos);
      quickest.rows == 0 || t < quickest.nanos)
    quickest = {n, t};
  if (rows >= max_rows_) ++full_;
  if (++steps_ % kStepsBetweenChoices == 0) choose();
}

// The line through the smallest and the largest steps that were seen. Steps of one size tell
// nothing about its slope; then twice as many rows are joined once batches are full, to see.
void BatchTuning::choose() {
  const bool are_full = std::exchange(full_, 0) == kStepsBetweenChoices;
  const auto seen = [](const Quickest& quickest) { return quickest.rows > 0; };
  const Quickest& small = *std::ranges::find_if(quickest_, seen);
  const Quickest& large = *std::ranges::find_if(std::views::reverse(quickest_), seen);
  if (&small == &large) {
    if (are_full) max_rows_ = std::min(kMax, 2 * max_rows_);
    return;
  }
  const double per_row = std::max(0.0, (large.nanos - small.nanos) / (large.rows - small.rows));
  const double per_step = std::max(0.0, small.nanos - per_row * small.rows);
  const auto rows_for = [&](double share) {  // of which what is for each step takes that share
    const double rows = per_row * kMax * share > per_step ? per_step / per_row / share : kMax;
    return static_cast<std::int64_t>(rows + 0.5);
  };
  // Not more than twice or half as many at a time: times are noisy.
  max_rows_ = round_rows(
      std::clamp(std::clamp(rows_for(kShare), max_rows_ / 2, max_rows_ * 2), kMin, kMax));
  enough_rows_ = std::clamp(rows_for(kLargerShare), std::int64_t{1}, max_rows_);
}

}  // namespace rill::serve
