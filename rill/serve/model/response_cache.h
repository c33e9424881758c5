#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "rill/serve/metrics/metrics.h"
#include "rill/serve/model/model.h"

namespace rill::serve {

// Answers of one version by what was asked, the latest ones: for models whose answers depend on
// the request alone. A request that was asked before, bit by bit, is answered without a step. Safe
// from several threads at once.
class ResponseCache {
 public:
  // `metrics`, which may be null, must outlive it.
  ResponseCache(std::int64_t max_bytes, ModelMetrics* metrics)
      : max_bytes_(max_bytes), metrics_(metrics) {}

  // Whether there is an answer, which `values` gets.
  bool find(const CompiledStepRef& step, const std::vector<Tensor>& feeds,
            std::vector<Tensor>* values);
  void keep(const CompiledStepRef& step, const std::vector<Tensor>& feeds,
            const std::vector<Tensor>& values);
  std::int64_t bytes() const;

 private:
  struct Answer {
    CompiledStepRef step;
    std::vector<Tensor> feeds, values;
    std::uint64_t hash = 0;
    std::int64_t bytes = 0;
  };
  using Answers = std::list<Answer>;  // the latest first
  Answers::iterator place_of(std::uint64_t hash, const CompiledStepRef& step,
                             const std::vector<Tensor>& feeds);  // with the mutex
  void forget(Answers::iterator answer);                         // with the mutex

  const std::int64_t max_bytes_;
  ModelMetrics* const metrics_;
  mutable std::mutex mutex_;
  Answers answers_;  // guarded by mutex_, as what follows
  std::unordered_multimap<std::uint64_t, Answers::iterator> places_;
  std::int64_t bytes_ = 0;
};

// A runner that asks `inside` only for what the cache does not have.
std::unique_ptr<StepRunner> caching_runner(std::unique_ptr<StepRunner> inside,
                                           std::int64_t max_bytes, ModelMetrics* metrics);

}  // namespace rill::serve
