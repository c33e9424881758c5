#pragma once

#include <chrono>

namespace rill::train {

inline constexpr double kSecondsPerHour = 3600;

// Since 1970, as checkpoint states have times.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace rill::train
