// Requests joined into batches by the model server.
#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <mutex>

#include "rill/base/clock.h"
#include "rill/base/file_testing.h"
#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/serve/batch/batching.h"

namespace rill::serve {
namespace {

// A graph whose step gives its input times two and, in every row, how many rows there were.
class Batching : public testing::Test {
 protected:
  Batching() {
    Scope scope(*graph_);
    Node& x = scope.add("Placeholder", {}, {{"dtype", DType::f32}});
    Node& doubled = scope.add("Add", {x.output(0), x.output(0)});
    Node& shape = scope.add("Shape", {x.output(0)});
    const Tensor zero = Tensor::vector<std::int32_t>({0}), one = Tensor::vector<std::int32_t>({1});
    Node& rows =
        scope.add("StridedSlice", {shape.output(0), zero, one, one}, {{"shrink_axis_mask", 1}});
    Node& list = scope.add("StridedSlice", {shape.output(0), zero, one, one});
    Node& counts = scope.add("Fill", {list.output(0), rows.output(0)});
    auto step = std::make_shared<CompiledStep>();
    const Output feeds[] = {x.output(0)};
    const Output fetches[] = {doubled.output(0), counts.output(0)};
    step->callable = session_.make_callable(feeds, fetches);
    step_ = step;
    const Output scalar[] = {rows.output(0)};
    auto no_rows = std::make_shared<CompiledStep>();
    no_rows->callable = session_.make_callable(feeds, scalar);
    scalar_step_ = no_rows;
  }
  struct Result {
    std::vector<Tensor> values;
    std::optional<Error> error;
  };
  std::future<Result> start(StepRunner& runner, Tensor feed, const RequestLimits& limits = {},
                            bool scalar = false) {
    auto promise = std::make_shared<std::promise<Result>>();
    runner.run(scalar ? scalar_step_ : step_, {std::move(feed)}, limits,
               [promise](std::vector<Tensor> values, std::optional<Error> error) {
                 promise->set_value({std::move(values), std::move(error)});
               });
    return promise->get_future();
  }
  static Tensor column(std::initializer_list<float> values) {
    return Tensor::of<float>({static_cast<std::int64_t>(values.size()), 1}, values);
  }
  static std::unique_ptr<StepRunner> runner(const BatchingOptions& options) {
    return batching_runners(options)({});
  }
  static void expect(const Result& result, std::vector<float> values, int rows) {
    ASSERT_FALSE(result.error) << result.error->what();
    const auto got = result.values[0].flat<float>();
    EXPECT_EQ(std::vector(got.begin(), got.end()), values);
    for (const std::int32_t count : result.values[1].flat<std::int32_t>()) EXPECT_EQ(count, rows);
  }

  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>(standard_ops());
  Session session_{graph_};
  CompiledStepRef step_, scalar_step_;
};

constexpr std::int64_t kLong = 10'000'000;

TEST_F(Batching, a_full_batch_runs_at_once) {
  const auto run = runner({.max_batch_size = 3, .batch_timeout_micros = kLong});
  auto a = start(*run, column({1, 2})), b = start(*run, column({3}));
  expect(a.get(), {2, 4}, 3);
  expect(b.get(), {6}, 3);
}

TEST_F(Batching, so_does_one_that_has_waited) {
  const auto run = runner({.max_batch_size = 100, .batch_timeout_micros = 20'000});
  const std::int64_t begin = monotonic_nanos();
  auto a = start(*run, column({1})), b = start(*run, column({2}));
  expect(a.get(), {2}, 2);
  expect(b.get(), {4}, 2);
  EXPECT_GT(monotonic_nanos() - begin, 15'000'000);
}

TEST_F(Batching, without_a_timeout_requests_run_at_once) {
  const auto run = runner({});
  const std::int64_t begin = monotonic_nanos();
  expect(start(*run, column({1})).get(), {2}, 1);
  EXPECT_LT(monotonic_nanos() - begin, 5'000'000'000);  // a timeout of its own would be longer
}

TEST_F(Batching, filled_up_to_an_allowed_size) {
  const auto run =
      runner({.max_batch_size = 8, .batch_timeout_micros = 1000, .allowed_batch_sizes = {2, 4, 8}});
  expect(start(*run, column({1, 2, 3})).get(), {2, 4, 6}, 4);
  expect(start(*run, column({1})).get(), {2}, 2);
}

TEST_F(Batching, incompatible_tensors_run_in_separate_batches) {
  const auto run = runner({.max_batch_size = 3, .batch_timeout_micros = kLong});
  auto a = start(*run, column({1})), b = start(*run, Tensor::of<float>({1, 2}, {2, 3})),
       c = start(*run, column({4}));
  expect(a.get(),
         {
             2,
         },
         2);
  expect(b.get(), {4, 6}, 1);
  expect(c.get(), {8}, 2);
}

TEST_F(Batching, unless_they_are_filled_up) {
  const auto run = runner(
      {.max_batch_size = 3, .batch_timeout_micros = kLong, .pad_variable_length_inputs = true});
  auto a = start(*run, column({1, 5})), b = start(*run, Tensor::of<float>({1, 2}, {2, 3}));
  expect(a.get(), {2, 2, 10, 2}, 3);  // the first element of the tensor
  expect(b.get(), {4, 6}, 3);
}

TEST_F(Batching, a_wrong_type_fails_only_its_request) {
  const auto run = runner({.max_batch_size = 2, .batch_timeout_micros = kLong});
  auto a = start(*run, Tensor::of<std::int32_t>({1, 1}, {1})), b = start(*run, column({1}));
  EXPECT_EQ(a.get().error->code(), Code::kInvalidArgument);
  expect(b.get(), {2}, 1);
}

TEST_F(Batching, errors) {
  const auto run =
      runner({.max_batch_size = 2, .batch_timeout_micros = kLong, .max_enqueued_batches = 1});
  const auto message = [&](std::future<Result> result) {
    return std::string(result.get().error->what());
  };
  EXPECT_EQ(message(start(*run, column({1, 2, 3}))),
            "InvalidArgument: Task size 3 is larger than maximum batch size 2");
  EXPECT_EQ(message(start(*run, Tensor::scalar(1.0f))),
            "InvalidArgument: Batching input tensors must have at least one dimension");
  auto waiting = start(*run, column({1}));
  EXPECT_EQ(message(start(*run, column({1, 2}))),
            "Unavailable: The batch scheduling queue to which this task was submitted is full");
  EXPECT_EQ(message(start(*run, column({1, 2}), {}, true)),
            "FailedPrecondition: Batched output tensor has 0 dimensions");
  auto other = start(*run, column({2}));
  expect(waiting.get(), {2}, 2);
}

TEST_F(Batching, cancelled_requests_are_not_run) {
  const auto run = runner({.max_batch_size = 3, .batch_timeout_micros = kLong});
  auto late = start(*run, column({1}), net::CallLimits{.deadline_nanos = monotonic_nanos() - 1});
  auto gone = start(*run, column({1}), net::CallLimits{.is_gone = [] { return true; }});
  auto good = start(*run, column({1}));
  EXPECT_EQ(std::string(late.get().error->what()),
            "ResourceExhausted: Run() timeout exceeded while waiting in batching queue");
  EXPECT_EQ(gone.get().error->code(), Code::kCancelled);
  expect(good.get(), {2}, 1);
}

TEST_F(Batching, no_rows_at_all) {
  const auto run = runner({});
  expect(start(*run, Tensor::of<float>({0, 1}, std::span<const float>())).get(), {}, 0);
}

TEST_F(Batching, many_from_many_threads) {
  const auto run = runner({.max_batch_size = 16, .max_enqueued_batches = 1000});
  std::vector<std::thread> clients;
  std::atomic<int> wrong = 0;
  for (int client = 0; client < 4; ++client)
    clients.emplace_back([&, client] {
      for (int i = 0; i < 300; ++i) {
        const auto value = static_cast<float>(client * 1000 + i);
        const Result result = start(*run, column({value})).get();
        if (result.error || result.values[0].flat<float>()[0] != 2 * value) ++wrong;
      }
    });
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(wrong, 0);
}

TEST(BatchingOptions, from_a_file) {
  ScratchDirectory directory;
  const std::string path = directory / "batching.txt";
  write_file(path,
             "max_batch_size { value: 8 }\nbatch_timeout_micros { value: 5 }\n"
             "allowed_batch_sizes: 2\nallowed_batch_sizes: 8\n");
  const BatchingOptions options = batching_options(path);
  EXPECT_EQ(options.max_batch_size, 8);
  EXPECT_EQ(options.batch_timeout_micros, 5);
  EXPECT_EQ(options.max_enqueued_batches, 10);
  EXPECT_EQ(options.allowed_batch_sizes, (std::vector<std::int64_t>{2, 8}));
  write_file(path, "allowed_batch_sizes: 2\nallowed_batch_sizes: 1\n");
  EXPECT_THROW(batching_options(path), Error);
  write_file(path, "max_batch_size {\n  value: x\n}");
  EXPECT_NE(error_of([&] { batching_options(path); }).find("line 2"), std::string::npos);
}

}  // namespace
}  // namespace rill::serve
