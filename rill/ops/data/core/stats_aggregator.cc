#include "rill/ops/data/core/stats_aggregator.h"

#include "rill/ops/logging/summary_message.h"
#include "rill/ops/summary/event_message.h"

namespace rill {
namespace {

void add(double value, Histogram& histogram) {
  histogram.add_to_moments(value);
  ++histogram.counts[histogram_bucket(value)];
}

}  // namespace

void StatsAggregator::add_to_histogram(const std::string& name, double value, std::int64_t step) {
  std::shared_ptr<SummaryEvents> writer;
  {
    const std::lock_guard lock(mutex_);
    add(value, histograms_[name]);
    writer = writer_;
  }
  if (writer == nullptr) return;
  Histogram one;
  add(value, one);
  SummaryMessage message;
  message.add_histogram(name, one);
  writer->write(summary_event(step, message.serialized()));
}

void StatsAggregator::set_scalar(const std::string& name, double value, std::int64_t step) {
  const auto number = static_cast<float>(value);
  std::shared_ptr<SummaryEvents> writer;
  {
    const std::lock_guard lock(mutex_);
    scalars_[name] = number;
    writer = writer_;
  }
  if (writer == nullptr) return;
  SummaryMessage message;
  message.add_scalar(name, number);
  writer->write(summary_event(step, message.serialized()));
}

std::string StatsAggregator::summary() const {
  const std::lock_guard lock(mutex_);
  SummaryMessage message;
  for (const auto& [name, histogram] : histograms_) message.add_histogram(name, histogram);
  for (const auto& [name, value] : scalars_) message.add_scalar(name, value);
  return message.serialized();
}

void StatsAggregator::set_writer(std::shared_ptr<SummaryEvents> writer) {
  const std::lock_guard lock(mutex_);
  writer_ = std::move(writer);
}

}  // namespace rill
