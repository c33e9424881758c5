#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace rill {

// Copies so short that a call would take longer than they do.
inline constexpr std::int64_t kMinShort = 16, kMaxShort = 256;  // bytes

// `bytes` from kMinShort on: the last vector covers a part of the one before it again.
[[gnu::always_inline]] inline void copy_vectors(void* dst, const void* src, std::int64_t bytes) {
  constexpr std::int64_t kVector = 16;
  auto* to = static_cast<char*>(dst);
  const auto* from = static_cast<const char*>(src);
  for (std::int64_t at = 0; at < bytes - kVector; at += kVector)
    std::memcpy(to + at, from + at, kVector);
  std::memcpy(to + bytes - kVector, from + bytes - kVector, kVector);
}

// True if rows of `count` elements are best copied by copy_vectors.
template <class T>
constexpr bool is_short_copy(std::int64_t count) {
  const std::int64_t bytes = count * static_cast<std::int64_t>(sizeof(T));
  return std::is_trivially_copyable_v<T> && bytes >= kMinShort && bytes <= kMaxShort;
}

}  // namespace rill
