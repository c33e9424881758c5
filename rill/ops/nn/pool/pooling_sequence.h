#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rill/base/philox.h"

namespace rill {

// Cuts [0, length) into `count` windows whose sizes differ by one at most: in an order that is
// shuffled or, if `pseudo_random`, from where multiples of length / count fall after a random
// shift. Returns where windows start and where the last one ends. `stream` moves on by what was
// drawn, as TensorFlow's does. `count` is between 1 and `length`.
std::vector<std::int64_t> pooling_sequence(std::int64_t length, std::int64_t count,
                                           bool pseudo_random, Philox& stream);

struct Span {
  std::int64_t begin, end;
};

// The windows of a sequence over [0, length); each reaches into the next one if `overlapping`.
// Throws InvalidArgument when it does not rise within these bounds.
std::vector<Span> pooling_spans(std::span<const std::int64_t> sequence, std::int64_t length,
                                bool overlapping);

}  // namespace rill
