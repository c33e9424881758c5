#include "rill/base/files.h"

#include <gtest/gtest.h>

#include "rill/base/file_system.h"
#include "rill/base/file_testing.h"

namespace rill {
namespace {

using Paths = std::vector<std::string>;

// The same behaviour is asked of every file system that can be written.
class Files : public testing::TestWithParam<const char*> {
 protected:
  std::string at(const std::string& name) { return root_ + "/" + name; }
  FileSystem& files() { return file_system_of(root_); }
  void write(const std::string& name, std::string_view bytes, WriteMode mode = {}) {
    const auto file = files().create(at(name), mode);
    file->append(bytes);
    file->close();
  }
  void SetUp() override {
    if (std::string_view(GetParam()) == "ram") root_ = "ram://files_test";
    make_directories(root_);
  }
  void TearDown() override {
    if (root_ != scratch_.path()) remove_tree(root_);
  }

  ScratchDirectory scratch_;
  std::string root_ = scratch_.path();
};
INSTANTIATE_TEST_SUITE_P(Kinds, Files, testing::Values("local", "ram"));

TEST_P(Files, every_use_is_counted) {
  const std::uint64_t before = file_system_uses();
  EXPECT_FALSE(file_exists(at("nothing")));
  const std::uint64_t asked = file_system_uses();
  EXPECT_GT(asked, before);
  write_file(at("a"), "b");
  EXPECT_GT(file_system_uses(), asked);
}

TEST_P(Files, reads_what_was_written) {
  write("a", "hello");
  write("a", " world", WriteMode::append);
  EXPECT_EQ(read_file(at("a")), "hello world");
  const auto file = files().open(at("a"));
  EXPECT_EQ(file->size(), 11u);
  char five[5];
  EXPECT_EQ(file->read(6, five), 5u);
  EXPECT_EQ(std::string(five, 5), "world");
  EXPECT_EQ(file->read(9, five), 2u);
  EXPECT_EQ(file->read(11, five), 0u);
  EXPECT_EQ(file->read(~std::uint64_t{0}, five), 0u);
  EXPECT_EQ(files().facts(at("a")).size, 11u);
  EXPECT_GT(files().facts(at("a")).modified_nanos, std::int64_t{1'600'000'000} * 1'000'000'000);
  write("a", "short");
  EXPECT_EQ(read_file(at("a")), "short");
}

TEST_P(Files, flush_shows_what_was_appended) {
  const auto file = files().create(at("a"), WriteMode::truncate);
  file->append("seen");
  file->flush();
  EXPECT_EQ(read_file(at("a")), "seen");
  file->append(std::string(200'000, 'x'));
  file->sync();
  EXPECT_EQ(read_file(at("a")).size(), 200'004u);
  file->close();
  file->close();
  EXPECT_TRUE(error_of([&] { file->append("x"); }).starts_with("FailedPrecondition: " + at("a")));
}

TEST_P(Files, says_what_is_wrong_and_where) {
  write("file", "x");
  make_directories(at("full/below"));
  const auto starts = [&](auto&& call, const std::string& code, const std::string& name) {
    const std::string error = error_of(call);
    EXPECT_TRUE(error.starts_with(code + ": " + at(name))) << error;
  };
  starts([&] { files().open(at("nope")); }, "NotFound", "nope");
  starts([&] { files().open(at("full")); }, "FailedPrecondition", "full");
  starts([&] { files().facts(at("nope")); }, "NotFound", "nope");
  starts([&] { files().list(at("nope")); }, "NotFound", "nope");
  starts([&] { files().list(at("file")); }, "FailedPrecondition", "file");
  starts([&] { files().create(at("full"), {}); }, "FailedPrecondition", "full");
  starts([&] { files().remove_file(at("nope")); }, "NotFound", "nope");
  starts([&] { files().remove_file(at("full")); }, "FailedPrecondition", "full");
  starts([&] { files().remove_directory(at("full")); }, "FailedPrecondition", "full");
  starts([&] { files().remove_directory(at("file")); }, "FailedPrecondition", "file");
  starts([&] { files().make_directory(at("full")); }, "AlreadyExists", "full");
  starts([&] { make_directories(at("file/below")); }, "FailedPrecondition", "file");
  starts([&] { rename_file(at("nope"), at("x")); }, "NotFound", "nope");
  starts([&] { rename_file(at("file"), at("full")); }, "AlreadyExists", "full");
  starts([&] { copy_file(at("nope"), at("x")); }, "NotFound", "nope");
  starts([&] { remove_tree(at("nope")); }, "NotFound", "nope");
}

TEST_P(Files, renames_over_files_and_moves_directories) {
  write("a", "new");
  write("b", "old");
  const auto reader = files().open(at("b"));
  rename_file(at("a"), at("b"), /*overwrite=*/true);
  EXPECT_EQ(read_file(at("b")), "new");
  EXPECT_FALSE(file_exists(at("a")));
  char three[3];
  EXPECT_EQ(reader->read(0, three), 3u);
  EXPECT_EQ(std::string(three, 3), "old");  // an open file stays what it was
  make_directories(at("d/e"));
  write("d/e/f", "x");
  rename_file(at("d"), at("g"));
  EXPECT_EQ(read_file(at("g/e/f")), "x");
  EXPECT_FALSE(file_exists(at("d")));
}

TEST_P(Files, write_file_leaves_only_the_file) {
  write_file(at("a"), "1");
  write_file(at("a"), "22");
  EXPECT_EQ(read_file(at("a")), "22");
  EXPECT_EQ(files().list(root_), Paths{"a"});
}

TEST_P(Files, directories_and_trees) {
  make_directories(at("k/l/m/"));
  make_directories(at("k/l/m"));
  write("k/l/f", "x");
  EXPECT_EQ(files().list(at("k/l")), (Paths{"f", "m"}));
  EXPECT_TRUE(is_directory(at("k/l")));
  EXPECT_FALSE(is_directory(at("k/l/f")));
  copy_file(at("k/l/f"), at("k/copy"));
  EXPECT_TRUE(error_of([&] { copy_file(at("k/l/f"), at("k/copy")); }).starts_with("AlreadyExists"));
  EXPECT_EQ(read_file(at("k/copy")), "x");
  remove_tree(at("k/copy"));
  remove_tree(at("k"));
  EXPECT_TRUE(files().list(root_).empty());
}

TEST_P(Files, matching_paths_follow_the_pattern) {
  for (const char* name : {"a.txt", ".hid", "d/b.txt", "d/e/c.txt"}) {
    make_directories(parent_path(at(name)));
    write(name, "x");
  }
  EXPECT_EQ(matching_paths(at("*")), (Paths{at(".hid"), at("a.txt"), at("d")}));
  EXPECT_EQ(matching_paths(at("d/*")), (Paths{at("d/b.txt"), at("d/e")}));
  EXPECT_EQ(matching_paths(at("*/*/*.txt")), Paths{at("d/e/c.txt")});
  EXPECT_EQ(matching_paths(at("d/e/\\c.txt")), Paths{at("d/e/c.txt")});
  EXPECT_EQ(matching_paths(at("a.txt")), Paths{at("a.txt")});
  EXPECT_EQ(matching_paths(at("nope")), Paths{});
  EXPECT_EQ(matching_paths(at("nope/*")), Paths{});
  EXPECT_EQ(matching_paths(at("a.txt/*")), Paths{});
  const Paths patterns{at("d/*.txt"), at("*.txt")};
  EXPECT_EQ(matching_paths(patterns), (Paths{at("d/b.txt"), at("a.txt")}));
}

TEST(FileNames, split_and_join) {
  EXPECT_EQ(parent_path("a/b/c"), "a/b");
  EXPECT_EQ(parent_path("/a"), "/");
  EXPECT_EQ(parent_path("a"), "");
  EXPECT_EQ(parent_path("ram://a"), "ram://");
  EXPECT_EQ(parent_path("ram://a/b"), "ram://a");
  EXPECT_EQ(base_name("a/b"), "b");
  EXPECT_EQ(join_path("a/", "b"), "a/b");
  EXPECT_EQ(scheme_of("http://x"), "http");
  EXPECT_EQ(scheme_of("/tmp/a://b"), "");
}

TEST(FileNames, local_forms) {
  EXPECT_EQ(matching_paths("LICENS?"), Paths{"./LICENSE"});  // as TensorFlow answers
  EXPECT_EQ(matching_paths(""), Paths{});
  EXPECT_TRUE(file_exists(str_cat("file://", testing::TempDir())));
  EXPECT_EQ(error_of([] { file_system_of("foo://x"); }),
            "Unimplemented: File system scheme 'foo' not implemented (file: 'foo://x')");
  EXPECT_EQ(error_of([] { rename_file("LICENSE", "ram://zz"); }),
            "Unimplemented: Renaming LICENSE to ram://zz not implemented");
  EXPECT_GT(read_file("/proc/self/status").size(), 100u);  // says that its size is 0
}

}  // namespace
}  // namespace rill
