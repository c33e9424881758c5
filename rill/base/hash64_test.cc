#include "rill/base/hash64.h"

#include <gtest/gtest.h>

namespace rill {
namespace {

// Remainders by 2^62, as tf.string_to_hash_bucket gives them.
TEST(Hash64Test, is_tensorflows) {
  const std::pair<const char*, std::uint64_t> expected[] = {{"", 0x1769421199f9e3bu},
                                                            {"a", 0x29962dc026eac9fcu},
                                                            {"hello world", 0xcfeded7167033efu},
                                                            {"exactly8", 0x1a06cfd1a153b276u}};
  for (const auto& [text, remainder] : expected)
    EXPECT_EQ(hash64(text) % (std::uint64_t{1} << 62), remainder) << text;
}

}  // namespace
}  // namespace rill
