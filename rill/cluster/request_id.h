#pragma once

#include <cstdint>

namespace rill::cluster {

// Random, not zero: a number by which a request that came twice is known.
std::int64_t new_request_id();
// Random, of at most 57 bits, as TensorFlow's step ids.
std::int64_t new_step_id();
std::uint64_t new_incarnation();  // random, not zero

}  // namespace rill::cluster
