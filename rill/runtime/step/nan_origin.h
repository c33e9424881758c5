#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rill/tensor/dtype.h"

namespace rill {

// Whether a session looks for the node that made the first NaN of a step.
enum class FindNan : std::uint8_t {
  off,
  report,  // a warning, once for each node; the step goes on
  stop,    // the step ends with InvalidArgument
};

// What is in a tensor.
struct ValueSummary {
  std::string name;  // "sub:0"
  DType dtype = DType::invalid;
  std::vector<std::int64_t> shape;
  std::int64_t elements = 0, nans = 0, infinities = 0;
  double min = 0, max = 0, mean = 0;  // of the finite elements, where there are any
};

// The node that made a NaN, or an infinity, of inputs that held none; without an op, what was fed.
struct NanOrigin {
  std::string node, op, device;
  std::string line;     // "train.py:12": where the program made it; empty if that is not known
  std::string forward;  // of a gradient: "'z' (train.py:7)", the node that it is the gradient of
  bool is_nan = true;   // false: an infinity
  // Where it was there before the step: the variable, and the nodes that write it.
  std::string variable;
  std::vector<std::string> writers;
  ValueSummary output;
  std::vector<ValueSummary> inputs;
  // What follows from it: the node that made the infinity which this one made a NaN of.
  std::vector<NanOrigin> causes;  // none or one
};
std::string to_text(const NanOrigin& origin);  // several lines

// Told instead of the log; called on the thread of the run.
using OnNan = std::function<void(const NanOrigin&)>;

}  // namespace rill
