#include "rill/base/crc32c.h"

#include <array>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace rill {
namespace {

// kTables[k][b]: what byte b does to the checksum when k further bytes follow it.
constexpr auto kTables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78u : 0u);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < tables.size(); ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = (tables[k - 1][byte] >> 8) ^ tables[0][tables[k - 1][byte] & 0xff];
  return tables;
}();

std::uint64_t load_little(const char* p) {
  std::uint64_t word = 0;
  std::memcpy(&word, p, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

#if defined(__x86_64__)
// The instruction takes three cycles, but three can be under way at once: three stretches that
// follow each other are summed side by side. kBehind<n>[k][b] is what n zero bytes make of byte k
// of a checksum, which is how the sum of a stretch counts when another one stands behind it.
template <std::size_t n>
constexpr auto kBehind = [] {
  std::array<std::uint32_t, 32> bits{};
  for (std::size_t bit = 0; bit < 32; ++bit) {
    std::uint32_t crc = std::uint32_t{1} << bit;
    for (std::size_t i = 0; i < n; ++i) crc = (crc >> 8) ^ kTables[0][crc & 0xff];
    bits[bit] = crc;
  }
  std::array<std::array<std::uint32_t, 256>, 4> tables{};
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      for (std::size_t bit = 0; bit < 8; ++bit)
        if ((byte >> bit & 1) != 0) tables[k][byte] ^= bits[8 * k + bit];
  return tables;
}();

template <std::size_t n>
std::uint32_t behind(std::uint64_t crc) {
  std::uint32_t sum = 0;
  for (std::size_t k = 0; k < 4; ++k) sum ^= kBehind<n>[k][crc >> (8 * k) & 0xff];
  return sum;
}

template <std::size_t n>
__attribute__((target("sse4.2"))) std::uint64_t take_stretches(std::uint64_t state,
                                                               std::string_view* bytes) {
  for (; bytes->size() >= 3 * n; bytes->remove_prefix(3 * n)) {
    std::uint64_t second = 0, third = 0;
    for (const char* p = bytes->data(); p != bytes->data() + n; p += 8) {
      state = _mm_crc32_u64(state, load_little(p));
      second = _mm_crc32_u64(second, load_little(p + n));
      third = _mm_crc32_u64(third, load_little(p + 2 * n));
    }
    state = behind<n>(behind<n>(state) ^ second) ^ third;
  }
  return state;
}

__attribute__((target("sse4.2"))) std::uint32_t extend_by_instruction(std::uint32_t crc,
                                                                      std::string_view bytes) {
  std::uint64_t state = crc ^ 0xffffffffu;
  state = take_stretches<4096>(state, &bytes);
  state = take_stretches<256>(state, &bytes);
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  for (; end - p >= 8; p += 8) state = _mm_crc32_u64(state, load_little(p));
  auto tail = static_cast<std::uint32_t>(state);
  for (; p != end; ++p) tail = _mm_crc32_u8(tail, static_cast<unsigned char>(*p));
  return tail ^ 0xffffffffu;
}
#endif

}  // namespace

std::uint32_t extend_crc32c_by_table(std::uint32_t crc, std::string_view bytes) {
  crc ^= 0xffffffffu;
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  for (; end - p >= 8; p += 8) {
    const std::uint64_t word = load_little(p) ^ crc;
    crc = 0;
    for (std::size_t i = 0; i < 8; ++i) crc ^= kTables[7 - i][(word >> (8 * i)) & 0xff];
  }
  for (; p != end; ++p)
    crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<unsigned char>(*p)) & 0xff];
  return crc ^ 0xffffffffu;
}

std::uint32_t extend_crc32c(std::uint32_t crc, std::string_view bytes) {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return extend_by_instruction(crc, bytes);
#endif
  return extend_crc32c_by_table(crc, bytes);
}

}  // namespace rill
