#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "rill/serve/metrics/metrics.h"
#include "rill/serve/model/model.h"

namespace rill::serve {

struct AdmissionOptions {
  int max_running = 0;             // steps of all models at once; 0: 4 for each core
  std::int64_t max_queued = 4096;  // requests that wait, of all models
  std::int64_t max_queued_of_model = 1024;
  // A request that would have to wait for longer is refused, if there are others before it. Where
  // requests have waited all the time for longer than that, there is no rush that will pass: then
  // an eighth of it is enough to keep the threads busy, and answers come sooner.
  std::int64_t max_wait_ms = 200;
};
// The same of one model; 0: as all have it.
struct LaneOptions {
  int max_running = 0;
  std::int64_t max_queued = 0, max_wait_ms = 0;
  int priority = 0;  // more goes first
};

// Which steps run now, which wait, and which are refused, when there is more to do than can be
// done. A request waits while there is hope that its answer comes in time; models take turns by the
// time that their steps take. Safe from several threads at once.
class Admission : public std::enable_shared_from_this<Admission> {
 public:
  // Counts in `metrics`, if there are any.
  explicit Admission(const AdmissionOptions& options, std::shared_ptr<Metrics> metrics = {});

  // From now on these hold of models.
  void configure(std::map<std::string, LaneOptions> models);
  // What runs the steps of one version of a model.
  std::unique_ptr<StepRunner> runner(const ServableId& id);

  std::int64_t queued() const;  // requests that wait

 private:
  struct Task {
    CompiledStepRef step;
    std::vector<Tensor> feeds;
    RequestLimits limits;
    TensorsDone done;
  };
  // What waits for one model.
  struct Lane {
    explicit Lane(std::string given, ModelMetrics* given_metrics)
        : name(std::move(given)), metrics(given_metrics) {}
    const std::string name;
    ModelMetrics* const metrics;  // may be null
    LaneOptions options;
    std::deque<Task> tasks;
    std::int64_t waits_since = 0;   // when there was nobody who waited; 0: nobody does
    std::int64_t mean_nanos = 0;    // of a step; 0: none has run
    std::int64_t served_nanos = 0;  // that the model had, for whose turn it is
    int running = 0;
  };
  using LaneRef = std::shared_ptr<Lane>;
  class Runner;

  LaneRef lane(const std::string& name);
  void run(const LaneRef& lane, Task task);
  void run_one(const LaneRef& lane, Task task, bool is_first);
  bool next(LaneRef* lane, Task* task);  // with the mutex
  std::vector<LaneRef> lanes() const;    // with the mutex
  bool may_run(const Lane& lane) const;  // with the mutex
  int most_of(const Lane& lane) const;
  std::int64_t wait_nanos(const Lane& lane) const;
  std::int64_t allowed_nanos(const Lane& lane) const;
  std::optional<Error> refusal(const Lane& lane, const RequestLimits& limits) const;
  std::optional<Task> displaced(const Lane& lane, LaneRef* whose);
  void push(Lane& lane, Task task);
  void require_room(const LaneRef& lane, const RequestLimits& limits);
  void begin(Lane& lane);
  void end(Lane& lane, std::int64_t took_nanos, bool has_run_whole);

  const AdmissionOptions options_;
  const int max_running_;
  const std::shared_ptr<Metrics> metrics_;
  mutable std::mutex mutex_;
  std::map<std::string, std::weak_ptr<Lane>> lanes_;  // guarded by mutex_, as what follows
  std::map<std::string, LaneOptions> lane_options_;
  int running_ = 0;
  std::int64_t queued_ = 0;
};

}  // namespace rill::serve
