#include "rill/ops/data/shuffle_buffer.h"

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

void ShuffleBuffer::save(StateWriter state) const {
  state.put("epochs", static_cast<std::int64_t>(epochs_.size()));
  for (std::size_t e = 0; e < epochs_.size(); ++e) {
    state.put(str_cat("begin", e), epochs_[e].begin);
    state.put(str_cat("end", e), epochs_[e].end);
  }
  for (std::int64_t p = epochs_.front().begin; p < epochs_.back().end; ++p)
    state.put(str_cat("element", p % room_), slots_[static_cast<std::size_t>(p % room_)]);
}

void ShuffleBuffer::restore(const StateReader& state) {
  epochs_.clear();
  const std::int64_t epochs = state.integer("epochs");
  for (std::int64_t e = 0; e < epochs; ++e) {
    const Epoch epoch{state.integer(str_cat("begin", e)), state.integer(str_cat("end", e))};
    const std::int64_t before = e == 0 ? epoch.begin : epochs_.back().end;
    require(epoch.begin >= before && before >= 0 && epoch.end >= epoch.begin &&
                (e == 0 || epoch.begin == before),
            "the saved position of the iterator has epochs that do not follow each other");
    epochs_.push_back(epoch);
  }
  require(!epochs_.empty(), "the saved position of the iterator has no epochs");
  const std::int64_t begin = epochs_.front().begin, end = epochs_.back().end;
  count_ = end - begin;
  require(count_ <= room_, "the saved position of the iterator has ", count_,
          " elements for a buffer of ", room_);
  slots_.clear();
  for (std::int64_t p = begin; p < end; ++p) {
    const Element element = state.element(str_cat("element", p % room_));
    const auto slot = static_cast<std::size_t>(p % room_);
    if (slot >= slots_.size()) slots_.resize(slot + 1);
    slots_[slot] = element;
  }
  // add() grows the ring one by one.
  const auto used = static_cast<std::size_t>(std::min(end, room_));
  if (slots_.size() < used) slots_.resize(used);
}

}  // namespace rill
