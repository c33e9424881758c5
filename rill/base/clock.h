#pragma once

#include <cstdint>

namespace rill {

std::int64_t wall_micros();      // since the Unix epoch
std::int64_t monotonic_nanos();  // for measuring spans

}  // namespace rill
