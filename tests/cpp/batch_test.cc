// Calls of several threads that become one.
#include <gtest/gtest.h>

#include <thread>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/functions.h"
#include "rill/api/gen/raw_ops.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

AttrMap attrs(int max_rows, std::int64_t timeout_micros) {
  return {{"num_batch_threads", 1},
          {"max_batch_size", max_rows},
          {"batch_timeout_micros", timeout_micros}};
}

class BatchTest : public testing::Test {
 protected:
  Output times_ten(int max_rows, std::int64_t timeout_micros, AttrMap more = {}) {
    const auto f = define_function({DType::f32}, [this](const std::vector<Output>& x) {
      return std::vector<Output>{raw::Mul(x[0], constant(10.0f))};
    });
    AttrMap all = attrs(max_rows, timeout_micros);
    all.merge(more);
    all.emplace("f", FuncName{.name = f.name()});
    all.emplace("Tout", std::vector{DType::f32});
    Scope scope = current_scope();
    return scope
        .add("BatchFunction", {InputArg(std::vector<Input>{x_}), InputArg(std::vector<Input>())},
             all)
        .output();
  }

  // What each of several calls at once gets, or its error.
  std::vector<std::string> run_together(const std::vector<std::vector<float>>& rows, Output fetch) {
    std::vector<std::string> results(rows.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < rows.size(); ++i)
      threads.emplace_back([&, i] {
        try {
          Tensor fed(DType::f32, {static_cast<std::int64_t>(rows[i].size())});
          std::ranges::copy(rows[i], fed.data<float>());
          const std::vector<Feed> feeds{{x_, fed}};
          for (const float value : session_.run(feeds, std::vector{fetch})[0].flat<float>())
            results[i] += str_cat(value, " ");
        } catch (const Error& error) {
          results[i] = error.message();
        }
      });
    for (std::thread& thread : threads) thread.join();
    return results;
  }

  AsDefault graph_{make_graph()};
  Output x_ = placeholder(DType::f32, PartialShape{-1});
  Session session_{default_graph()};
};

using Strings = std::vector<std::string>;

TEST_F(BatchTest, a_full_batch_runs_at_once) {
  const Output y = times_ten(3, 1'000'000'000);
  EXPECT_EQ(run_together({{1}, {2, 3}}, y), (Strings{"10 ", "20 30 "}));
}

TEST_F(BatchTest, a_partial_batch_runs_at_the_timeout) {
  const Output y =
      times_ten(100, 20'000, {{"allowed_batch_sizes", std::vector<std::int64_t>{8, 100}}});
  EXPECT_EQ(run_together({{1}, {2, 3}}, y), (Strings{"10 ", "20 30 "}));
  EXPECT_EQ(run_together({{4}}, y), (Strings{"40 "}));
}

TEST_F(BatchTest, many_at_once) {
  const Output y = times_ten(4, 1000);
  for (int round = 0; round < 20; ++round)
    EXPECT_EQ(run_together({{1}, {2}, {3}, {4}, {5}, {6}, {7, 8}, {9}}, y),
              (Strings{"10 ", "20 ", "30 ", "40 ", "50 ", "60 ", "70 80 ", "90 "}));
}

TEST_F(BatchTest, what_is_too_large_is_refused) {
  const Output y = times_ten(2, 1000);
  const Strings got = run_together({{1, 2, 3}}, y);
  EXPECT_NE(got[0].find("Task size 3 is larger than maximum input batch size 2"), std::string::npos)
      << got[0];
}

TEST_F(BatchTest, cancelling_takes_a_call_out) {
  const Output y = times_ten(100, 60'000'000);
  const std::vector<Feed> feeds{{x_, Tensor::vector<float>({1})}};
  RunOptions options;
  options.timeout_ms = 30;
  EXPECT_THROW(session_.run(feeds, std::vector{y}, {}, options), Error);
}

TEST_F(BatchTest, options_that_make_no_sense) {
  for (const Output& y :
       {times_ten(0, 0), times_ten(4, -1),
        times_ten(4, 0, {{"allowed_batch_sizes", std::vector<std::int64_t>{2, 3}}}),
        times_ten(4, 0, {{"allowed_batch_sizes", std::vector<std::int64_t>{4, 4}}})})
    EXPECT_NE(run_together({{1}}, y)[0].find("must"), std::string::npos);
}

TEST_F(BatchTest, batches_are_divided_again_and_so_are_gradients) {
  Scope scope = current_scope();
  AttrMap all = attrs(3, 1'000'000'000);
  all.emplace("grad_timeout_micros", 0);
  Node& batch = scope.add("Batch", {InputArg(std::vector<Input>{x_})}, all);
  const Output scaled = raw::Mul(batch.output(0), constant(10.0f));
  const Output own = scope
                         .add("Unbatch", {scaled, batch.output(1), batch.output(2)},
                              {{"timeout_micros", 1'000'000}})
                         .output();
  EXPECT_EQ(run_together({{1}, {2, 3}}, own), (Strings{"10 ", "20 30 "}));
  const Output joined =
      scope.add("UnbatchGrad", {scaled, batch.output(1), own, batch.output(2)}).output();
  Strings got = run_together({{1}, {2, 3}}, joined);
  std::ranges::sort(got);
  EXPECT_EQ(got[0], "");
  EXPECT_TRUE(got[1] == "10 20 30 " || got[1] == "20 30 10 ") << got[1];
}

TEST_F(BatchTest, data_that_does_not_arrive) {
  Scope scope = current_scope();
  const Output lost = scope
                          .add("Unbatch",
                               {x_, scope.constant(Tensor(DType::i64, {0, 3}), "index"),
                                scope.constant(Tensor::scalar<std::int64_t>(5), "id")},
                               {{"timeout_micros", 10'000}})
                          .output();
  EXPECT_EQ(run_together({{}}, lost)[0].substr(0, 50),
            "Batched data did not arrive within timeout window.");
}

}  // namespace
}  // namespace rill
