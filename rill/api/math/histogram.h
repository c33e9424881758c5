#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill {

struct HistogramBinsOptions {
  Input nbins = 100;
  DType dtype = DType::i32;
  std::string name{};
};
// Which of `nbins` equal parts of the range [value_range[0], value_range[1]] each value falls into,
// in the shape of values: floor(nbins * (v - low) / (high - low)). Values outside of it fall into
// the first or last. The step fails unless nbins is positive.
Output histogram_fixed_width_bins(const Input& values, const Input& value_range,
                                  const HistogramBinsOptions& options = {},
                                  std::source_location at = std::source_location::current());

}  // namespace rill
