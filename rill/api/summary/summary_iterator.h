#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <string>

#include "rill/io/event_reader.h"
#include "rill/proto/messages_fwd.h"

namespace rill::train {

// The events of a file, one after the other: for (const tf::Event& e : summary_iterator(path)).
// Throws NotFound, and DataLoss where a record is broken.
class SummaryIterator {
 public:
  explicit SummaryIterator(const std::string& path) : reader_(path) {}

  class Position {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = tensorflow::Event;
    using difference_type = std::ptrdiff_t;
    using pointer = const tensorflow::Event*;
    using reference = const tensorflow::Event&;

    Position() = default;  // the end
    explicit Position(SummaryIterator* events);
    const tensorflow::Event& operator*() const { return *event_; }
    const tensorflow::Event* operator->() const { return event_.get(); }
    Position& operator++();
    bool operator==(const Position& other) const { return events_ == other.events_; }

   private:
    SummaryIterator* events_ = nullptr;
    std::shared_ptr<tensorflow::Event> event_;
  };
  // Once only: the file is read as the loop goes on.
  Position begin() { return Position(this); }
  Position end() { return {}; }

 private:
  EventReader reader_;
};

inline SummaryIterator summary_iterator(const std::string& path) { return SummaryIterator(path); }

}  // namespace rill::train
