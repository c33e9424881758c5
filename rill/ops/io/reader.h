#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <string>

#include "rill/ops/io/record_source.h"
#include "rill/ops/queue/waiter.h"

namespace rill {

// What TextLineReader and its like make: it turns units of work, mostly names of files, into
// records. One call at a time has the turn to use it; others wait for theirs without a thread.
class Reader final : public Resource, public WaitingRoom {
 public:
  static constexpr const char* kTypeName = "tensorflow::ReaderInterface";

  Reader(std::string name, std::unique_ptr<RecordSource> source)
      : name_(std::move(name)), source_(std::move(source)) {}

  // Gives every call that enters its turn, in order; leave() passes the turn on.
  void enter(const std::shared_ptr<Waiter>& turn);
  void leave();

  // The rest is for whoever has the turn, except for the counts.
  bool has_work() const { return finished_ < started_; }
  void start(std::string work);  // throws what opening throws; then the work is not begun
  void forget_work() { work_.clear(); }
  // One more record of the work at hand, or false when there was none and the work is done. After
  // an error the work goes on, at the same place.
  bool read(Record* record);

  // The bytes of a ReaderBaseState. Both throw Unimplemented where a position within a file would
  // have to be kept, the second InvalidArgument when the state makes no sense.
  std::string state() const;
  void restore(const std::string& state);
  void reset();

  std::int64_t records_produced() const { return records_; }
  std::int64_t work_units_completed() const { return finished_; }
  std::string describe() const override;

 private:
  void serve() override;
  void leave(Waiter& waiter) override;

  const std::string name_;
  const std::unique_ptr<RecordSource> source_;
  std::deque<std::shared_ptr<Waiter>> line_;
  bool taken_ = false;  // somebody has the turn

  std::string work_;
  std::atomic<std::int64_t> started_ = 0, finished_ = 0, records_ = 0;
};

}  // namespace rill
