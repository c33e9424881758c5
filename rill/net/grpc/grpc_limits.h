#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace rill::net {

// What one connection may take, and for how long. A connection that goes beyond is ended.
struct GrpcLimits {
  std::uint32_t max_streams = 1000;          // calls at once; clients wait with more
  std::uint32_t window_bytes = 64 << 10;     // of a request that come unasked
  std::int32_t wide_window_bytes = 1 << 20;  // the same of a large one, of which few may come
  int max_wide = 16;
  std::uint32_t max_frame_bytes = 64 << 10;
  std::uint32_t max_header_bytes = 16 << 10;  // of one call
  std::uint32_t max_headers = 128;
  std::uint64_t held_freely = 8 << 20;    // of unfinished requests; beyond, only the oldest grows
  std::uint64_t unsent_freely = 4 << 20;  // of answers; beyond, no new call is begun
  std::uint64_t max_held_bytes = std::uint64_t{4} << 30;  // of requests of all connections
  std::size_t max_connections = 4096;
  std::int64_t handshake_ms = 10'000;           // until HTTP/2 has begun
  std::int64_t request_ms = 30'000;             // between two pieces of a request
  std::int64_t stalled_ms = 30'000;             // in which a reader of answers must have taken
  std::int64_t min_bytes_per_second = 4 << 10;  // so many, if there are so many
  std::int64_t keepalive_ms = 7'200'000;  // of silence, after which the client is asked to answer
  std::int64_t keepalive_timeout_ms = 20'000;
  std::int64_t max_idle_ms = 0, max_age_ms = 0, max_age_grace_ms = 0;  // 0: as long as it wants
};

// How many frames a client may still send that are no work: pings, settings, priorities, windows,
// empty data; or calls that it takes back. It earns some with work, and a few as time goes by.
class FrameBudget {
 public:
  FrameBudget(std::int64_t most, std::int64_t per_second)
      : most_(most), per_second_(per_second), left_(most) {}
  void earn(std::int64_t count) { left_ = std::min(most_, left_ + count); }
  // False: it had none left.
  bool spend(std::int64_t now_nanos) {
    if (--left_ >= 0) return true;
    constexpr std::int64_t kSecond = 1'000'000'000;
    const std::int64_t since = std::min(now_nanos - refilled_, 60 * kSecond);
    refilled_ = now_nanos;
    left_ = std::min(most_, left_ + since / 1'000'000 * per_second_ / 1000);
    return left_ >= 0;
  }
  void begin(std::int64_t now_nanos) { refilled_ = now_nanos; }

 private:
  const std::int64_t most_, per_second_;
  std::int64_t left_, refilled_ = 0;
};

}  // namespace rill::net
