#include "rill/api/saver/checkpoints_iterator.h"

#include <chrono>
#include <thread>

#include "rill/api/saver/checkpoint_state.h"

namespace rill::train {

namespace {

using Seconds = std::chrono::duration<double>;

double now() { return Seconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

std::optional<std::string> CheckpointsIterator::next() {
  if (seen_) std::this_thread::sleep_for(Seconds(given_ + options_.min_interval_secs - now()));
  for (;;) {
    const auto newest =
        wait_for_new_checkpoint(directory_, seen_.value_or(""), {.timeout = options_.timeout});
    if (newest) {
      given_ = now();
      return seen_ = newest;
    }
    if (!options_.timeout_fn || options_.timeout_fn()) return std::nullopt;
  }
}

}  // namespace rill::train
