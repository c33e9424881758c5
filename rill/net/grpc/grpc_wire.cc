#include "rill/net/grpc/grpc_wire.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "rill/base/error.h"

namespace rill::net {
namespace {

constexpr int kGzipWindow = 15 + 16, kZlibWindow = 15;

}  // namespace

void write_grpc_prefix(std::size_t size, bool packed, char* to) {
  to[0] = packed ? 1 : 0;
  for (int i = 0; i < 4; ++i) to[1 + i] = static_cast<char>(size >> (24 - 8 * i));
}

std::string with_grpc_prefix(std::string_view message, bool packed) {
  std::string bytes(kGrpcPrefix, '\0');
  write_grpc_prefix(message.size(), packed, bytes.data());
  return bytes.append(message);
}

std::optional<GrpcEncoding> grpc_encoding(std::string_view name) {
  if (name.empty() || name == "identity") return GrpcEncoding::kIdentity;
  if (name == "gzip") return GrpcEncoding::kGzip;
  if (name == "deflate") return GrpcEncoding::kDeflate;
  return std::nullopt;
}

bool GrpcMessageReader::feed(std::string_view* bytes) {
  while (prefix_size_ < kGrpcPrefix) {
    if (bytes->empty()) return false;
    prefix_[prefix_size_++] = bytes->front();
    bytes->remove_prefix(1);
    if (prefix_size_ < kGrpcPrefix) continue;
    if (prefix_[0] != 0 && prefix_[0] != 1)
      raise(Code::kInternal, "Invalid GRPC frame type: ", static_cast<int>(prefix_[0]));
    size_ = 0;
    for (int i = 1; i < 5; ++i) size_ = (size_ << 8) | static_cast<unsigned char>(prefix_[i]);
    if (size_ > max_bytes_)
      raise(Code::kResourceExhausted, "Received message larger than max (", size_, " vs. ",
            max_bytes_, ")");
  }
  const std::size_t taken = std::min<std::size_t>(bytes->size(), size_ - body_.size());
  // What is announced is only believed once half of it is there.
  if (body_.size() + taken > body_.capacity() && size_ / 2 <= body_.size() + taken)
    body_.reserve(size_);
  body_.append(bytes->substr(0, taken));
  bytes->remove_prefix(taken);
  return body_.size() == size_;
}

GrpcMessageReader::Message GrpcMessageReader::take() {
  prefix_size_ = 0;
  return {.bytes = std::exchange(body_, {}), .is_packed = prefix_[0] == 1};
}

std::string unpacked(const std::string& packed, GrpcEncoding encoding, std::uint64_t max_bytes) {
  if (encoding == GrpcEncoding::kIdentity)
    raise(Code::kInternal, "A message is packed, but grpc-encoding does not say how");
  z_stream stream{};
  if (inflateInit2(&stream, encoding == GrpcEncoding::kGzip ? kGzipWindow : kZlibWindow) != Z_OK)
    raise(Code::kResourceExhausted, "There is no memory to unpack a message");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string bytes;
  std::array<char, 32 << 10> piece;
  int result = Z_OK;
  while (result == Z_OK && bytes.size() <= max_bytes) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = piece.size();
    result = inflate(&stream, Z_NO_FLUSH);
    bytes.append(piece.data(), piece.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (bytes.size() > max_bytes)
    raise(Code::kResourceExhausted, "Received message larger than max (", bytes.size(), " vs. ",
          max_bytes, ")");
  require(result == Z_STREAM_END, "The message cannot be unpacked");
  return bytes;
}

std::string gzipped(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 1, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    raise(Code::kResourceExhausted, "There is no memory to pack a message");
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::optional<std::int64_t> grpc_timeout_nanos(std::string_view text) {
  constexpr std::size_t kMaxDigits = 8;
  if (text.size() < 2 || text.size() > kMaxDigits + 1) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text.substr(0, text.size() - 1)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  constexpr std::int64_t kSecond = 1'000'000'000;
  const auto unit = [&]() -> std::int64_t {
    switch (text.back()) {
      case 'H':
        return 3600 * kSecond;
      case 'M':
        return 60 * kSecond;
      case 'S':
        return kSecond;
      case 'm':
        return 1'000'000;
      case 'u':
        return 1000;
      case 'n':
        return 1;
      default:
        return 0;
    }
  }();
  if (unit == 0) return std::nullopt;
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max() / 4;
  return value > kMax / unit ? kMax : value * unit;
}

std::string percent_encoded(std::string_view text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (c >= ' ' && c <= '~' && c != '%') {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return encoded;
}

std::string percent_decoded(std::string_view text) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? digit(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : digit(text[i + 2]);
    decoded += low < 0 ? text[i] : static_cast<char>(high << 4 | low);
    if (low >= 0) i += 2;
  }
  return decoded;
}

std::string grpc_timeout_text(std::int64_t millis) {
  constexpr std::int64_t kMost = 99'999'999;  // eight digits
  if (millis <= kMost) return std::to_string(millis) + "m";
  return std::to_string(std::min(kMost, millis / 1000)) + "S";
}

}  // namespace rill::net
