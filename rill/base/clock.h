#pragma once

#include <cstdint>

namespace rill {

std::int64_t wall_micros();  // since the Unix epoch
inline double wall_seconds() { return static_cast<double>(wall_micros()) / 1e6; }
std::int64_t monotonic_nanos();  // for measuring spans

}  // namespace rill
