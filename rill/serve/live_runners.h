#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "rill/serve/model/model.h"

namespace rill::serve {

using MakeRunner = std::function<std::unique_ptr<StepRunner>(const ServableId&)>;

// Runners of models that are replaced while requests come: what comes then is run by the new ones,
// what waits by those that have it. Safe from several threads at once.
class LiveRunners {
 public:
  explicit LiveRunners(MakeRunner make);

  // Makes a runner that follows set(); may be called after this has gone.
  MakeRunner make();
  void set(MakeRunner make);

 private:
  struct Source {
    std::mutex mutex;
    MakeRunner make;                           // guarded by mutex
    std::atomic<std::int64_t> generation = 0;  // how often it was replaced
  };
  class Following;
  const std::shared_ptr<Source> source_;
};

}  // namespace rill::serve
