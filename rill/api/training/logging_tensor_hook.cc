#include "rill/api/training/logging_tensor_hook.h"

#include <cstdio>

#include "rill/api/core/default_graph.h"
#include "rill/api/core/texts.h"
#include "rill/api/logging/tf_logging.h"
#include "rill/api/training/progress_bar.h"

namespace rill::train {
namespace {

std::vector<std::pair<std::string, TensorOrName>> tagged(std::vector<TensorOrName> tensors) {
  std::vector<std::pair<std::string, TensorOrName>> all;
  for (TensorOrName& tensor : tensors) all.emplace_back(tensor.text(), std::move(tensor));
  return all;
}

TimerRef timer_of(const LoggingTensorHookOptions& options) {
  const bool only_at_end = options.at_end && !options.every_n_iter && !options.every_n_secs;
  require(only_at_end || options.every_n_iter.has_value() != options.every_n_secs.has_value(),
          "either at_end and/or exactly one of every_n_iter and every_n_secs must be provided.");
  require(!options.every_n_iter || *options.every_n_iter > 0,
          "invalid every_n_iter=", options.every_n_iter.value_or(0), ".");
  if (only_at_end) return std::make_shared<NeverTriggerTimer>();
  return std::make_shared<SecondOrStepTimer>(SecondOrStepTimerOptions{
      .every_secs = options.every_n_secs, .every_steps = options.every_n_iter});
}

std::string seconds_text(double secs) {
  char text[64];
  std::snprintf(text, sizeof text, " (%.3f sec)", secs);
  return text;
}

// What a bar can show: the value of a scalar of a floating-point type.
std::optional<double> number_in(const Tensor& value) {
  if (value.element_count() != 1) return {};
  if (value.dtype() == DType::f32) return *value.data<float>();
  if (value.dtype() == DType::f64) return *value.data<double>();
  return {};
}

}  // namespace

LoggingTensorHook::LoggingTensorHook(std::vector<std::pair<std::string, TensorOrName>> tensors,
                                     const LoggingTensorHookOptions& options)
    : tensors_(std::move(tensors)), options_(options), timer_(timer_of(options)) {}

LoggingTensorHook::LoggingTensorHook(std::vector<TensorOrName> tensors,
                                     const LoggingTensorHookOptions& options)
    : LoggingTensorHook(tagged(std::move(tensors)), options) {}

LoggingTensorHook::LoggingTensorHook(const std::map<std::string, TensorOrName>& tensors,
                                     const LoggingTensorHookOptions& options)
    : LoggingTensorHook(
          std::vector<std::pair<std::string, TensorOrName>>(tensors.begin(), tensors.end()),
          options) {}

void LoggingTensorHook::begin() {
  timer_->reset();
  iter_count_ = 0;
  current_.clear();
  for (const auto& [tag, tensor] : tensors_) current_.push_back(tensor.find());
}

std::optional<SessionRunArgs> LoggingTensorHook::before_run(SessionRunContext&) {
  should_trigger_ = timer_->should_trigger_for_step(iter_count_);
  if (!should_trigger_) return {};
  return SessionRunArgs{.fetches = {current_.begin(), current_.end()}};
}

void LoggingTensorHook::log_tensors(const std::vector<Tensor>& values) {
  const auto elapsed = timer_->update_last_triggered_step(iter_count_);
  TaggedValues tagged;
  for (std::size_t i = 0; i < tensors_.size() && i < values.size(); ++i) {
    tagged.emplace_back(tensors_[i].first, values[i]);
    if (const auto number = number_in(values[i]); number && tensors_[i].first == "loss")
      progress_bar().set_loss(*number);
  }
  if (options_.formatter) return logging::info(options_.formatter(tagged));
  if (!logging::is_shown(logging::Level::INFO)) return;
  std::vector<std::string> parts;
  for (const auto& [tag, value] : tagged)
    parts.push_back(
        str_cat(tag, " = ", options_.value_text ? options_.value_text(value) : value_text(value)));
  logging::info(join(parts, ", "), elapsed ? seconds_text(elapsed->secs) : "");
}

void LoggingTensorHook::after_run(SessionRunContext&, const SessionRunValues& values) {
  if (should_trigger_) {
    if (log_tensors_override)
      log_tensors_override(values.results);
    else
      log_tensors(values.results);
  }
  ++iter_count_;
}

void LoggingTensorHook::end(Session& session) {
  if (!options_.at_end) return;
  const std::vector<Tensor> values = session.run(current_);
  if (log_tensors_override)
    log_tensors_override(values);
  else
    log_tensors(values);
}

}  // namespace rill::train
