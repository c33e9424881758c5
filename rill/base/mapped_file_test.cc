#include "rill/base/mapped_file.h"

#include <gtest/gtest.h>

#include <cstring>

#include "rill/base/error.h"

namespace rill {
namespace {

Code code_of(const char* path) {
  try {
    (void)MappedFile::open(path);
  } catch (const Error& error) {
    EXPECT_NE(error.message().find(path), std::string::npos);
    return error.code();
  }
  return Code::kOk;
}

TEST(MappedFile, holds_the_bytes_of_the_file) {
  const auto file = MappedFile::open("rill/base/mapped_file_test.cc");
  ASSERT_GT(file->size(), 10u);
  EXPECT_EQ(std::memcmp(file->data(), "#include", 8), 0);
}

TEST(MappedFile, says_what_cannot_be_mapped) {
  EXPECT_EQ(code_of("rill/base/nonesuch"), Code::kNotFound);
  EXPECT_EQ(code_of("LICENSE/nonesuch"), Code::kFailedPrecondition);
  EXPECT_EQ(code_of("rill/base"), Code::kFailedPrecondition);
  EXPECT_EQ(code_of("/dev/null"), Code::kFailedPrecondition);
}

}  // namespace
}  // namespace rill
