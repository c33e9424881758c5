#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/script/script.h"

namespace rill::script {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> scripts() {
  std::vector<std::string> paths;
  const fs::path root = "tests/script";
  if (!fs::exists(root)) return paths;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".test" || extension == ".test_slow") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// tests/script/state/assign_add.test is state_assign_add; .test_slow keeps its _slow.
std::string test_name(const testing::TestParamInfo<std::string>& info) {
  fs::path path = fs::path(info.param).lexically_relative("tests/script");
  std::string name = path.replace_extension().string();
  if (info.param.ends_with("_slow")) name += "_slow";
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
  return name;
}

class Script : public testing::TestWithParam<std::string> {};

void expect_success(const std::string& path, const SessionOptions& options, const char* when) {
  for (const std::string& wrong : run_script(read_script(path), options))
    ADD_FAILURE() << path << ", " << when << ", " << wrong;
}

TEST_P(Script, with_passes) { expect_success(GetParam(), {}, "with graph passes"); }

TEST_P(Script, without_passes) {
  SessionOptions plain;
  plain.fold = plain.share = plain.simplify = false;
  expect_success(GetParam(), plain, "without graph passes");
}

INSTANTIATE_TEST_SUITE_P(All, Script, testing::ValuesIn(scripts()), test_name);

TEST(Scripts, are_found_from_the_root_of_the_repository) { EXPECT_GE(scripts().size(), 12u); }

}  // namespace
}  // namespace rill::script
