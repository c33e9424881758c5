#pragma once

#include <cstdint>
#include <string>

#include "rill/base/process_figures.h"

namespace rill {

class Dataset;

// The figure of a dataset's stage, by its op and its node.
StageFigure& stage_figure(const Dataset& dataset);

// Stands around the making of an element and adds the time to the stage's figure: what the stages
// before it took on the same thread, and waiting, is not its own. One walk down the stages in 64 is
// measured, for all of them, and the first ones.
class StageClock {
 public:
  StageClock(const Dataset& dataset, StageFigure** figure);
  ~StageClock();
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;

  // Stands around a part of the work that a stage with `width` threads does on one of these.
  class Help {
   public:
    Help(const Dataset& dataset, int width);
    ~Help();
    Help(const Help&) = delete;
    Help& operator=(const Help&) = delete;

   private:
    StageFigure* figure_ = nullptr;  // null: not measured
    std::int64_t begin_nanos_ = 0;
  };

  // Stands around waiting, which is nobody's work.
  class Idle {
   public:
    Idle();
    ~Idle();
    Idle(const Idle&) = delete;
    Idle& operator=(const Idle&) = delete;

   private:
    std::int64_t begin_nanos_ = 0;  // 0: not measured
  };

 private:
  StageFigure* figure_ = nullptr;  // null: not measured
  std::int64_t begin_nanos_ = 0, outer_nanos_ = 0;
};

}  // namespace rill
