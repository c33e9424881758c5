#include "rill/base/crc32c.h"

#include <gtest/gtest.h>

#include "rill/base/crc32c_join.h"

namespace rill {
namespace {

TEST(Crc32c, known_values) {
  const struct {
    std::string bytes;
    std::uint32_t crc, masked;
  } kKnown[] = {{"", 0x00000000, 0xa282ead8},
                {std::string(8, '\0'), 0x8c28b28a, 0x07980329},
                {"a", 0xc1d04330, 0x28e46e78},
                {"123456789", 0xe3069283, 0xc78ab0e5},
                {std::string(32, '\0'), 0x8a9136aa, 0x0fd7fffa},
                {"The quick brown fox jumps over the lazy dog", 0x22620404, 0xaa8b2f9c}};
  for (const auto& known : kKnown) {
    EXPECT_EQ(crc32c(known.bytes), known.crc) << known.bytes;
    EXPECT_EQ(extend_crc32c_by_table(0, known.bytes), known.crc) << known.bytes;
    EXPECT_EQ(mask_crc(known.crc), known.masked);
    EXPECT_EQ(unmask_crc(known.masked), known.crc);
  }
}

TEST(Crc32c, hardware_and_table_agree_however_the_bytes_are_split) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes.push_back(static_cast<char>(i * 37 + i / 7));
  const std::uint32_t whole = crc32c(bytes);
  EXPECT_EQ(extend_crc32c_by_table(0, bytes), whole);
  const std::string_view view = bytes;
  for (std::size_t at = 0; at < bytes.size(); at += 13) {
    EXPECT_EQ(extend_crc32c(crc32c(view.substr(0, at)), view.substr(at)), whole);
    EXPECT_EQ(extend_crc32c_by_table(crc32c(view.substr(0, at)), view.substr(at)), whole);
    EXPECT_EQ(join_crc32c(crc32c(view.substr(0, at)), crc32c(view.substr(at)), bytes.size() - at),
              whole);
  }
}

TEST(Crc32c, hardware_and_table_agree_on_lengths_around_whole_blocks) {
  std::string bytes;
  for (int i = 0; i < 30'000; ++i) bytes.push_back(static_cast<char>(i * 37 + i / 7));
  for (const std::size_t length : {767, 768, 769, 3000, 12'287, 12'288, 12'289, 13'057, 30'000})
    for (const std::size_t from : {0, 1, 5}) {
      const auto part = std::string_view(bytes).substr(from, length);
      EXPECT_EQ(extend_crc32c(17, part), extend_crc32c_by_table(17, part)) << from << " " << length;
    }
}

}  // namespace
}  // namespace rill
