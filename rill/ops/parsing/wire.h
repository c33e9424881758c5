#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace rill {

// Tags as protocol buffers write them: a field's number and how its value is laid out.
enum class WireType : std::uint32_t {
  varint = 0,
  fixed64 = 1,
  delimited = 2,
  group_start = 3,
  group_end = 4,
  fixed32 = 5,
};
constexpr std::uint32_t wire_tag(std::uint32_t field, WireType type) {
  return field << 3 | static_cast<std::uint32_t>(type);
}
constexpr std::uint32_t delimited_tag(std::uint32_t field) {
  return wire_tag(field, WireType::delimited);
}

// Reads the bytes of a message from front to back without making objects of them. Every method
// answers false, and nothing more can be read, where the bytes do not hold what is asked for.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool at_end() const { return at_ == end_; }
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

  bool varint(std::uint64_t* value) {
    if (at_ != end_ && static_cast<unsigned char>(*at_) < 0x80) [[likely]] {
      *value = static_cast<unsigned char>(*at_++);
      return true;
    }
    return long_varint(value);
  }
  bool tag(std::uint32_t* value) {
    std::uint64_t wide = 0;
    if (!varint(&wide) || wide > UINT32_MAX || wide >> 3 == 0) return false;
    *value = static_cast<std::uint32_t>(wide);
    return true;
  }
  bool delimited(std::string_view* bytes) {
    std::uint64_t size = 0;
    if (!varint(&size) || size > static_cast<std::uint64_t>(end_ - at_)) return false;
    *bytes = {at_, static_cast<std::size_t>(size)};
    at_ += size;
    return true;
  }
  bool fixed32(void* value) { return copy(value, 4); }
  bool fixed64(void* value) { return copy(value, 8); }
  // Passes over the value of a field that nobody asked for.
  bool skip(std::uint32_t tag) { return skip(tag, 0); }

 private:
  static constexpr int kDeepestGroup = 100;  // as in protocol buffers

  bool copy(void* value, std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) < size) return false;
    if (value != nullptr) std::memcpy(value, at_, size);
    at_ += size;
    return true;
  }
  bool long_varint(std::uint64_t* value) {
    std::uint64_t result = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (at_ == end_) return false;
      const auto byte = static_cast<unsigned char>(*at_++);
      result |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) {
        *value = result;
        return true;
      }
    }
    return false;
  }
  bool skip(std::uint32_t tag, int depth) {
    std::uint64_t number = 0;
    std::string_view bytes;
    switch (static_cast<WireType>(tag & 7)) {
      case WireType::varint:
        return varint(&number);
      case WireType::fixed64:
        return copy(nullptr, 8);
      case WireType::delimited:
        return delimited(&bytes);
      case WireType::fixed32:
        return copy(nullptr, 4);
      case WireType::group_start:
        return skip_group(tag >> 3, depth + 1);
      default:
        return false;
    }
  }
  bool skip_group(std::uint32_t field, int depth) {
    if (depth > kDeepestGroup) return false;
    std::uint32_t inner = 0;
    while (tag(&inner)) {
      if (inner == wire_tag(field, WireType::group_end)) return true;
      if (!skip(inner, depth)) return false;
    }
    return false;
  }

  const char* at_;
  const char* end_;
};

}  // namespace rill
