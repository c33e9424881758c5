#pragma once

#include <cstdint>
#include <functional>

namespace rill {

// Tells a step's kernels that the step is over: an error elsewhere, a timeout, a closed session.
class Cancellation {
 public:
  virtual ~Cancellation() = default;
  virtual bool cancelled() const = 0;
  // Calls `wake` once when the step is cancelled, at once if it is already. Returns a token for
  // forget(), which waits for a running `wake` to end.
  virtual std::int64_t on_cancel(std::function<void()> wake) = 0;
  virtual void forget(std::int64_t token) = 0;
};

}  // namespace rill
