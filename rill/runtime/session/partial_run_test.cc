#include "rill/runtime/session/partial_run.h"

#include <gtest/gtest.h>

#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

class PartialRunTest : public testing::Test {
 protected:
  PartialRunTest() {
    for (const char* name : {"x", "y", "z"})
      inputs.push_back(scope.add("Placeholder", {}, {{"dtype", DType::f32}}, name).output());
    a = scope.on_device("/cpu:1").add("AddV2", {inputs[0], inputs[1]}, {}, "a").output();
    b = scope.add("Mul", {a, inputs[2]}, {}, "b").output();
  }
  float run(const std::string& handle, std::vector<std::pair<int, float>> fed, Output fetch) {
    std::vector<Feed> feeds;
    for (const auto& [i, value] : fed)
      feeds.push_back({inputs[static_cast<std::size_t>(i)], Tensor::scalar(value)});
    return session.partial_run(handle, feeds, {{fetch}})[0].scalar_value<float>();
  }
  void expect_error(const std::string& text, const std::function<void()>& f) {
    try {
      f();
      ADD_FAILURE() << "no error; want " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kInvalidArgument);
      EXPECT_NE(error.message().find(text), std::string::npos) << error.message();
    }
  }
  std::string setup() { return session.partial_run_setup(inputs, std::vector{a, b}); }

  static SessionOptions two_devices() {
    SessionOptions options;
    options.device_count["CPU"] = 2;
    return options;
  }
  std::shared_ptr<Graph> graph = std::make_shared<Graph>(standard_ops());
  Scope scope{*graph};
  std::vector<Output> inputs;
  Output a, b;
  Session session{graph, two_devices()};
};

TEST_F(PartialRunTest, gives_each_fetch_when_its_feeds_are_there) {
  const std::string handle = setup();
  EXPECT_EQ(run(handle, {{0, 1}, {1, 2}}, a), 3);
  EXPECT_EQ(run(handle, {{2, 17}}, b), 51);
  expect_error("Must run 'setup' before performing partial runs!", [&] { run(handle, {}, b); });
}

TEST_F(PartialRunTest, fetches_that_passes_move_are_found) {
  const Output same = scope.add("Identity", {a}, {}, "same").output();
  const Output fed = scope.add("Identity", {inputs[0]}, {}, "fed").output();
  const Output twin = scope.on_device("/cpu:1").add("AddV2", {inputs[0], inputs[1]}).output();
  const std::string handle =
      session.partial_run_setup({{inputs[0], inputs[1]}}, std::vector{a, same, fed, twin});
  EXPECT_EQ(run(handle, {{0, 1}}, fed), 1);
  EXPECT_EQ(run(handle, {{1, 2}}, same), 3);
  EXPECT_EQ(run(handle, {}, a), 3);
  EXPECT_EQ(run(handle, {}, twin), 3);
}

TEST_F(PartialRunTest, concurrent_partial_runs_are_independent) {
  const std::string one = setup(), two = setup();
  EXPECT_EQ(run(one, {{0, 1}, {1, 2}}, a), 3);
  EXPECT_EQ(run(two, {{0, 5}, {1, 6}}, a), 11);
  EXPECT_EQ(run(one, {{2, 10}}, b), 30);
  EXPECT_EQ(run(two, {{2, 10}}, b), 110);
}

TEST_F(PartialRunTest, refuses_what_makes_no_sense_and_goes_on) {
  const std::string handle = setup();
  expect_error("can't be computed from the feeds that have been fed so far", [&] {
    run(handle, {{0, 1}}, a);
  });
  EXPECT_EQ(run(handle, {{0, 1}, {1, 2}}, a), 3);
  expect_error("The fetch a:0 has already been fetched.", [&] { run(handle, {}, a); });
  expect_error("The feed x:0 has already been fed.", [&] { run(handle, {{0, 1}, {2, 1}}, b); });
  const Output other = scope.add("Neg", {inputs[0]}, {}, "other").output();
  expect_error("The fetch other:0 was not specified in partial_run_setup.",
               [&] { run(handle, {}, other); });
  EXPECT_EQ(run(handle, {{2, 2}}, b), 6);
}

TEST_F(PartialRunTest, checks_handles_and_setups) {
  expect_error("Must run 'setup' before performing partial runs!", [&] { run("zzz", {}, a); });
  expect_error("Must specify at least one target to fetch or execute.",
               [&] { session.partial_run_setup(inputs, {}); });
  expect_error("x:0 is both fed and fetched.",
               [&] { session.partial_run_setup(inputs, std::vector{inputs[0]}); });
}

TEST_F(PartialRunTest, a_failing_kernel_ends_it) {
  const Output check =
      scope.add("CheckNumerics", {inputs[0]}, {{"message", "bad"}}, "check").output();
  const std::string handle = session.partial_run_setup({{inputs[0]}}, {{check}});
  expect_error("bad : Tensor had Inf values", [&] { run(handle, {{0, 1.0f / 0.0f}}, check); });
  expect_error("Must run 'setup'", [&] { run(handle, {}, check); });
}

TEST_F(PartialRunTest, fed_storage_is_the_callers_again_afterwards) {
  const std::string handle = setup();
  Tensor x = Tensor::scalar(1.0f);
  session.partial_run(handle, std::vector<Feed>{{inputs[0], x}}, {});
  x.flat<float>()[0] = 100;
  EXPECT_EQ(run(handle, {{1, 2}}, a), 3);
}

TEST_F(PartialRunTest, an_open_one_does_not_outlive_its_session) {
  Session other(graph, two_devices());
  other.partial_run_setup(inputs, std::vector{a, b});
}

}  // namespace
}  // namespace rill
