#include "rill/api/summary/summary_iterator.h"

#include "tensorflow/core/util/event.pb.h"

namespace rill::train {

SummaryIterator::Position::Position(SummaryIterator* events)
    : events_(events), event_(std::make_shared<tensorflow::Event>()) {
  ++*this;
}

SummaryIterator::Position& SummaryIterator::Position::operator++() {
  if (!events_->reader_.read(event_.get())) events_ = nullptr;
  return *this;
}

}  // namespace rill::train
