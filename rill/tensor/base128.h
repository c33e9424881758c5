#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rill/base/error.h"

namespace rill {

// Numbers as protocol buffers write them, seven bits to a byte.
inline void append_base128(std::uint64_t value, std::string* bytes) {
  for (; value >= 0x80; value >>= 7) bytes->push_back(static_cast<char>(value | 0x80));
  bytes->push_back(static_cast<char>(value));
}

// One number from the front of `rest`; `where` names it in the InvalidArgument that is thrown when
// there is none.
inline std::uint64_t take_base128(std::string_view* rest, const char* where) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    require(!rest->empty(), where, " ends inside a number");
    const auto byte = static_cast<unsigned char>(rest->front());
    rest->remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
  raise(Code::kInvalidArgument, where, " holds a number that is too long");
}

}  // namespace rill
