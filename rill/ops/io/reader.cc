#include "rill/ops/io/reader.h"

#include "rill/base/text.h"
#include "tensorflow/core/framework/reader_base.pb.h"

namespace rill {

void Reader::enter(const std::shared_ptr<Waiter>& turn) {
  wait(turn, [&] { line_.push_back(turn); });
}

void Reader::leave() {
  change([&] { taken_ = false; });
}

void Reader::serve() {
  if (taken_ || line_.empty()) return;
  taken_ = true;
  end(line_.front());
  line_.pop_front();
}

void Reader::leave(Waiter& waiter) {
  std::erase_if(line_, [&](const auto& turn) { return turn.get() == &waiter; });
}

void Reader::start(std::string work) {
  work_ = std::move(work);
  source_->start(work_);
  ++started_;
}

bool Reader::read(Record* record) {
  bool last = false;
  const bool found = source_->read(record, &last);
  if (found) ++records_;
  if (!found || last) {
    finished_ = started_.load();
    source_->stop();
  }
  return found;
}

std::string Reader::state() const {
  if (!source_->is_whole())
    raise(Code::kUnimplemented, "Reader SerializeState: ", source_->kind(),
          " cannot keep its place within a file");
  tensorflow::ReaderBaseState state;
  state.set_work_started(started_);
  state.set_work_finished(finished_);
  state.set_num_records_produced(records_);
  state.set_current_work(work_);
  return state.SerializeAsString();
}

void Reader::restore(const std::string& bytes) {
  if (!source_->is_whole())
    raise(Code::kUnimplemented, "Reader RestoreState: ", source_->kind(),
          " cannot take up its place within a file");
  tensorflow::ReaderBaseState state;
  require(state.ParseFromString(bytes), "Could not parse state for ", describe(), ": ",
          quoted(bytes));
  require(
      state.work_started() >= 0 && state.work_finished() >= 0 && state.num_records_produced() >= 0,
      "Unexpected negative value when restoring in ", describe(), ": ", state.ShortDebugString());
  require(state.work_started() <= state.work_finished(),
          "Inconsistent work started vs. finished when restoring in ", describe(), ": ",
          state.ShortDebugString());
  started_ = state.work_started();
  finished_ = state.work_finished();
  records_ = state.num_records_produced();
  work_ = state.current_work();
}

void Reader::reset() {
  started_ = finished_ = records_ = 0;
  work_.clear();
  source_->stop();
}

std::string Reader::describe() const { return str_cat(source_->kind(), " '", name_, "'"); }

}  // namespace rill
