#include "rill/api/saver/checkpoints_iterator.h"

#include <thread>

#include "rill/api/saver/checkpoint_state.h"

namespace rill::train {

std::optional<std::string> CheckpointsIterator::next() {
  if (seen_)
    std::this_thread::sleep_until(given_ +
                                  std::chrono::duration_cast<std::chrono::nanoseconds>(
                                      std::chrono::duration<double>(options_.min_interval_secs)));
  for (;;) {
    const auto newest =
        wait_for_new_checkpoint(directory_, seen_.value_or(""), {.timeout = options_.timeout});
    if (newest) {
      given_ = std::chrono::steady_clock::now();
      return seen_ = newest;
    }
    if (!options_.timeout_fn || options_.timeout_fn()) return std::nullopt;
  }
}

}  // namespace rill::train
