// What is counted of requests that are joined.
#include "serve_batch_model.h"

namespace rill::serve {
namespace {

TEST(BatchMetrics, batches_are_counted_by_model) {
  BatchModel model;
  BatchingOptions options{.max_batch_size = 8, .batch_timeout_micros = 200'000};
  options.allowed_batch_sizes = {4, 8};
  options.metrics = std::make_shared<Metrics>();
  {
    const auto runner = batching_runners(options)({"m", 1});
    std::vector<std::future<BatchModel::Result>> answers;
    for (int i = 0; i < 3; ++i)
      answers.push_back(BatchModel::start(*runner, model.doubles, BatchModel::column({1, 2})));
    for (auto& answer : answers) EXPECT_EQ(answer.get().message(), "");
  }
  const BatchMetrics& counted = options.metrics->batching("m");
  EXPECT_EQ(counted.batches.value(), 1);
  EXPECT_EQ(counted.rows.sum(), 6);
  EXPECT_EQ(counted.padding.sum(), 2);
  EXPECT_EQ(counted.queuing_micros.count(), 3);
  EXPECT_GE(counted.queuing_micros.sum(), 100'000);
  const std::string text = options.metrics->prometheus();
  for (const char* line :
       {":tensorflow:serving:batching_session:wrapped_run_count{model_name=\"m\"} 1\n",
        ":tensorflow:serving:batching_session:processed_batch_size_sum{model_name=\"m\"} 6\n",
        ":tensorflow:serving:batching_session:queuing_latency_count{model_name=\"m\"} 3\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  EXPECT_EQ(options.metrics->batching("other").batches.value(), 0);
}

}  // namespace
}  // namespace rill::serve
