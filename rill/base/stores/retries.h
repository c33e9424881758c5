#pragma once

#include <cstdint>
#include <string>

#include "rill/base/error.h"
#include "rill/base/stores/http_exchange.h"

namespace rill::stores {

// How often and for how long a request is tried: RILL_STORE_RETRY_SECONDS (default 60; 0: once).
struct RetryLimits {
  double seconds = 60;
  int tries = 10;
};
RetryLimits retry_limits();

// The pauses between the tries of one request: random ones out of a range that doubles, or what the
// server asks for (Retry-After).
class Retries {
 public:
  Retries();
  // Whether there is to be another try; sleeps until then. `wished` are seconds, negative: none.
  bool again(double wished = -1);
  int tries() const { return tries_; }
  double seconds() const;  // since the first

 private:
  const RetryLimits limits_;
  const std::int64_t start_;
  int tries_ = 1;
};

// Answers that another try may change: 408, 429, 5xx (but for 501, 505).
bool is_passing(long status);
double seconds_to_wait(const HttpAnswer& answer);  // Retry-After; -1 where there is none

Code code_of_status(long status);

}  // namespace rill::stores
