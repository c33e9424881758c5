#pragma once

#include <cstdint>
#include <vector>

#include "rill/board/log/columns.h"

namespace rill::board {

enum class ChartAxis { kStep, kWallTime, kRelativeTime };

struct ThinningOptions {
  ChartAxis axis = ChartAxis::kStep;
  double from = -HUGE_VAL, to = HUGE_VAL;  // of the axis: what is seen, and a point more each way
  double smoothing = 0;                    // 0 to below 1: TensorBoard's, an average without bias
  std::size_t columns = 500;               // of pixels; about four points for each remain
};

// A line that looks the same at that width: of each column of pixels the first, the smallest, the
// largest and the last point remain. Columns of numbers of equal length.
struct ThinLine {
  std::vector<double> x, steps, wall_times, values, smoothed;
  std::size_t total = 0;  // points of the whole series
};
ThinLine thin_line(const ScalarColumns& scalars, const ThinningOptions& options);

// TensorBoard's smoothing of a series; what is no number is left as it is.
std::vector<double> smoothed(const ScalarColumns& scalars, double weight);

}  // namespace rill::board
