// Flags of C++ programs: the same words mean the same as in Python.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "rill/api/app/app.h"
#include "rill/base/error.h"

namespace tf = rill;

namespace {

auto& name = tf::flags::DEFINE_string("test_name", "x", "a name");
auto& steps = tf::flags::DEFINE_integer("test_steps", 10, "steps", {.lower = 0});
auto& rate = tf::flags::DEFINE_float("test_rate", 0.1, "rate", {.upper = 1.0});
auto& train = tf::flags::DEFINE_boolean("test_train", false, "train");
auto& mode = tf::flags::DEFINE_enum("test_mode", "a", {"a", "b"}, "mode");
auto& layers = tf::flags::DEFINE_list("test_layers", {"1"}, "layers");
auto& tags = tf::flags::DEFINE_multi_string("test_tag", {}, "tags");

using Words = std::vector<std::string>;

Words parse(const Words& words, bool known_only = false) {
  tf::flags::unparse();
  return tf::flags::parse(words, {.known_only = known_only});
}

std::string complaint(const Words& words) {
  try {
    parse(words);
  } catch (const tf::Error& error) {
    return error.message();
  }
  return "";
}

TEST(Flags, defaults) {
  EXPECT_EQ(parse({}), Words{});
  EXPECT_EQ(*name, "x");
  EXPECT_EQ(*steps, 10);
  EXPECT_EQ(*rate, 0.1);
  EXPECT_FALSE(*train);
  EXPECT_EQ(*layers, Words{"1"});
}

TEST(Flags, every_way_to_give_a_value) {
  const Words rest = parse({"--test_name=y", "--test_steps", "0x10", "-test_rate=0.5",
                            "--test_train", "left", "--test_mode=b", "--test_layers=1,\"2,3\", 4",
                            "--test_tag=u", "--test_tag", "v", "--", "--test_name=z"});
  EXPECT_EQ(rest, (Words{"left", "--test_name=z"}));
  EXPECT_EQ(*name, "y");
  EXPECT_EQ(*steps, 16);
  EXPECT_EQ(*rate, 0.5);
  EXPECT_TRUE(*train);
  EXPECT_EQ(*mode, "b");
  EXPECT_EQ(*layers, (Words{"1", "2,3", "4"}));
  EXPECT_EQ(*tags, (Words{"u", "v"}));
  parse({"--test_train", "--notest_train"});
  EXPECT_FALSE(*train);
  parse({"--test_train=T"});
  EXPECT_TRUE(*train);
}

TEST(Flags, wrong_words) {
  EXPECT_EQ(complaint({"--test_steps=x"}), "flag --test_steps=x: is not an integer");
  EXPECT_EQ(complaint({"--test_steps=-1"}), "flag --test_steps=-1: -1 is not an integer >= 0");
  EXPECT_EQ(complaint({"--test_rate=2"}), "flag --test_rate=2: 2 is not a number <= 1");
  EXPECT_EQ(complaint({"--test_train=maybe"}),
            "flag --test_train=maybe: Non-boolean argument to boolean flag");
  EXPECT_EQ(complaint({"--test_mode=c"}), "flag --test_mode=c: value should be one of <a|b>");
  EXPECT_EQ(complaint({"--test_stepz=1"}), "Unknown command line flag 'test_stepz'");
  EXPECT_EQ(complaint({"--test_name"}), "Missing value for flag --test_name");
  EXPECT_EQ(complaint({"--test_stepz=1", "--undefok=test_stepz"}), "");
  EXPECT_EQ(parse({"--test_stepz=1", "--test_steps=2"}, true), Words{"--test_stepz=1"});
  EXPECT_EQ(*steps, 2);
  EXPECT_THROW(tf::flags::DEFINE_string("test_name", "", ""), tf::Error);
}

TEST(Flags, files) {
  const std::string path = testing::TempDir() + "/rill_flags_test";
  std::ofstream(path) << "# a comment\n// another\n\n--test_name=filed\n";
  EXPECT_EQ(parse({"--flagfile=" + path, "--test_rate=0.2"}), Words{});
  EXPECT_EQ(*name, "filed");
  std::ofstream(path) << "--flagfile=" << path << "\n";
  EXPECT_EQ(complaint({"--flagfile=" + path}), "Hit circular flagfile dependency: " + path);
  std::remove(path.c_str());
  EXPECT_EQ(complaint({"--flagfile=" + path}), "Unable to open flagfile: " + path);
}

int run_app(Words words, const std::function<int(std::span<const std::string>)>& main) {
  tf::flags::unparse();
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return tf::app::run(main, static_cast<int>(argv.size()), argv.data());
}

TEST(App, run) {
  const auto count = [](std::span<const std::string> words) {
    return static_cast<int>(words.size() + static_cast<std::size_t>(*steps));
  };
  EXPECT_EQ(run_app({"prog", "--test_steps=3", "rest", "--unknown"}, count), 6);
  EXPECT_EQ(run_app({"prog", "--test_steps=x"}, count), 1);
  EXPECT_EQ(run_app({"prog", "--help"}, count), 1);
  EXPECT_EQ(run_app({"prog"}, [](auto) -> int { throw std::runtime_error("oh"); }), 1);
  EXPECT_NE(tf::flags::help().find("--[no]test_train: train"), std::string::npos);
}

}  // namespace
