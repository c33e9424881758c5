#include "rill/base/farmhash.h"

#include <gtest/gtest.h>

#include <string>

namespace rill {
namespace {

// TensorFlow's Fingerprint of the first bytes of 0, 7, 14, ...: one for each way of hashing.
TEST(FarmHash, knows_the_fingerprints_of_tensorflow) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) bytes += static_cast<char>(i * 7);
  const auto hash = [&](std::size_t n) { return farmhash64(std::string_view(bytes).substr(0, n)); };
  EXPECT_EQ(hash(0), 0x9ae16a3b2f90404fu);
  EXPECT_EQ(hash(1), 0xbe6056edf5e94b54u);
  EXPECT_EQ(hash(3), 0x6cc1a093e8224428u);
  EXPECT_EQ(hash(4), 0x05112b9e6277f665u);
  EXPECT_EQ(hash(7), 0x0f95c16a7544a65bu);
  EXPECT_EQ(hash(8), 0xdc480bbce8c737a7u);
  EXPECT_EQ(hash(16), 0xfbb2740319962d9bu);
  EXPECT_EQ(hash(17), 0xa55b9970b7b70074u);
  EXPECT_EQ(hash(32), 0x0a9d86aa8d37da5cu);
  EXPECT_EQ(hash(33), 0xfb43f626c43b2047u);
  EXPECT_EQ(hash(64), 0xe0446dd71a78f98au);
  EXPECT_EQ(hash(65), 0x184a25714b2ce96bu);
  EXPECT_EQ(hash(127), 0xa67e0ac14caa8c22u);
  EXPECT_EQ(hash(128), 0xa7b5b6228208c47bu);
  EXPECT_EQ(hash(129), 0xecb25d796437d25bu);
  EXPECT_EQ(hash(200), 0x18fba3b01506f414u);
  EXPECT_EQ(hash(300), 0x8c2ca66606a47410u);
}

// TensorFlow's SdcaFprint of the same.
TEST(FarmHash, knows_the_long_fingerprints_of_tensorflow) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) bytes += static_cast<char>(i * 7);
  const auto hash = [&](std::size_t n) {
    return farmhash128(std::string_view(bytes).substr(0, n));
  };
  EXPECT_EQ(hash(0), std::pair(0x3df09dfc64c09a2bu, 0x3cb540c392e51e29u));
  EXPECT_EQ(hash(3), std::pair(0x63f894bb9054eb6eu, 0x317127879bcccf97u));
  EXPECT_EQ(hash(8), std::pair(0x4dbcbdbbf0c1b974u, 0xf9457fb087f4436fu));
  EXPECT_EQ(hash(16), std::pair(0xe2a2ef8c5efbd67au, 0xea4c2a1181808646u));
  EXPECT_EQ(hash(17), std::pair(0xf36c30ccd4fd94beu, 0x62ccdbdcf12f2ccfu));
  EXPECT_EQ(hash(40), std::pair(0x8a2b28e652051d9eu, 0x2b379d60d30a49dcu));
  EXPECT_EQ(hash(127), std::pair(0xcbb2ffde8bbcef76u, 0x936b4637012ba658u));
  EXPECT_EQ(hash(143), std::pair(0x37e59fe563dc54fcu, 0x1c081b52808b2f7bu));
  EXPECT_EQ(hash(144), std::pair(0x172fb8555a407eb6u, 0x6fcc731eb578f4dfu));
  EXPECT_EQ(hash(200), std::pair(0x7b46b001f8996191u, 0xa1a1de2f1f749450u));
  EXPECT_EQ(hash(300), std::pair(0xb243479ddad51509u, 0x2bcee15f8e7265d5u));
}

}  // namespace
}  // namespace rill
