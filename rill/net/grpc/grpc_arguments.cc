#include "rill/net/grpc/grpc_arguments.h"

#include <algorithm>
#include <limits>

#include "rill/base/text.h"

namespace rill::net {
namespace {

constexpr long long kMaxInt = std::numeric_limits<int>::max();  // gRPC's "for ever"

std::int64_t millis(long long value) { return value >= kMaxInt || value < 0 ? 0 : value; }
std::uint32_t between(long long value, std::uint32_t least, std::uint32_t most) {
  return static_cast<std::uint32_t>(std::clamp<long long>(value, least, most));
}

bool apply(const std::string& name, long long value, GrpcHost* host) {
  GrpcLimits& limits = host->limits;
  constexpr std::uint32_t kMaxFrame = (1 << 24) - 1;
  if (name == "grpc.max_concurrent_streams")
    limits.max_streams = between(value, 1, 1 << 20);
  else if (name == "grpc.max_metadata_size")
    limits.max_header_bytes = between(value, 1 << 10, 1 << 20);
  else if (name == "grpc.http2.max_frame_size")
    limits.max_frame_bytes = between(value, 1 << 14, kMaxFrame);
  else if (name == "grpc.max_receive_message_length")
    host->max_request_bytes = value < 0 ? kMaxInt : std::min(value, kMaxInt);
  else if (name == "grpc.keepalive_time_ms")
    limits.keepalive_ms = millis(value);
  else if (name == "grpc.keepalive_timeout_ms")
    limits.keepalive_timeout_ms = millis(value);
  else if (name == "grpc.max_connection_idle_ms")
    limits.max_idle_ms = millis(value);
  else if (name == "grpc.max_connection_age_ms")
    limits.max_age_ms = millis(value);
  else if (name == "grpc.max_connection_age_grace_ms")
    limits.max_age_grace_ms = millis(value);
  else if (name == "grpc.default_compression_algorithm")
    host->packs_answers = value != 0;
  else
    return false;
  return true;
}

}  // namespace

std::vector<std::string> apply_channel_arguments(
    const std::vector<std::pair<std::string, std::string>>& arguments, GrpcHost* host) {
  std::vector<std::string> unused;
  for (const auto& [name, text] : arguments) {
    long long value = 0;
    if (!parse_int(text, &value) || !apply(name, value, host)) unused.push_back(name);
  }
  return unused;
}

}  // namespace rill::net
