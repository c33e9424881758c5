#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "rill/io/event_writer.h"

namespace rill {

struct EventQueueOptions {
  std::size_t max_waiting = 10;
  double flush_seconds = 120;
};

// Events on their way into a file: a thread of its own writes them, so that whoever adds one does
// not wait for a disk unless the queue is full. Files reach the disk with the first event, then
// with the first one after every `flush_seconds`, with flush() and with close(). Safe from several
// threads. An error of the writing thread is thrown once, by whoever comes next.
class EventQueue {
 public:
  // With a suffix the file is made at once, else with the first event.
  EventQueue(const std::string& prefix, const std::string& suffix,
             const EventQueueOptions& options = {});
  ~EventQueue();  // closes; an error then is only logged
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  void add(const tensorflow::Event& event);  // waits while the queue is full; dropped when closed
  void flush();                              // everything added before is in the file afterwards
  void close();
  void reopen();  // events are taken again, into a new file; does nothing when open

 private:
  void start();
  void work();
  void write_waiting(std::unique_lock<std::mutex>& lock);
  void throw_error();
  void leave_to_parent();

  const EventQueueOptions options_;
  EventWriter writer_;  // touched by the thread, and by others while it is idle
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> waiting_;
  bool is_open_ = false, is_writing_ = false;
  std::int64_t next_flush_nanos_ = 0;
  int started_after_ = 0;  // forks
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace rill
