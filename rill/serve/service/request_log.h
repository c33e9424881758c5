#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "rill/serve/config/config_messages.h"
#include "rill/serve/metrics/metrics.h"
#include "rill/serve/service/log_file.h"
#include "tensorflow_serving/apis/prediction_log.pb.h"

namespace rill::serve {

// Notes some of the requests for one model, with their answers.
class RequestLogger {
 public:
  RequestLogger(const tensorflow::serving::LoggingConfig& config, std::shared_ptr<LogFile> file,
                ModelMetrics* metrics);

  bool wants_next();  // whether the request that comes now is one of those
  void log(const ServableId& id, const std::string& signature,
           tensorflow::serving::PredictionLog* entry);

 private:
  const tensorflow::serving::SamplingConfig sampling_;
  const std::uint64_t most_;  // a request whose number in the sequence is below is noted
  const bool all_;
  std::atomic<std::uint64_t> next_ = 0;
  const std::shared_ptr<LogFile> file_;
  ModelMetrics* const metrics_;
};

// Which requests are noted, as configurations of models say (logging_config): sampling_rate of
// them, as records of PredictionLog in files that begin with filename_prefix. A copy of such a file
// as assets.extra/tf_serving_warmup_requests warms a model up. Safe from several threads at once.
class RequestLogs {
 public:
  explicit RequestLogs(std::shared_ptr<Metrics> metrics, const LogFileOptions& options = {})
      : metrics_(std::move(metrics)), options_(options) {}

  // Throws InvalidArgument for a kind of log that is not known, or a rate that is none.
  void check(const tensorflow::serving::ModelServerConfig& config) const;
  void configure(const tensorflow::serving::ModelServerConfig& config);

  // Who notes the request for this model that comes now; null when nobody does.
  std::shared_ptr<RequestLogger> sampled(const std::string& model) const;
  void flush();  // until everything is in the files

 private:
  const std::shared_ptr<Metrics> metrics_;
  const LogFileOptions options_;
  std::atomic<bool> is_on_ = false;
  mutable std::shared_mutex mutex_;
  struct Logged {
    std::string config;  // to know whether it has changed
    std::shared_ptr<RequestLogger> logger;
  };
  std::map<std::string, Logged> loggers_;                  // by model; guarded by mutex_
  std::map<std::string, std::shared_ptr<LogFile>> files_;  // by prefix; guarded by mutex_
};

}  // namespace rill::serve
