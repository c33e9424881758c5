#include "rill/base/system_error.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace rill {
namespace {

TEST(SystemError, has_the_codes_of_tensorflow) {
  EXPECT_EQ(code_of_system_error(ENOENT), Code::kNotFound);
  EXPECT_EQ(code_of_system_error(EACCES), Code::kPermissionDenied);
  EXPECT_EQ(code_of_system_error(EROFS), Code::kPermissionDenied);
  EXPECT_EQ(code_of_system_error(EEXIST), Code::kAlreadyExists);
  EXPECT_EQ(code_of_system_error(ENOTEMPTY), Code::kFailedPrecondition);
  EXPECT_EQ(code_of_system_error(ENOTDIR), Code::kFailedPrecondition);
  EXPECT_EQ(code_of_system_error(ENOSPC), Code::kResourceExhausted);
  EXPECT_EQ(code_of_system_error(ENAMETOOLONG), Code::kInvalidArgument);
  EXPECT_EQ(code_of_system_error(EIO), Code::kUnknown);
}

TEST(SystemError, names_the_path) {
  errno = EACCES;
  try {
    raise_system_error("a/b");
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "a/b; Permission denied");
    EXPECT_EQ(error.code(), Code::kPermissionDenied);
  }
}

}  // namespace
}  // namespace rill
