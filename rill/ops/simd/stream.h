#pragma once

#include <cstddef>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace rill {

// Results of this size and more are written past the caches: they would not stay there, and a write
// through them reads the memory first.
inline constexpr std::size_t kStreamBytes = std::size_t{32} << 20;

// memcpy past the caches. finish_stream() must follow on the same thread before others read.
inline void stream_copy(void* dst, const void* src, std::size_t bytes) {
#if defined(__SSE2__)
  auto* to = static_cast<char*>(dst);
  const auto* from = static_cast<const char*>(src);
  const std::size_t head = (64 - reinterpret_cast<std::size_t>(to) % 64) % 64;
  if (bytes < head + 64) return void(std::memcpy(to, from, bytes));
  std::memcpy(to, from, head);
  std::size_t i = head;
  for (; i + 64 <= bytes; i += 64)
    for (std::size_t k = 0; k < 64; k += 16)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + i + k),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i + k)));
  std::memcpy(to + i, from + i, bytes - i);
#else
  std::memcpy(dst, src, bytes);
#endif
}

inline void finish_stream() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace rill
