#pragma once

#include "rill/ops/data/core/dataset.h"
#include "rill/ops/data/core/iterator_state.h"
#include "rill/ops/data/core/pipeline.h"

namespace rill {
struct StageFigure;
}

namespace rill {

// A walk through a dataset. One caller at a time; stages with threads of their own see to it that
// this holds for their inputs too.
class DataIterator {
 public:
  DataIterator(const Dataset& dataset, PipelineRef pipeline)
      : dataset_(dataset.shared_from_this()), pipeline_(std::move(pipeline)) {}
  virtual ~DataIterator() = default;
  DataIterator(const DataIterator&) = delete;
  DataIterator& operator=(const DataIterator&) = delete;

  // Sets `element` to the next one; false when there is none left, and then `element` is empty.
  // After an error the walk may go on behind the element that failed. An error of this stage says
  // which stage and which element it was.
  bool next(Element& element);
  // Goes past up to `count` elements; how many there were.
  virtual std::int64_t skip(std::int64_t count);
  // Whether next() may have to wait for other threads or for the world outside.
  virtual bool would_wait() const { return false; }

  // The position, under keys below the writer's; background work of the stage rests meanwhile.
  // Restoring is into an iterator that was just made of an equal dataset.
  void save(StateWriter& state) const;
  void restore(const StateReader& state);

 protected:
  virtual bool produce(Element& element) = 0;
  virtual void save_stage(StateWriter& state) const = 0;
  virtual void restore_stage(const StateReader& state) = 0;

  const PipelineRef& pipeline() const { return pipeline_; }

 private:
  const DatasetRef dataset_;  // outlives what refers to it
  const PipelineRef pipeline_;
  std::int64_t position_ = 0;
  StageFigure* figure_ = nullptr;  // of the time that it takes; found when it is first measured
};

// An iterator that knows its dataset's class.
template <class D>
class IteratorOf : public DataIterator {
 public:
  IteratorOf(const D& dataset, const PipelineRef& pipeline)
      : DataIterator(dataset, pipeline), dataset_(dataset) {}

 protected:
  const D& dataset() const { return dataset_; }

 private:
  const D& dataset_;
};

}  // namespace rill
