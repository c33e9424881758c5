#include "rill/ops/data/core/stage_clock.h"

#include <utility>

#include "rill/base/clock.h"
#include "rill/base/text.h"
#include "rill/ops/data/core/dataset.h"

namespace rill {
namespace {

constexpr std::uint32_t kFirst = 8;
constexpr int kEveryLog = 6;

struct WalkOfThread {
  int depth = 0;
  std::uint32_t walks = 0, random = 1;
  std::int64_t weight = 0;       // 0: this walk is not measured
  std::int64_t inner_nanos = 0;  // of the stages below the one that is at work, and of waiting
};
thread_local WalkOfThread walk_of_thread;

// How many walks the one that begins stands for. Which are measured is drawn: one in so many would
// see only one of two iterators that take turns.
std::int64_t next_weight(WalkOfThread& walk) {
  if (walk.walks < kFirst) return ++walk.walks, 1;
  walk.random = walk.random * 1664525 + 1013904223;
  return walk.random >> (32 - kEveryLog) == 0 ? 1 << kEveryLog : 0;
}

}  // namespace

StageFigure& stage_figure(const Dataset& dataset) {
  const DatasetOrigin& origin = dataset.origin();
  const std::string& op = origin.op.empty() ? "Dataset" : origin.op;
  const bool is_named = !origin.node.empty() && origin.node != op;
  return process_figures().stage(is_named ? str_cat(op, " ", origin.node) : op);
}

StageClock::StageClock(const Dataset& dataset, StageFigure** figure) {
  WalkOfThread& walk = walk_of_thread;
  if (walk.depth++ == 0) walk.weight = next_weight(walk);
  if (walk.weight == 0) [[likely]]
    return;
  if (*figure == nullptr) *figure = &stage_figure(dataset);
  figure_ = *figure;
  outer_nanos_ = std::exchange(walk.inner_nanos, 0);
  begin_nanos_ = monotonic_nanos();
}

StageClock::~StageClock() {
  WalkOfThread& walk = walk_of_thread;
  --walk.depth;
  if (figure_ == nullptr) [[likely]]
    return;
  const std::int64_t took = monotonic_nanos() - begin_nanos_;
  figure_->work.add((took - walk.inner_nanos) * walk.weight, walk.weight);
  walk.inner_nanos = outer_nanos_ + took;
}

StageClock::Help::Help(const Dataset& dataset, int width) {
  WalkOfThread& walk = walk_of_thread;
  if (walk.depth > 0) return;  // the clock around the making of the element measures it
  walk.weight = next_weight(walk);
  if (walk.weight == 0) return;
  figure_ = &stage_figure(dataset);
  figure_->width = width;
  begin_nanos_ = monotonic_nanos();
}

StageClock::Help::~Help() {
  if (figure_ != nullptr)
    figure_->work.add((monotonic_nanos() - begin_nanos_) * walk_of_thread.weight, 0);
}

StageClock::Idle::Idle() {
  if (walk_of_thread.depth > 0 && walk_of_thread.weight > 0) begin_nanos_ = monotonic_nanos();
}

StageClock::Idle::~Idle() {
  if (begin_nanos_ > 0) walk_of_thread.inner_nanos += monotonic_nanos() - begin_nanos_;
}

}  // namespace rill
