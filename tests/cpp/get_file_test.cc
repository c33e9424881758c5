// keras::utils::get_file from a file; tests/python/test_get_file.py asks a web server.
#include "rill/api/keras/get_file.h"

#include <gtest/gtest.h>

#include "rill/base/file_testing.h"
#include "rill/base/md5.h"
#include "rill/base/sha256.h"

namespace rill::keras::utils {
namespace {

class GetFileTest : public testing::Test {
 protected:
  GetFileTest() { write_file(origin_, "content"); }
  std::string get(const GetFile& given = {}) {
    GetFile options = given;
    options.cache_dir = scratch_ / "cache";
    return get_file("f", origin_, options);
  }

  ScratchDirectory scratch_;
  const std::string origin_ = scratch_ / "origin";
};

TEST_F(GetFileTest, is_fetched_once) {
  const std::string path = get();
  EXPECT_EQ(path, scratch_ / "cache/datasets/f");
  EXPECT_EQ(read_file(path), "content");
  write_file(origin_, "changed");
  EXPECT_EQ(read_file(get()), "content");
  EXPECT_EQ(read_file(get({.file_hash = sha256_hex("changed")})), "changed");
  EXPECT_EQ(read_file(get({.file_hash = md5_hex("changed")})), "changed");
}

TEST_F(GetFileTest, says_what_is_wrong) {
  EXPECT_TRUE(error_of([&] {
                get({.file_hash = sha256_hex("other")});
              }).starts_with("DataLoss: What came from "));
  remove_tree(origin_);
  const std::string error = error_of([&] { get({.cache_subdir = "models"}); });
  EXPECT_TRUE(error.starts_with("NotFound: URL fetch failure on ")) << error;
  EXPECT_TRUE(error.ends_with(str_cat("put this file at ", scratch_ / "cache/models/f"))) << error;
}

}  // namespace
}  // namespace rill::keras::utils
