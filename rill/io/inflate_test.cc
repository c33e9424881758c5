#include "rill/io/inflate.h"

#include <gtest/gtest.h>

#include "rill/base/error.h"

namespace rill {
namespace {

// "hello" six times over.
const std::string kPacked("\170\234\313\110\315\311\311\317\300\105\000\000\300\344\014\171", 16);

std::string refusal(std::string_view packed) {
  try {
    inflated(packed, Compression::zlib);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kDataLoss);
    return error.message();
  }
  return "";
}

TEST(Inflate, UnpacksWhatWasPacked) {
  EXPECT_EQ(inflated(kPacked, Compression::zlib), "hellohellohellohellohellohello");
  EXPECT_EQ(inflated("", Compression::zlib), "");
  EXPECT_EQ(inflated("as it is", Compression::none), "as it is");
}

TEST(Inflate, TruncationIsReportedWithItsOffset) {
  for (std::size_t size = 1; size < kPacked.size(); ++size)
    EXPECT_NE(
        refusal(kPacked.substr(0, size)).find("ends early, at offset " + std::to_string(size)),
        std::string::npos)
        << size;
}

TEST(Inflate, CorruptionIsReportedWithItsOffset) {
  EXPECT_NE(refusal("hello world").find("-3: incorrect header check before offset 2"),
            std::string::npos)
      << refusal("hello world");
}

}  // namespace
}  // namespace rill
