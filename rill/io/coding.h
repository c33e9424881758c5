#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace rill {

// Numbers as the formats of this folder hold them: little-endian, or seven bits to a byte
// (tensor/base128.h writes those).

template <class Number>
Number load_fixed(const char* bytes) {
  Number value = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    value |= static_cast<Number>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

template <class Number>
void store_fixed(Number value, char* bytes) {
  for (std::size_t i = 0; i < sizeof(Number); ++i) bytes[i] = static_cast<char>(value >> (8 * i));
}

inline void append_fixed32(std::uint32_t value, std::string* bytes) {
  char stored[4];
  store_fixed(value, stored);
  bytes->append(stored, sizeof stored);
}

// A number of at most `limit` from the front of `rest`; false, with `rest` anywhere, when there is
// none.
inline bool take_varint(std::string_view* rest, std::uint64_t* value,
                        std::uint64_t limit = ~std::uint64_t{0}) {
  *value = 0;
  for (int shift = 0; shift < 64 && !rest->empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest->front());
    rest->remove_prefix(1);
    if (shift == 63 && byte > 1) return false;
    *value |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return *value <= limit;
  }
  return false;
}

}  // namespace rill
