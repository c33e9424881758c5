#pragma once

#include <map>
#include <mutex>

#include "rill/ops/logging/histogram.h"
#include "rill/ops/summary/summary_events.h"

namespace rill {

// What the stages of input pipelines report to. Safe from several threads.
class StatsAggregator final : public Resource {
 public:
  static constexpr const char* kTypeName = "tensorflow::data::StatsAggregatorResource";
  std::string describe() const override { return "aggregator of statistics"; }

  // `step` is the number of the element, for who writes it to a file.
  void add_to_histogram(const std::string& name, double value, std::int64_t step);
  // The last value counts.
  void set_scalar(const std::string& name, double value, std::int64_t step);
  std::string summary() const;  // of all that came, a serialized Summary
  // From now on everything is written there as well.
  void set_writer(std::shared_ptr<SummaryEvents> writer);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Histogram> histograms_;
  std::map<std::string, float> scalars_;
  std::shared_ptr<SummaryEvents> writer_;
};

}  // namespace rill
