#include "rill/ops/data/core/stage_stats.h"

#include <set>

#include "rill/base/clock.h"

namespace rill {
namespace {

// How many nodes of the dataset's graph come before its own: those of its inputs, each once.
class NodesBefore {
 public:
  int count(const Dataset& dataset) {
    int nodes = 0;
    for (const Tensor& input : dataset.origin().inputs) {
      if (!holds_dataset(input)) {
        ++nodes;
        continue;
      }
      const DatasetRef inner = dataset_in(input);
      if (seen_.insert(inner.get()).second) nodes += count(*inner) + 1;
    }
    return nodes;
  }

 private:
  std::set<const Dataset*> seen_;
};

}  // namespace

StageStats::StageStats(const Dataset& dataset, const Pipeline& pipeline,
                       const std::string& function, int width)
    : dataset_(dataset.shared_from_this()), width_(width), stats_(pipeline.settings().stats) {
  if (stats_ == nullptr) return;
  const std::string& tag = pipeline.settings().stats_tag;
  const std::string before = tag.empty() ? "" : tag + "::";
  std::string op = dataset.origin().op;
  stage_ = str_cat(before, op, "/_", NodesBefore().count(dataset), "::");
  constexpr std::string_view kWord = "Dataset";
  if (const std::size_t at = op.rfind(kWord); at != std::string::npos) op.erase(at, kWord.size());
  calls_ = str_cat(before, op, "::", function, "::execution_time");
}

void StageStats::scalar(const char* what, double value, std::int64_t step) const {
  stats_->set_scalar(stage_ + what, value, step);
}

void StageStats::histogram(const char* what, double value, std::int64_t step) const {
  stats_->add_to_histogram(stage_ + what, value, step);
}

StageStats::Call::Call(const StageStats& stats)
    : stats_(stats),
      begin_nanos_(stats ? monotonic_nanos() : 0),
      help_(*stats.dataset_, stats.width_) {}

StageStats::Call::~Call() {
  if (!stats_) return;
  stats_.stats_->add_to_histogram(stats_.calls_,
                                  static_cast<double>(monotonic_nanos() - begin_nanos_), 0);
}

}  // namespace rill
