#pragma once

#include <deque>
#include <functional>

#include "rill/ops/data/core/stage_work.h"

namespace rill {

// Makes elements from those of an input by calls that run side by side on background workers, which
// pull from the input one after the other. As many calls at a time as `width` says; results stand
// in line in the order of the input, twice as many as there may be calls. Where a call takes less
// than handing its result from thread to thread, the one who asks makes it.
class ParallelCalls final : public StageWork {
 public:
  // Takes the arguments' values away; false where the sequence ends.
  using Call = std::function<bool(Element& arguments, Element& results)>;

  ParallelCalls(PipelineRef pipeline, std::unique_ptr<DataIterator> input, Call call, int width,
                bool in_order, bool calls_wait);
  bool take(Element& element);
  bool would_wait() const;
  void save(StateWriter& state);
  void restore(const StateReader& state);

 private:
  struct Slot {
    StageResult result;
    bool done = false;
  };

  void work(Lock& lock) override;
  bool has_room() const { return !ended_ && slots_.size() < 2 * static_cast<std::size_t>(width_); }
  void grow();
  bool take_at_once(Lock& lock, StageResult& result);
  std::deque<std::unique_ptr<Slot>>::iterator first_done();
  StageResult made_of(StageResult pulled) const;

  const Call call_;
  const int width_;
  const bool in_order_, calls_wait_;
  std::mutex pulling_;  // held by who is in the input; taken before mutex_
  std::unique_ptr<DataIterator> input_;
  std::deque<std::unique_ptr<Slot>> slots_;
  bool ended_ = false;
  ElementCost cost_;  // of pulling and calling
};

}  // namespace rill
