#include "rill/cluster/request_id.h"

#include <random>

#include "rill/base/scheduler.h"

namespace rill::cluster {
namespace {

std::uint64_t random_bits() {
  if (Scheduler* const simulation = Scheduler::here()) return simulation->random_bits() | 1;
  thread_local std::mt19937_64 generator = [] {
    std::random_device device;
    std::seed_seq seed{device(), device(), device(), device()};
    return std::mt19937_64(seed);
  }();
  for (;;)
    if (const std::uint64_t bits = generator(); bits != 0) return bits;
}

}  // namespace

std::int64_t new_request_id() { return static_cast<std::int64_t>(random_bits()); }
std::int64_t new_step_id() {
  return static_cast<std::int64_t>(random_bits() & ((std::uint64_t{1} << 56) - 1));
}
std::uint64_t new_incarnation() { return random_bits(); }

}  // namespace rill::cluster
