#pragma once

#include <deque>

#include "rill/ops/data/core/iterator_state.h"
#include "rill/ops/data/core/random_words.h"

namespace rill {

// The elements that wait to be chosen, epoch by epoch: one is chosen only when those of earlier
// epochs are gone. The order is TensorFlow's for equal seeds.
class ShuffleBuffer {
 public:
  explicit ShuffleBuffer(std::int64_t room) : room_(room), epochs_{Epoch{}} {}

  bool full() const { return count_ >= room_; }
  bool empty() const { return count_ == 0; }
  std::size_t epoch_count() const { return epochs_.size(); }

  void begin_epoch() { epochs_.push_back({epochs_.back().end, epochs_.back().end}); }
  void add(Element& element);  // takes its value away
  // Drops the first epoch if nothing is left of it.
  bool drop_empty_epoch();
  // Takes an element of the first epoch, which has some.
  void take(std::uint32_t random_word, Element& element);

  void save(StateWriter state) const;
  void restore(const StateReader& state);

 private:
  struct Epoch {
    std::int64_t begin = 0, end = 0;  // positions in the sequence of all elements
  };
  Element& at(std::int64_t position) { return slots_[static_cast<std::size_t>(position % room_)]; }

  const std::int64_t room_;
  std::int64_t count_ = 0;
  std::deque<Epoch> epochs_;
  std::vector<Element> slots_;  // a ring, as long as was needed so far
};

}  // namespace rill
