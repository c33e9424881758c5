// How requests are joined under load: counted, not timed.
#include <atomic>
#include <random>
#include <thread>

#include "rill/base/clock.h"
#include "rill/base/file_testing.h"
#include "rill/serve/batch/tuning.h"
#include "serve_batch_model.h"

namespace rill::serve {
namespace {

class BatchingLoad : public testing::Test {
 protected:
  BatchingOptions counted(BatchingOptions options) {
    options.counts = counts_;
    return options;
  }
  std::unique_ptr<StepRunner> runner(BatchingOptions options) {
    return batching_runners(counted(std::move(options)))({});
  }
  std::future<BatchModel::Result> start(StepRunner& runner, Tensor feed,
                                        const RequestLimits& limits = {}) {
    return BatchModel::start(runner, model_.doubles, std::move(feed), limits);
  }
  static Tensor column(std::initializer_list<float> values) { return BatchModel::column(values); }
  static Tensor one(float value) { return column({value}); }

  BatchModel model_;
  std::shared_ptr<BatchingCounts> counts_ = std::make_shared<BatchingCounts>();
};

TEST_F(BatchingLoad, requests_that_arrive_meanwhile_are_batched) {
  const auto run = runner({.is_self_tuning = true, .num_batch_threads = 2});
  Gate gate;
  std::future<BatchModel::Result> a;
  // Where nothing runs the caller's own thread does. What is too little to run beside it waits.
  std::thread caller([&] { a = start(*run, one(1), gate.limits()); });
  gate.await();
  std::vector<std::future<BatchModel::Result>> others;
  for (int i = 0; i < 10; ++i) others.push_back(start(*run, one(static_cast<float>(i))));
  EXPECT_EQ(counts_->steps, 0);
  gate.open();
  caller.join();
  EXPECT_EQ(a.get().step_rows(), std::vector{1});
  for (int i = 0; i < 10; ++i) {
    const auto result = others[static_cast<std::size_t>(i)].get();
    EXPECT_EQ(result.floats(), std::vector{2.0f * static_cast<float>(i)});
    EXPECT_EQ(result.step_rows(), std::vector{10});
  }
  EXPECT_EQ(counts_->tasks, 11);
  EXPECT_EQ(counts_->steps, 2);
  EXPECT_EQ(counts_->rows, 11);
  EXPECT_EQ(counts_->filled, 0);
}

TEST_F(BatchingLoad, self_tuned_batch_sizes_are_rounded) {
  const auto run = runner({.is_self_tuning = true, .num_batch_threads = 1});
  Gate first, second;
  std::future<BatchModel::Result> a;
  std::thread caller([&] { a = start(*run, one(1), first.limits()); });
  first.await();
  auto b = start(*run, Tensor::zeros(DType::f32, Shape({16, 1})), second.limits());
  second.await();
  std::vector<std::future<BatchModel::Result>> others;
  for (int i = 0; i < 30; ++i) others.push_back(start(*run, one(static_cast<float>(i))));
  first.open();
  second.open();
  caller.join();
  for (std::size_t i = 0; i < 30; ++i)
    EXPECT_EQ(others[i].get().step_rows(), std::vector{i < 24 ? 24 : 6});
  EXPECT_EQ(counts_->steps, 4);
  EXPECT_EQ(counts_->rows, 47);
}

TEST_F(BatchingLoad, much_work_is_run_beside_a_step_that_takes_long) {
  const auto run = runner({.is_self_tuning = true, .num_batch_threads = 1});
  Gate gate;
  std::future<BatchModel::Result> a;
  std::thread caller([&] { a = start(*run, one(1), gate.limits()); });
  gate.await();
  auto large = start(*run, Tensor::zeros(DType::f32, Shape({40, 1})));
  EXPECT_EQ(large.get().step_rows(), std::vector(40, 40));
  gate.open();
  caller.join();
  EXPECT_EQ(a.get().message(), "");
}

TEST_F(BatchingLoad, requests_without_a_size_limit) {
  const auto run = runner({.is_self_tuning = true});
  const Tensor large = Tensor::zeros(DType::f32, Shape({5000, 1}));
  EXPECT_EQ(start(*run, large).get().values.at(0).dim(0), 5000);
}

TEST_F(BatchingLoad, large_requests_are_cut) {
  const auto run = runner({.max_batch_size = 10,
                           .max_enqueued_batches = 3,
                           .num_batch_threads = 1,
                           .enable_large_batch_splitting = true,
                           .max_execution_batch_size = 4});
  Gate gate;
  auto busy = start(*run, one(0), gate.limits());
  gate.await();
  auto large = start(*run, column({0, 1, 2, 3, 4, 5, 6, 7, 8, 9})), small = start(*run, one(7));
  EXPECT_EQ(start(*run, column({1, 2})).get().message(),
            "Unavailable: The batch scheduling queue to which this task was submitted is full");
  EXPECT_EQ(start(*run, Tensor::zeros(DType::f32, Shape({11, 1}))).get().message(),
            "InvalidArgument: Task size 11 is larger than maximum input batch size 10");
  gate.open();
  const auto whole = large.get();
  EXPECT_EQ(whole.floats(), (std::vector<float>{0, 2, 4, 6, 8, 10, 12, 14, 16, 18}));
  EXPECT_EQ(whole.step_rows(), (std::vector{4, 4, 4, 4, 4, 4, 4, 4, 3, 3}));
  EXPECT_EQ(small.get().step_rows(), std::vector{3});
  EXPECT_EQ(busy.get().message(), "");
  EXPECT_EQ(counts_->tasks, 5);  // three parts, the small one and the busy one
  EXPECT_EQ(counts_->steps, 4);
  EXPECT_EQ(counts_->refused, 1);
}

TEST_F(BatchingLoad, an_error_of_one_part_is_that_of_the_request) {
  const auto run = runner({.max_batch_size = 10,
                           .num_batch_threads = 1,
                           .enable_large_batch_splitting = true,
                           .max_execution_batch_size = 4});
  const auto result = BatchModel::start(*run, model_.no_rows, column({1, 2, 3, 4, 5, 6})).get();
  EXPECT_EQ(result.message(), "FailedPrecondition: Batched output tensor has 0 dimensions");
  EXPECT_TRUE(result.values.empty());
}

TEST_F(BatchingLoad, padding_rows_are_counted_separately) {
  const auto run = runner({.max_batch_size = 8, .allowed_batch_sizes = {4, 8}});
  EXPECT_EQ(start(*run, column({1, 2, 3})).get().floats(), (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(start(*run, column({1, 2, 3, 4, 5})).get().step_rows(), std::vector(5, 8));
  EXPECT_EQ(counts_->rows, 8);
  EXPECT_EQ(counts_->filled, 4);
}

TEST_F(BatchingLoad, a_model_with_much_to_do_does_not_keep_others_waiting) {
  const auto runners = batching_runners(
      counted({.max_batch_size = 1, .max_enqueued_batches = 1000, .num_batch_threads = 1}));
  const auto busy = runners({"busy", 1}), other = runners({"other", 1});
  Gate gate;
  auto first = start(*busy, one(0), gate.limits());
  gate.await();
  std::atomic<int> of_busy = 0, before_other = -1, of_other = 0;
  std::promise<void> end;
  constexpr int kMany = 200, kFew = 3;
  for (int i = 0; i < kMany; ++i)
    busy->run(model_.doubles, {one(1)}, {}, [&](std::vector<Tensor>, std::optional<Error>) {
      if (++of_busy == kMany) end.set_value();
    });
  for (int i = 0; i < kFew; ++i)
    other->run(model_.doubles, {one(1)}, {}, [&](std::vector<Tensor>, std::optional<Error>) {
      if (++of_other == kFew) before_other = of_busy.load();
    });
  gate.open();
  end.get_future().wait();
  first.get();
  EXPECT_LT(before_other, kMany / 2);
}

TEST_F(BatchingLoad, memory_of_what_waits_is_bounded) {
  const auto run = runner({.max_batch_size = 1,
                           .max_enqueued_batches = 1000,
                           .num_batch_threads = 1,
                           .max_waiting_bytes = 10 * 4});
  Gate gate;
  auto busy = start(*run, one(0), gate.limits());
  gate.await();
  std::vector<std::future<BatchModel::Result>> waiting;
  for (int i = 0; i < 12; ++i) waiting.push_back(start(*run, one(1)));
  gate.open();
  int refused = 0;
  for (auto& result : waiting) refused += result.get().error.has_value() ? 1 : 0;
  EXPECT_EQ(refused, 2);
  EXPECT_EQ(busy.get().message(), "");
}

TEST_F(BatchingLoad, expired_work_is_not_run) {
  const auto run = runner({.max_batch_size = 4, .num_batch_threads = 1});
  Gate gate;
  auto busy = start(*run, one(0), gate.limits());
  gate.await();
  auto late = start(*run, one(1), net::CallLimits{.deadline_nanos = monotonic_nanos() + 1'000'000});
  auto gone = start(*run, one(1), net::CallLimits{.is_gone = [] { return true; }});
  auto good =
      start(*run, one(3), net::CallLimits{.deadline_nanos = monotonic_nanos() + 60'000'000'000});
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  gate.open();
  EXPECT_EQ(late.get().message(),
            "ResourceExhausted: Run() timeout exceeded while waiting in batching queue");
  EXPECT_EQ(gone.get().error->code(), Code::kCancelled);
  EXPECT_EQ(good.get().floats(), std::vector{6.0f});
  EXPECT_EQ(busy.get().message(), "");
  EXPECT_EQ(counts_->steps, 2);
  EXPECT_EQ(counts_->rows, 2);
  EXPECT_EQ(counts_->dropped, 2);
}

TEST_F(BatchingLoad, texts_of_different_lengths) {
  const auto run = runner({.max_batch_size = 3,
                           .batch_timeout_micros = 10'000'000,
                           .pad_variable_length_inputs = true});
  const auto texts = [](Shape shape, std::vector<std::string> values) {
    return Tensor::of<std::string>(std::move(shape), std::span<const std::string>(values));
  };
  auto a = BatchModel::start(*run, model_.texts, texts({1, 3}, {"a", "bc", "d"}));
  auto b = BatchModel::start(*run, model_.texts, texts({1, 1}, {"long enough to be elsewhere"}));
  auto c = BatchModel::start(*run, model_.texts, texts({1, 0}, {}));
  EXPECT_TRUE(identical(a.get().values.at(0), texts({1, 3}, {"a", "bc", "d"})));
  const std::string text = "long enough to be elsewhere";
  EXPECT_TRUE(identical(b.get().values.at(0), texts({1, 3}, {text, text, text})));
  EXPECT_TRUE(identical(c.get().values.at(0), texts({1, 3}, {"", "", ""})));
}

// Every request is answered once, whatever happens meanwhile: deadlines pass, clients leave, queues
// are full, models are unloaded.
TEST_F(BatchingLoad, every_request_is_answered_once) {
  for (const bool self_tuning : {false, true}) {
    const auto runners = batching_runners(counted({.is_self_tuning = self_tuning,
                                                   .max_batch_size = 8,
                                                   .max_enqueued_batches = 3,
                                                   .num_batch_threads = 3,
                                                   .allowed_batch_sizes = {2, 8},
                                                   .pad_variable_length_inputs = true,
                                                   .enable_large_batch_splitting = true}));
    std::mutex mutex;
    std::shared_ptr<StepRunner> current = runners({});
    std::atomic<bool> stop = false;
    std::thread reloader([&] {
      while (!stop) {
        std::shared_ptr<StepRunner> next = runners({});
        {
          const std::lock_guard lock(mutex);
          std::swap(current, next);
        }
        next.reset();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    constexpr int kClients = 6, kEach = 300;
    std::atomic<int> good = 0, wrong = 0, refused = 0, dropped = 0, other = 0, twice = 0;
    std::vector<std::thread> clients;
    for (int client = 0; client < kClients; ++client)
      clients.emplace_back([&, client] {
        std::mt19937 random(static_cast<unsigned>(client));
        for (int i = 0; i < kEach; ++i) {
          std::shared_ptr<StepRunner> runner;
          {
            const std::lock_guard lock(mutex);
            runner = current;
          }
          const std::int64_t rows = 1 + static_cast<std::int64_t>(random() % 8);
          Tensor feed(DType::f32, Shape({rows, 1 + static_cast<std::int64_t>(random() % 3)}));
          for (float& value : feed.flat<float>()) value = static_cast<float>(client * 1000 + i);
          RequestLimits limits;
          if (random() % 4 == 0)
            limits.deadline_nanos = monotonic_nanos() + random() % 2'000'000 - 200'000;
          if (random() % 8 == 0) limits.is_gone = [] { return true; };
          auto calls = std::make_shared<std::atomic<int>>(0);
          // Holds its runner, as requests hold their model.
          runner->run(
              model_.doubles, {feed}, limits,
              [&, runner, feed, calls](std::vector<Tensor> values, std::optional<Error> error) {
                if (++*calls > 1) ++twice;
                if (!error) {
                  const bool fits = values.size() == 2 && values[0].dim(0) == feed.dim(0) &&
                                    values[0].flat<float>()[0] == 2 * feed.flat<float>()[0];
                  ++(fits ? good : wrong);
                } else if (error->code() == Code::kUnavailable) {
                  ++refused;
                } else if (error->code() == Code::kResourceExhausted ||
                           error->code() == Code::kCancelled ||
                           error->code() == Code::kDeadlineExceeded) {
                  ++dropped;
                } else {
                  ++other;
                }
              });
        }
      });
    for (std::thread& client : clients) client.join();
    const auto answered = [&] {
      return good.load() + wrong.load() + refused.load() + dropped.load() + other.load();
    };
    for (int i = 0; i < 20'000 && answered() < kClients * kEach; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    stop = true;
    reloader.join();
    EXPECT_EQ(answered(), kClients * kEach);
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(other, 0);
    EXPECT_EQ(twice, 0);
    EXPECT_GT(good, 0);
    current.reset();
  }
}

TEST(BatchTuning, finds_how_many_rows_are_worth_while) {
  const auto learned = [](double per_step, double per_row) {
    BatchTuning tuning;
    std::mt19937 random(1);
    for (int i = 0; i < 2000; ++i) {
      const auto rows = 1 + static_cast<std::int64_t>(random()) % tuning.max_rows();
      const double noise = 0.9 + static_cast<double>(random() % 1000) / 5000;
      tuning.add_step(rows, static_cast<std::int64_t>((per_step + per_row * rows) * noise));
    }
    return tuning.max_rows();
  };
  BatchTuning even;
  for (int i = 1; i < 1000; ++i) even.add_step(1 + i % 8, 1000 + 1000 * (1 + i % 8));
  EXPECT_EQ(even.enough_rows(), 4);
  EXPECT_GT(learned(1e6, 1e4), 500);  // joining pays for long
  const auto few = learned(1e5, 1e5);
  EXPECT_GE(few, 8);
  EXPECT_LE(few, 64);
  EXPECT_LE(learned(0, 1e6), 32);  // joining gains nothing
}

TEST(BatchTuning, full_batches_grow_until_more_is_known) {
  BatchTuning tuning;
  for (int i = 0; i < 1000; ++i) tuning.add_step(tuning.max_rows(), 1'000'000);
  EXPECT_EQ(tuning.max_rows(), 1024);
}

class BatchingParameters : public testing::Test {
 protected:
  BatchingOptions read(const std::string& text) {
    write_file(path_, text);
    return batching_options(path_);
  }
  std::string fault(const std::string& text) {
    return error_of([&] { read(text); });
  }
  ScratchDirectory directory_;
  const std::string path_ = directory_ / "batching.txt";
};

TEST_F(BatchingParameters, all_of_them) {
  const BatchingOptions options = read(
      "max_batch_size { value: 64 }\nnum_batch_threads { value: 3 }\n"
      "max_enqueued_batches { value: 7 }\nthread_pool_name { value: \"mine\" }\n"
      "enable_large_batch_splitting { value: true }\nmax_execution_batch_size { value: 16 }\n"
      "allowed_batch_sizes: 4\nallowed_batch_sizes: 16\npad_variable_length_inputs: true\n"
      "mixed_priority_batching_policy: LOW_PRIORITY_PADDING_WITH_MAX_BATCH_SIZE\n"
      "low_priority_max_batch_size {\n  value: 3\n}\nbatch_timeout_micros { value: 9 }\n");
  EXPECT_FALSE(options.is_self_tuning);
  EXPECT_EQ(options.max_batch_size, 64);
  EXPECT_EQ(options.rows_of_a_step(), 16);
  EXPECT_EQ(options.num_batch_threads, 3);
  EXPECT_EQ(options.max_enqueued_batches, 7);
  EXPECT_EQ(options.thread_pool_name, "mine");
  EXPECT_TRUE(options.pad_variable_length_inputs);
  EXPECT_EQ(options.batch_timeout_micros, 9);
  EXPECT_TRUE(batching_options("").is_self_tuning);
}

TEST_F(BatchingParameters, errors) {
  EXPECT_NE(
      fault("allowed_batch_sizes: 4\nmax_batch_size { value: 8 }")
          .find("last entry in allowed_batch_sizes must match max_batch_size; last entry was 4; "
                "expected 8"),
      std::string::npos);
  EXPECT_NE(fault("enable_large_batch_splitting { value: true }\nmax_batch_size { value: 8 }\n"
                  "max_execution_batch_size { value: 9 }")
                .find("must be greater than or equal to max_execution_batch_size"),
            std::string::npos);
  EXPECT_NE(fault("num_batch_threads { value: 0 }").find("num_batch_threads"), std::string::npos);
  EXPECT_NE(fault("max_batch_size { value: -1 }").find("max_batch_size must be positive; was -1"),
            std::string::npos);
  EXPECT_NE(fault("\nunknown_name: 1").find("line 2"), std::string::npos);
}

TEST_F(BatchingParameters, of_one_version) {
  const BatchingOptions shared{.num_batch_threads = 5, .thread_pool_name = "all"};
  EXPECT_EQ(batching_options_of(directory_.path(), shared).max_batch_size, shared.max_batch_size);
  write_file(directory_ / "batching_params.pbtxt",
             "max_batch_size { value: 2 }\nnum_batch_threads { value: 9 }\n");
  const BatchingOptions own = batching_options_of(directory_.path(), shared);
  EXPECT_EQ(own.max_batch_size, 2);
  EXPECT_EQ(own.num_batch_threads, 5);
  EXPECT_EQ(own.thread_pool_name, "all");
  const auto runners = batching_runners_by_version(shared);
  BatchModel model;
  const auto run = runners({}, directory_.path());
  EXPECT_EQ(BatchModel::start(*run, model.doubles, BatchModel::column({1, 2, 3})).get().message(),
            "InvalidArgument: Task size 3 is larger than maximum batch size 2");
}

}  // namespace
}  // namespace rill::serve
