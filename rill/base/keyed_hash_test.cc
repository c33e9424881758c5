#include "rill/base/keyed_hash.h"

#include <gtest/gtest.h>

namespace rill {
namespace {

// The key and the message of the vectors in SipHash's paper: bytes that count up.
TEST(KeyedHash, siphash_gives_the_published_vectors) {
  const SipKey key{0x0706050403020100, 0x0f0e0d0c0b0a0908};
  const char message[] = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e";
  EXPECT_EQ(siphash({message, 0}, key), 0x726fdb47dd0e0e31u);
  EXPECT_EQ(siphash({message, 1}, key), 0x74f839c593dc67fdu);
  EXPECT_EQ(siphash({message, 8}, key), 0x93f5f5799a932462u);
  EXPECT_EQ(siphash({message, 15}, key), 0xa129ca6149be45e5u);
}

TEST(KeyedHash, every_byte_and_the_seed_count) {
  const std::string text = "a text of twenty-four by";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    const std::string_view part(text.data(), size);
    EXPECT_NE(murmurhash64(part, 1), murmurhash64(part, 2));
    for (std::size_t i = 0; i < size; ++i) {
      std::string changed(part);
      changed[i] ^= 1;
      EXPECT_NE(murmurhash64(part, 1), murmurhash64(changed, 1));
      EXPECT_NE(siphash(part, {1, 2}), siphash(changed, {1, 2}));
    }
  }
}

}  // namespace
}  // namespace rill
