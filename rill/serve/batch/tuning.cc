#include "rill/serve/batch/tuning.h"

#include <algorithm>

namespace rill::serve {
namespace {

constexpr double kKept = 0.98;  // of the weight of older steps, at each new one
constexpr int kStepsBetweenChoices = 8;
constexpr double kShare = 0.05;        // of a step that may go into what rows do not need
constexpr double kLargerShare = 0.25;  // of one that runs beside another
constexpr std::int64_t kFewest = 8, kMost = 1024;

}  // namespace

void BatchTuning::add_step(std::int64_t rows, std::int64_t nanos) {
  const auto n = static_cast<double>(rows), t = static_cast<double>(nanos);
  for (double* sum : {&weight_, &rows_, &nanos_, &squares_, &products_}) *sum *= kKept;
  weight_ += 1;
  rows_ += n;
  nanos_ += t;
  squares_ += n * n;
  products_ += n * t;
  if (++steps_ % kStepsBetweenChoices == 0) choose();
}

// The line through what was seen. Steps of one size tell nothing about its slope; then as many are
// joined as would have been, and twice as many once batches are full, to see.
void BatchTuning::choose() {
  const double spread = weight_ * squares_ - rows_ * rows_;
  if (spread < 0.01 * rows_ * rows_) {
    if (rows_ >= 0.9 * weight_ * static_cast<double>(most_rows_))
      most_rows_ = std::min(kMost, 2 * most_rows_);
    return;
  }
  const double per_row = (weight_ * products_ - rows_ * nanos_) / spread;
  const double per_step = (nanos_ - per_row * rows_) / weight_;
  std::int64_t wanted = kMost;
  if (per_step <= 0)
    wanted = kFewest;
  else if (per_row > 0 && per_step / per_row < kShare * static_cast<double>(kMost))
    wanted = static_cast<std::int64_t>(per_step / per_row / kShare);
  const double ratio = per_row > 0 ? std::max(per_step, 0.0) / per_row : kMost;
  // Not more than twice or half as many at a time: times are noisy.
  wanted = std::clamp(wanted, most_rows_ / 2, most_rows_ * 2);
  most_rows_ = std::clamp(wanted, kFewest, kMost);
  enough_rows_ = std::clamp(
      static_cast<std::int64_t>(std::min(ratio / kLargerShare + 0.5, static_cast<double>(kMost))),
      std::int64_t{1}, most_rows_);
}

}  // namespace rill::serve
