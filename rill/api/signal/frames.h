#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::signal {

struct FrameOptions {
  bool pad_end = false;  // the last frames may reach beyond the end
  Input pad_value = 0;
  Input axis = -1;
  std::string name = {};
};
// The windows of `frame_length` that a signal is seen through, `frame_step` apart, along a new
// dimension before the samples': [..., frames, frame_length]. What is left over at the end is
// dropped, unless pad_end. Throws InvalidArgument for a scalar signal or a step that is not
// positive.
Output frame(const Input& signal, const Input& frame_length, const Input& frame_step,
             const FrameOptions& options = {},
             std::source_location at = std::source_location::current());

struct OverlapAndAddOptions {
  std::string name = {};
};
// The sum of frames [..., frames, length] that are `frame_step` apart; the inverse of frame where
// they do not overlap. Throws InvalidArgument when there are fewer than two dimensions, or the step
// is no positive integer.
Output overlap_and_add(const Input& signal, const Input& frame_step,
                       const OverlapAndAddOptions& options = {},
                       std::source_location at = std::source_location::current());

}  // namespace rill::signal
