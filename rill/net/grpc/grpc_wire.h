#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rill::net {

// What gRPC writes into HTTP/2: messages behind a prefix of five bytes, and headers of its own.
constexpr std::size_t kGrpcPrefix = 5;
std::string with_grpc_prefix(std::string_view message, bool packed = false);
void write_grpc_prefix(std::size_t size, bool packed, char* to);

enum class GrpcEncoding { kIdentity, kDeflate, kGzip };
std::optional<GrpcEncoding> grpc_encoding(std::string_view name);

// Makes messages of bytes, however they are cut.
class GrpcMessageReader {
 public:
  explicit GrpcMessageReader(std::uint64_t max_bytes) : max_bytes_(max_bytes) {}
  // Moves bytes that belong to the next message out of `bytes`; true when it is whole and taken
  // with take(). Throws ResourceExhausted for one that is too large, Internal for what is none.
  bool feed(std::string_view* bytes);
  struct Message {
    std::string bytes;
    bool is_packed = false;
  };
  Message take();
  bool has_begun() const { return prefix_size_ > 0; }

 private:
  const std::uint64_t max_bytes_;
  char prefix_[kGrpcPrefix] = {};
  std::size_t prefix_size_ = 0;
  std::uint32_t size_ = 0;
  std::string body_;
};

// Throws ResourceExhausted when there is more than `max_bytes` in it, InvalidArgument when it
// cannot be unpacked, Internal when nobody said how.
std::string unpacked(const std::string& packed, GrpcEncoding encoding, std::uint64_t max_bytes);
std::string gzipped(std::string_view bytes);

// The nanoseconds of a grpc-timeout ("5S", "100m"); nothing when it is none.
std::optional<std::int64_t> grpc_timeout_nanos(std::string_view text);
// A text as grpc-message has it: what is not printable ASCII stands as %XX.
std::string percent_encoded(std::string_view text);
std::string percent_decoded(std::string_view text);
// A grpc-timeout of so many milliseconds.
std::string grpc_timeout_text(std::int64_t millis);

}  // namespace rill::net
