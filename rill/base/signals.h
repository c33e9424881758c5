#pragma once

#include <cstdint>
#include <initializer_list>

namespace rill {

// Signals that a thread waits for instead of having the process ended by them. To be made before
// other threads are, which inherit it; for the life of the process.
class AwaitedSignals {
 public:
  explicit AwaitedSignals(std::initializer_list<int> numbers);
  // The next of them, or 0 when none has come in this time.
  int wait(std::int64_t millis);

 private:
  std::initializer_list<int>::size_type count_ = 0;
  int numbers_[8] = {};
};

}  // namespace rill
