#pragma once

#include "rill/ops/data/core/data_iterator.h"

namespace rill {

// A dataset that is made of one other.
class UnaryDataset : public Dataset {
 public:
  UnaryDataset(ElementSpec spec, DatasetRef input)
      : Dataset(std::move(spec)), input_(std::move(input)) {}
  const DatasetRef& input() const { return input_; }

 private:
  const DatasetRef input_;
};

// Its iterator. The input's is kept after its end: what a generator of seeds knows is saved with
// it.
template <class D>
class UnaryIterator : public IteratorOf<D> {
 public:
  UnaryIterator(const D& dataset, const PipelineRef& pipeline)
      : IteratorOf<D>(dataset, pipeline), input_(dataset.input()->iterate(pipeline)) {}
  bool would_wait() const override { return !ended_ && input_->would_wait(); }

 protected:
  // The input's next element; false when there is none.
  bool pull(Element& element) {
    if (!ended_) ended_ = !input_->next(element);
    return !ended_;
  }
  // Goes past up to `count` elements of the input; how many there were.
  std::int64_t pass(std::int64_t count) {
    const std::int64_t passed = ended_ ? 0 : input_->skip(count);
    ended_ = passed < count;
    return passed;
  }
  bool ended() const { return ended_; }
  void end() { ended_ = true; }  // nothing more is wanted

  void save_stage(StateWriter& state) const override {
    state.put("ended", std::int64_t{ended_});
    state.put("input", input_);
  }
  void restore_stage(const StateReader& state) override {
    state.restore("input", input_);
    ended_ = state.integer("ended") != 0 || input_ == nullptr;
  }

 private:
  std::unique_ptr<DataIterator> input_;
  bool ended_ = false;
};

}  // namespace rill
