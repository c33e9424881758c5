#include "rill/serve/core/directory_watch.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "rill/base/file_testing.h"
#include "rill/base/files.h"

namespace rill::serve {
namespace {

using std::chrono::milliseconds;
namespace fs = std::filesystem;

class DirectoryWatching : public testing::Test {
 protected:
  DirectoryWatching() {
    make_directories(folder_ / "m");
    make_directories(folder_ / "elsewhere/2");
    watch_.set({folder_ / "m", folder_ / "none"});
  }
  // Whether that is told before long.
  bool is_told(const std::function<void()>& change, int millis = 10'000) {
    const auto begin = std::chrono::steady_clock::now();
    change();
    watch_.wait(milliseconds(millis));
    return std::chrono::steady_clock::now() - begin < milliseconds(millis);
  }
  ScratchDirectory folder_;
  DirectoryWatch watch_;
};

TEST_F(DirectoryWatching, directories_that_appear_or_disappear) {
  EXPECT_TRUE(is_told([&] { fs::rename(folder_ / "elsewhere/2", folder_ / "m/2"); }));
  EXPECT_TRUE(is_told([&] { fs::create_directory_symlink(folder_ / "m/2", folder_ / "m/3"); }));
  EXPECT_TRUE(is_told([&] { write_file(folder_ / "m/4", "text"); }));
  EXPECT_TRUE(is_told([&] { fs::rename(folder_ / "m/2", folder_ / "elsewhere/2"); }));
  EXPECT_TRUE(is_told([&] { fs::remove(folder_ / "m/3"); }));
}

TEST_F(DirectoryWatching, a_directory_that_is_being_filled_is_not_whole) {
  EXPECT_FALSE(is_told([&] { fs::create_directory(folder_ / "m/5"); }, 100));
  EXPECT_FALSE(is_told([&] { write_file(folder_ / "elsewhere/6", "text"); }, 100));
}

TEST_F(DirectoryWatching, directories_created_later_or_replaced) {
  make_directories(folder_ / "none");
  EXPECT_FALSE(is_told([&] { write_file(folder_ / "none/1", "text"); }, 100));
  watch_.set({folder_ / "m", folder_ / "none"});
  EXPECT_TRUE(is_told([&] { write_file(folder_ / "none/1", "text"); }));
  EXPECT_TRUE(is_told([&] { fs::rename(folder_ / "none", folder_ / "old"); }));
  make_directories(folder_ / "none");
  watch_.set({folder_ / "m", folder_ / "none"});
  EXPECT_TRUE(is_told([&] { write_file(folder_ / "none/1", "text"); }));
  EXPECT_FALSE(is_told([&] { write_file(folder_ / "old/1", "text"); }, 100));
  watch_.set({});
  EXPECT_FALSE(is_told([&] { write_file(folder_ / "m/1", "text"); }, 100));
}

TEST_F(DirectoryWatching, is_woken_from_another_thread) {
  std::thread other([&] {
    std::this_thread::sleep_for(milliseconds(20));
    watch_.wake();
  });
  EXPECT_TRUE(is_told([] {}));
  other.join();
}

}  // namespace
}  // namespace rill::serve
