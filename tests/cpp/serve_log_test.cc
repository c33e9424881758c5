// Requests that are logged, and what is counted.
#include <gtest/gtest.h>

#include <future>

#include "rill/io/record_reader.h"
#include "rill/serve/metrics/metrics.h"
#include "rill/serve/service/request_log.h"
#include "tests/cpp/serve_testing.h"

namespace rill::serve {
namespace {

std::vector<std::string> files_in(const std::string& directory) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> records_of(const std::string& path) {
  std::vector<std::string> records;
  RecordReader reader(path);
  for (std::string record; reader.read(&record);) records.push_back(record);
  return records;
}

TEST(LogFile, begins_another_file_when_one_is_full) {
  ScratchDirectory directory;
  {
    LogFile log(directory / "logs/a", {.max_file_bytes = 1000});
    for (int i = 0; i < 30; ++i) EXPECT_TRUE(log.add(std::string(100, 'a')));
    log.flush();
    EXPECT_TRUE(log.add("last"));
  }
  std::size_t count = 0;
  const auto files = files_in(directory / "logs");
  for (const std::string& file : files) count += records_of(file).size();
  EXPECT_EQ(files.size(), 4u);
  EXPECT_EQ(count, 31u);
}

TEST(LogFile, drops_records_when_full) {
  ScratchDirectory directory;
  LogFile log(directory / "a", {.max_waiting_bytes = 1000});
  EXPECT_FALSE(log.add(std::string(2000, 'a')));
  EXPECT_TRUE(log.add(std::string(500, 'a')));
  log.flush();
  EXPECT_TRUE(log.add(std::string(500, 'a')));
}

TEST(LogFile, continues_when_the_disk_fails) {
  LogFile log("/proc/nowhere/a");
  EXPECT_TRUE(log.add("record"));
  log.flush();
}

messages::ModelServerConfig logging(messages::ModelServerConfig config, const std::string& prefix,
                                    double rate) {
  for (auto& model : *config.mutable_model_config_list()->mutable_config()) {
    auto* logging = model.mutable_logging_config();
    logging->mutable_log_collector_config()->set_type("file");
    logging->mutable_log_collector_config()->set_filename_prefix(prefix);
    logging->mutable_sampling_config()->set_sampling_rate(rate);
  }
  return config;
}

TEST(RequestLogs, takes_as_many_as_it_is_told) {
  ScratchDirectory directory;
  ModelFolder models;
  models.add("m", kSavedModels + "predict/model");
  RequestLogs logs(nullptr);
  for (const auto& [rate, least, most] :
       {std::tuple{0.0, 0, 0}, {1.0, 1000, 1000}, {0.3, 295, 305}, {0.01, 9, 11}}) {
    logs.configure(logging(models.config(), directory / "a", rate));
    int taken = 0;
    for (int i = 0; i < 1000; ++i) taken += logs.sampled("m") != nullptr;
    EXPECT_GE(taken, least);
    EXPECT_LE(taken, most);
    EXPECT_EQ(logs.sampled("other"), nullptr);
  }
  EXPECT_EQ(error_of([&] { logs.configure(logging(models.config(), directory / "a", 2)); }),
            "InvalidArgument: sampling_rate of model m is from 0 to 1, not 2");
}

// Every kind of request, and back as what warms a model up.
TEST(RequestLogs, what_is_logged_can_be_asked_again) {
  ScratchDirectory directory;
  ModelFolder models;
  for (const char* name : {"predict", "classify", "regress"})
    models.add(name, kSavedModels + name + "/model");
  ServedModels served(models);
  const auto metrics = std::make_shared<Metrics>();
  RequestLogs logs(metrics);
  logs.configure(logging(models.config(), directory / "a", 1));
  const Service service(served.core, metrics.get(), Entry::kGrpc, &logs);
  const auto ask = [&](const auto& request, auto response, auto method) {
    std::promise<std::optional<Error>> ended;
    (service.*method)(request, &response, {},
                      [&](std::optional<Error> error) { ended.set_value(std::move(error)); });
    const auto error = ended.get_future().get();
    EXPECT_FALSE(error) << error->what();
  };
  using PredictMethod =
      void (Service::*)(const messages::PredictRequest&, messages::PredictResponse*,
                        const RequestLimits&, Done) const;
  ask(golden_calls("predict").at(0).request("predict"), messages::PredictResponse(),
      PredictMethod(&Service::predict));
  messages::Input input;
  auto& feature =
      (*input.mutable_example_list()->add_examples()->mutable_features()->mutable_feature())["x"];
  for (const float value : {0.5f, 0.25f, -1.5f}) feature.mutable_float_list()->add_value(value);
  messages::ClassificationRequest classification;
  classification.mutable_model_spec()->set_name("classify");
  *classification.mutable_input() = input;
  ask(classification, messages::ClassificationResponse(), &Service::classify);
  messages::RegressionRequest regression;
  regression.mutable_model_spec()->set_name("regress");
  *regression.mutable_input() = input;
  ask(regression, messages::RegressionResponse(), &Service::regress);
  messages::MultiInferenceRequest several;
  several.add_tasks()->mutable_model_spec()->set_name("classify");
  several.mutable_tasks(0)->set_method_name("tensorflow/serving/classify");
  *several.mutable_input() = input;
  ask(several, messages::MultiInferenceResponse(), &Service::multi_inference);
  logs.flush();

  const auto files = files_in(directory.path());
  ASSERT_EQ(files.size(), 1u);  // the models share it
  const auto records = records_of(files[0]);
  ASSERT_EQ(records.size(), 4u);
  std::vector<int> kinds;
  for (const std::string& record : records) {
    messages::PredictionLog log;
    ASSERT_TRUE(log.ParseFromString(record));
    kinds.push_back(log.log_type_case());
    EXPECT_EQ(log.log_metadata().model_spec().version().value(), 1);
    EXPECT_GT(log.log_metadata().timestamp_secs(), 1'500'000'000);
    EXPECT_EQ(log.log_metadata().sampling_config().sampling_rate(), 1);
  }
  using Log = messages::PredictionLog;
  EXPECT_EQ(kinds, (std::vector<int>{Log::kPredictLog, Log::kClassifyLog, Log::kRegressLog,
                                     Log::kMultiInferenceLog}));
  messages::PredictionLog first;
  first.ParseFromString(records[0]);
  golden_calls("predict").at(0).expect(first.predict_log().response());

  const std::string text = metrics->prometheus();
  for (const char* line :
       {":tensorflow:serving:request_log_count{model_name=\"classify\",status=\"OK\"} 2\n",
        ":tensorflow:serving:request_example_count_total{model_name=\"regress\"} 1\n",
        ":tensorflow:serving:request_latency_count{model_name=\"classify\",API=\"MultiInference\","
        "entrypoint=\"GRPC\"} 1\n",
        ":tensorflow:serving:requests_in_flight{entrypoint=\"GRPC\"} 0\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(Metrics, models_beyond_a_thousand_are_one) {
  Metrics metrics;
  for (int i = 0; i < 2000; ++i) metrics.model(std::to_string(i)).logged.add();
  EXPECT_EQ(metrics.model("3000").name, "other");
  EXPECT_EQ(metrics.model("3000").logged.value(), 1000);
  EXPECT_EQ(&metrics.model("7"), &metrics.model("7"));
}

TEST(Metrics, histograms) {
  Histogram micros, sizes(Histogram::Scale::kSizes);
  for (const double value : {0.0, 10.0, 11.0, 1e12}) micros.add(static_cast<std::int64_t>(value));
  EXPECT_EQ(micros.count(0), 2);
  EXPECT_EQ(micros.count(1), 1);
  EXPECT_EQ(micros.count(micros.bounds().size()), 1);
  EXPECT_EQ(micros.count(), 4);
  EXPECT_EQ(micros.sum(), 1'000'000'000'021);
  for (std::size_t i = 1; i < micros.bounds().size(); ++i) {
    EXPECT_GT(micros.bounds()[i], micros.bounds()[i - 1]);
    if (micros.bounds()[i] < 1000) {
      EXPECT_LE(micros.bounds()[i], 1.2001 * micros.bounds()[i - 1]);
    }
  }
  sizes.add(3);
  EXPECT_EQ(sizes.count(2), 1);
}

}  // namespace
}  // namespace rill::serve
