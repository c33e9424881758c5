#include "rill/base/clock.h"

#include <chrono>

#include "rill/base/scheduler.h"

namespace rill {

using namespace std::chrono;

namespace {

constexpr std::int64_t kSimulatedStartMicros = 1'500'000'000'000'000;

}  // namespace

std::int64_t wall_micros() {
  if (const Scheduler* const simulation = Scheduler::here())
    return kSimulatedStartMicros + simulation->now_nanos() / 1000;
  return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

std::int64_t monotonic_nanos() {
  if (const Scheduler* const simulation = Scheduler::here()) return simulation->now_nanos();
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace rill
