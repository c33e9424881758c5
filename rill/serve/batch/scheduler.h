#pragma once

#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <thread>

#include "rill/serve/batch/batch.h"
#include "rill/serve/batch/tuning.h"

namespace rill::serve {

// Threads that run batches of all models, in turn: the model that had the least time of them comes
// first. Safe from several threads at once.
class BatchScheduler {
 public:
  // How many threads there are, their name, and how many bytes may wait are those of `options`.
  explicit BatchScheduler(const BatchingOptions& options);
  ~BatchScheduler();

  // A version of a model, with options of its own.
  struct Member {
    explicit Member(const BatchingOptions& given) : options(given) {}
    const BatchingOptions options;
    // How long threads worked for it. What others used while it had nothing to do counts as well.
    std::int64_t used_nanos = 0;
    int active = 0;  // queues with something in them, and steps that run
  };
  using MemberRef = std::shared_ptr<Member>;

  struct RequestBatch {
    std::vector<BatchTask> tasks;
    std::int64_t rows = 0, bytes = 0;
    std::int64_t leaves_nanos = 0;  // at the latest
  };
  // What waits for one kind of step of it.
  struct Queue {
    Queue(MemberRef of, const CompiledStep* runs) : member(std::move(of)), step(runs) {}
    const MemberRef member;
    const CompiledStep* const step;    // there as long as its model, which tasks hold
    std::deque<RequestBatch> batches;  // the last one still grows
    BatchTuning tuning;
    int running = 0;  // steps
  };
  using QueueRef = std::shared_ptr<Queue>;

  MemberRef add_member(const BatchingOptions& options);
  void remove_member(const MemberRef& member);  // its queues, which are empty, go with it
  QueueRef add_queue(const MemberRef& member, const CompiledStep& step);

  // Throws Unavailable when too many wait already, InvalidArgument when the task is larger than
  // any may be; it is then untouched. Where nobody said how to join, and there is little to do, it
  // is run at once.
  void add(const QueueRef& queue, BatchTask& task);

 private:
  static std::int64_t max_rows(const Queue& queue);
  static std::vector<std::int64_t> part_sizes(const Queue& queue, std::int64_t rows);
  static bool may_leave(const Queue& queue, std::int64_t now);
  void check_room(const Queue& queue, const BatchTask& task, std::int64_t first_rows,
                  std::int64_t parts) const;
  void put(Queue& queue, BatchTask task);
  bool is_quiet(const Queue& queue) const;
  void begin_turn(Member& member);
  QueueRef find_ready(std::int64_t now);
  static RequestBatch cut_off(RequestBatch& batch);
  std::vector<BatchTask> take(Queue& queue);
  void run(const QueueRef& queue, std::vector<BatchTask> tasks, std::unique_lock<std::mutex>& lock);
  void work();
  void wait(std::unique_lock<std::mutex>& lock);

  const std::int64_t max_bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<MemberRef> members_;
  std::list<QueueRef> queues_;
  std::int64_t waiting_bytes_ = 0;
  int idle_ = 0, running_ = 0;  // threads that wait for work; steps that run
  std::int64_t last_nanos_ = 0,
               last_end_nanos_ = 0;  // how long the last step took, and when it ended
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace rill::serve
