#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace rill {

// Whether something happens within a while.
inline bool await(const std::function<bool()>& done, int millis = 5000) {
  for (int i = 0; i < millis; ++i) {
    if (done()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace rill
