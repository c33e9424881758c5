#include "rill/base/philox.h"

#include <gtest/gtest.h>

namespace rill {
namespace {

// Known answers of the paper's own test set.
TEST(Philox, known_answers) {
  EXPECT_EQ(Philox(0, 0).block(), (Philox::Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(Philox({ones, ones}, {ones, ones, ones, ones}).block(),
            (Philox::Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(
      Philox({0xa4093822, 0x299f31d0}, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}).block(),
      (Philox::Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, seeds_are_key_and_upper_counter) {
  Philox p(0x100000002, 0x300000004);
  EXPECT_EQ(p.key(), (Philox::Key{2, 1}));
  EXPECT_EQ(p.counter(), (Philox::Block{0, 0, 4, 3}));
}

TEST(Philox, skipping_carries_through_the_counter) {
  Philox p({1, 2}, {0xfffffffe, 0xffffffff, 0xffffffff, 7});
  p.skip(1);
  EXPECT_EQ(p.counter(), (Philox::Block{0xffffffff, 0xffffffff, 0xffffffff, 7}));
  (void)p.next();
  EXPECT_EQ(p.counter(), (Philox::Block{0, 0, 0, 8}));
}

TEST(Philox, a_skip_is_as_many_blocks) {
  Philox a(5, 6), b(5, 6);
  for (int i = 0; i < 300; ++i) (void)a.next();
  b.skip(300);
  EXPECT_EQ(a.next(), b.next());
}

TEST(Philox, entropy_differs) { EXPECT_NE(entropy_bits(), entropy_bits()); }

}  // namespace
}  // namespace rill
