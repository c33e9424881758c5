#include "rill/base/clock.h"

#include <chrono>

namespace rill {

using namespace std::chrono;

std::int64_t wall_micros() {
  return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

std::int64_t monotonic_nanos() {
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace rill
