#include "rill/serve/service/request_log.h"

#include <cmath>

#include "rill/base/clock.h"
#include "rill/base/error.h"

namespace rill::serve {
namespace {

using tensorflow::serving::LoggingConfig;
using tensorflow::serving::ModelServerConfig;
using tensorflow::serving::PredictionLog;

// Multiples of the golden ratio, as parts of 2^64, lie evenly, whatever pattern requests come in.
constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;

bool is_logged(const LoggingConfig& config) {
  return !config.log_collector_config().filename_prefix().empty() &&
         config.sampling_config().sampling_rate() > 0;
}

void check_config(const std::string& model, const LoggingConfig& config) {
  const std::string& type = config.log_collector_config().type();
  require(type.empty() || type == "file" || type == "tfrecord",
          "Cannot find LogCollector::Factory for type: ", type, " (model ", model,
          "); there is \"file\"");
  const double rate = config.sampling_config().sampling_rate();
  require(rate >= 0 && rate <= 1, "sampling_rate of model ", model, " is from 0 to 1, not ", rate);
  require(type.empty() || !config.log_collector_config().filename_prefix().empty(),
          "log_collector_config of model ", model, " has no filename_prefix");
}

}  // namespace

RequestLogger::RequestLogger(const LoggingConfig& config, std::shared_ptr<LogFile> file,
                             ModelMetrics* metrics)
    : sampling_(config.sampling_config()),
      most_(static_cast<std::uint64_t>(
          std::ldexp(std::min(sampling_.sampling_rate(), 1 - 1e-15), 64))),
      all_(sampling_.sampling_rate() >= 1),
      file_(std::move(file)),
      metrics_(metrics) {}

bool RequestLogger::wants_next() {
  return all_ || next_.fetch_add(1, std::memory_order_relaxed) * kGolden < most_;
}

void RequestLogger::log(const ServableId& id, const std::string& signature, PredictionLog* entry) {
  auto* metadata = entry->mutable_log_metadata();
  metadata->mutable_model_spec()->set_name(id.name);
  metadata->mutable_model_spec()->mutable_version()->set_value(id.version);
  metadata->mutable_model_spec()->set_signature_name(signature);
  *metadata->mutable_sampling_config() = sampling_;
  metadata->set_timestamp_secs(wall_micros() / 1'000'000);
  const bool is_taken = file_->add(entry->SerializeAsString());
  if (metrics_ != nullptr) (is_taken ? metrics_->logged : metrics_->logs_lost).add();
}

void RequestLogs::check(const ModelServerConfig& config) const {
  for (const auto& model : config.model_config_list().config())
    check_config(model.name(), model.logging_config());
}

void RequestLogs::configure(const ModelServerConfig& config) {
  check(config);
  std::map<std::string, Logged> wanted;
  std::map<std::string, std::shared_ptr<LogFile>> files;
  const std::unique_lock lock(mutex_);
  for (const auto& model : config.model_config_list().config()) {
    const LoggingConfig& logging = model.logging_config();
    if (!is_logged(logging)) continue;
    const std::string& prefix = logging.log_collector_config().filename_prefix();
    auto& file = files[prefix];
    if (file == nullptr) file = files_.contains(prefix) ? files_.at(prefix) : nullptr;
    if (file == nullptr) file = std::make_shared<LogFile>(prefix, options_);
    Logged entry{logging.SerializeAsString(), nullptr};
    if (const auto before = loggers_.find(model.name());
        before != loggers_.end() && before->second.config == entry.config)
      entry.logger = before->second.logger;
    else
      entry.logger = std::make_shared<RequestLogger>(
          logging, file, metrics_ == nullptr ? nullptr : &metrics_->model(model.name()));
    wanted[model.name()] = std::move(entry);
  }
  loggers_ = std::move(wanted);
  files_ = std::move(files);
  is_on_ = !loggers_.empty();
}

std::shared_ptr<RequestLogger> RequestLogs::sampled(const std::string& model) const {
  if (!is_on_.load(std::memory_order_relaxed)) return nullptr;
  const std::shared_lock lock(mutex_);
  const auto found = loggers_.find(model);
  if (found == loggers_.end() || !found->second.logger->wants_next()) return nullptr;
  return found->second.logger;
}

void RequestLogs::flush() {
  std::map<std::string, std::shared_ptr<LogFile>> files;
  {
    const std::shared_lock lock(mutex_);
    files = files_;
  }
  for (const auto& [prefix, file] : files) file->flush();
}

}  // namespace rill::serve
