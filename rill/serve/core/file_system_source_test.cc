#include "rill/serve/core/file_system_source.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "rill/base/file_testing.h"
#include "rill/base/files.h"

namespace rill::serve {
namespace {

using Seen = std::map<std::string, std::map<std::int64_t, std::string>>;

class FileSystemSourceTest : public testing::Test {
 protected:
  std::string made(const std::string& path) {
    const std::string whole = directory_ / path;
    make_directories(whole);
    return whole;
  }
  // A source that looks when it is told to.
  std::unique_ptr<FileSystemSource> source(bool always_present = false) {
    auto made = std::make_unique<FileSystemSource>(
        FileSystemSourceOptions{.poll_wait_seconds = 0, .always_present = always_present});
    made->connect([this](const std::string& name, std::vector<Aspired<std::string>> versions) {
      seen_[name].clear();
      for (const auto& version : versions) {
        EXPECT_EQ(version.id.name, name);
        seen_[name][version.id.version] = base_name(version.data);
      }
    });
    return made;
  }

  ScratchDirectory directory_;
  Seen seen_;
};

TEST_F(FileSystemSourceTest, finds_numbers_alone) {
  for (const char* name :
       {"m/1", "m/0002", "m/12", "m/x", "m/3a", "m/-4", "m/.5", "m/99999999999999999999"})
    made(name);
  const auto from = source();
  from->watch({{"m", {made("m"), AllVersions()}}});
  EXPECT_EQ(seen_, (Seen{{"m", {{1, "1"}, {2, "0002"}, {12, "12"}}}}));
}

TEST_F(FileSystemSourceTest, chooses) {
  for (const char* name : {"m/1", "m/2", "m/10"}) made(name);
  const auto from = source();
  from->watch({{"m", {made("m"), LatestVersions{}}}});
  EXPECT_EQ(seen_, (Seen{{"m", {{10, "10"}}}}));
  from->watch({{"m", {made("m"), LatestVersions{2}}}});
  EXPECT_EQ(seen_, (Seen{{"m", {{2, "2"}, {10, "10"}}}}));
  from->watch({{"m", {made("m"), SpecificVersions{{1, 7}}}}});
  EXPECT_EQ(seen_, (Seen{{"m", {{1, "1"}}}}));
}

TEST_F(FileSystemSourceTest, the_later_of_two_names_of_a_version) {
  for (const char* name : {"m/1", "m/0001"}) made(name);
  const auto from = source();
  from->watch({{"m", {made("m"), AllVersions()}}});
  EXPECT_EQ(seen_, (Seen{{"m", {{1, "1"}}}}));
}

TEST_F(FileSystemSourceTest, missing_directory) {
  made("m/1");
  const auto from = source();
  from->watch({{"m", {directory_ / "nowhere", LatestVersions{}}}});
  EXPECT_EQ(seen_, Seen());  // nothing changes
  from->watch({{"m", {directory_.path(), LatestVersions{}}}});
  EXPECT_EQ(seen_, (Seen{{"m", {}}}));  // an empty directory means no version
  seen_.clear();
  const auto careful = source(true);
  careful->watch({{"m", {directory_.path(), LatestVersions{}}}});
  EXPECT_EQ(seen_, Seen());
}

TEST_F(FileSystemSourceTest, models_are_added_and_removed) {
  made("a/1");
  made("b/2");
  const auto from = source();
  from->watch({{"a", {made("a"), LatestVersions{}}}});
  from->watch({{"b", {made("b"), LatestVersions{}}}});
  EXPECT_EQ(seen_, (Seen{{"a", {}}, {"b", {{2, "2"}}}}));
}

TEST_F(FileSystemSourceTest, looks_again_by_itself) {
  std::atomic<std::int64_t> newest = 0;
  FileSystemSource from({.poll_wait_seconds = 1});
  from.connect([&](const std::string&, std::vector<Aspired<std::string>> versions) {
    newest = versions.empty() ? -1 : versions.back().id.version;
  });
  made("m/1");
  from.watch({{"m", {made("m"), LatestVersions{}}}});
  EXPECT_EQ(newest, 1);
  made("m/2");
  for (int i = 0; i < 500 && newest != 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(newest, 2);
}

TEST_F(FileSystemSourceTest, versions_that_are_moved_there_are_found_at_once) {
  std::atomic<std::int64_t> newest = 0;
  FileSystemSource from({.poll_wait_seconds = 3600});
  from.connect([&](const std::string&, std::vector<Aspired<std::string>> versions) {
    newest = versions.empty() ? -1 : versions.back().id.version;
  });
  made("m/1");
  from.watch({{"m", {made("m"), LatestVersions{}}}});
  const auto reaches = [&](std::int64_t version) {
    for (int i = 0; i < 500 && newest != version; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return newest == version;
  };
  std::filesystem::rename(made("new"), directory_ / "m/2");
  EXPECT_TRUE(reaches(2));
  std::filesystem::remove(directory_ / "m/2");
  EXPECT_TRUE(reaches(1));
}

TEST_F(FileSystemSourceTest, looks_once_or_never) {
  for (const std::int64_t wait : {0, -1}) {
    int looks = 0;
    FileSystemSource from({.poll_wait_seconds = wait});
    from.connect([&](const std::string&, std::vector<Aspired<std::string>>) { ++looks; });
    made("m/1");
    from.watch({{"m", {made("m"), LatestVersions{}}}});
    EXPECT_EQ(looks, wait == 0 ? 1 : 0);
    std::filesystem::rename(made("new"), directory_ / "m/2");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(looks, wait == 0 ? 1 : 0);
    std::filesystem::remove(directory_ / "m/2");
  }
}

}  // namespace
}  // namespace rill::serve
