#include "rill/ops/data/stage/shuffle_buffer.h"

#include "rill/base/error.h"

namespace rill {

void ShuffleBuffer::add(Element& element) {
  const std::int64_t position = epochs_.back().end;
  if (static_cast<std::size_t>(position % room_) >= slots_.size()) slots_.emplace_back();
  at(position).swap(element);
  ++epochs_.back().end;
  ++count_;
}

bool ShuffleBuffer::drop_empty_epoch() {
  if (epochs_.size() < 2 || epochs_.front().begin != epochs_.front().end) return false;
  epochs_.pop_front();
  return true;
}

void ShuffleBuffer::take(std::uint32_t random_word, Element& element) {
  Epoch& epoch = epochs_.front();
  Element& chosen = at(epoch.begin + random_word % (epoch.end - epoch.begin));
  element.swap(chosen);
  chosen.clear();
  chosen.swap(at(epoch.begin));
  ++epoch.begin;
  --count_;
}

// Positions are saved as seen from the first element.
void ShuffleBuffer::save(StateWriter state) const {
  const std::int64_t first = epochs_.front().begin;
  state.put("epochs", static_cast<std::int64_t>(epochs_.size()));
  for (std::size_t e = 0; e < epochs_.size(); ++e)
    state.put(str_cat("end", e), epochs_[e].end - first);
  for (std::int64_t i = 0; i < count_; ++i)
    state.put(str_cat("element", i), slots_[static_cast<std::size_t>((first + i) % room_)]);
}

void ShuffleBuffer::restore(const StateReader& state) {
  epochs_.clear();
  slots_.clear();
  count_ = 0;
  const std::int64_t epochs = state.integer("epochs");
  for (std::int64_t e = 0; e < epochs; ++e) {
    const std::int64_t end = state.integer(str_cat("end", e));
    require(end >= count_ && end <= room_, "the saved position of the iterator has ", end,
            " elements behind ", count_, " in a buffer of ", room_);
    for (std::int64_t i = count_; i < end; ++i)
      slots_.push_back(state.element(str_cat("element", i)));
    epochs_.push_back({count_, end});
    count_ = end;
  }
  require(!epochs_.empty(), "the saved position of the iterator has no epochs");
}

}  // namespace rill
