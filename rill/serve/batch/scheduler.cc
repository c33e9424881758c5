#include "rill/serve/batch/scheduler.h"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "rill/base/clock.h"

namespace rill::serve {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
// Batches of one kind that may wait where nobody said how many.
constexpr std::int64_t kMaxWaiting = 1000;

// What this thread has worked. Times by the clock tell little on a machine that has much to do.
std::int64_t worked_nanos() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void name_thread(const std::string& name) {
  constexpr std::size_t kLongest = 15;  // that Linux takes
  pthread_setname_np(pthread_self(), name.substr(0, kLongest).c_str());
}

}  // namespace

BatchScheduler::BatchScheduler(const BatchingOptions& options)
    : max_bytes_(options.max_waiting_bytes) {
  const auto cores = static_cast<std::int64_t>(std::max(1u, std::thread::hardware_concurrency()));
  const auto count = options.num_batch_threads > 0 ? options.num_batch_threads : cores;
  for (std::int64_t i = 0; i < count; ++i)
    threads_.emplace_back([this, name = options.thread_pool_name] {
      name_thread(name);
      work();
    });
}

BatchScheduler::~BatchScheduler() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

BatchScheduler::MemberRef BatchScheduler::add_member(const BatchingOptions& options) {
  const std::lock_guard lock(mutex_);
  return members_.emplace_back(std::make_shared<Member>(options));
}

void BatchScheduler::remove_member(const MemberRef& member) {
  const std::lock_guard lock(mutex_);
  queues_.remove_if([&](const QueueRef& queue) { return queue->member == member; });
  members_.remove(member);
}

BatchScheduler::QueueRef BatchScheduler::add_queue(const MemberRef& member,
                                                   const CompiledStep& step) {
  const std::lock_guard lock(mutex_);
  return queues_.emplace_back(std::make_shared<Queue>(member, &step));
}

std::int64_t BatchScheduler::max_rows(const Queue& queue) {
  const BatchingOptions& options = queue.member->options;
  return options.is_self_tuning ? queue.tuning.max_rows() : options.rows_of_a_step();
}

// The rows that go into the batch that still grows, and into batches behind it.
std::vector<std::int64_t> BatchScheduler::part_sizes(const Queue& queue, std::int64_t rows) {
  const std::int64_t most = max_rows(queue);
  std::vector<std::int64_t> sizes;
  std::int64_t room = queue.batches.empty() ? most : most - queue.batches.back().rows;
  for (; rows > 0; room = most) {
    const std::int64_t part = std::min(rows, room);
    if (part > 0) sizes.push_back(part);
    rows -= part;
  }
  return sizes;
}

void BatchScheduler::check_room(const Queue& queue, const BatchTask& task, std::int64_t first_rows,
                                std::int64_t parts) const {
  const BatchingOptions& options = queue.member->options;
  const auto& batches = queue.batches;
  const bool fits = !batches.empty() && batches.back().rows + first_rows <= max_rows(queue);
  const std::int64_t count = static_cast<std::int64_t>(batches.size()) + parts - (fits ? 1 : 0);
  if (count <= (options.is_self_tuning ? kMaxWaiting : options.max_enqueued_batches) &&
      waiting_bytes_ + batch_bytes(task.feeds) <= max_bytes_)
    return;
  if (options.counts != nullptr) ++options.counts->refused;
  raise(Code::kUnavailable, "The batch scheduling queue to which this task was submitted is full");
}

void BatchScheduler::put(Queue& queue, BatchTask task) {
  const BatchingOptions& options = queue.member->options;
  auto& batches = queue.batches;
  if (batches.empty()) begin_turn(*queue.member);
  if (batches.empty() || batches.back().rows + task.rows > max_rows(queue)) {
    const std::int64_t wait = options.batch_timeout_micros;
    batches.push_back({.leaves_nanos = wait == 0 ? 0 : monotonic_nanos() + wait * 1000});
  }
  RequestBatch& batch = batches.back();
  const std::int64_t bytes = batch_bytes(task.feeds);
  batch.rows += task.rows;
  batch.bytes += bytes;
  waiting_bytes_ += bytes;
  if (options.of_model != nullptr) task.since_nanos = monotonic_nanos();
  batch.tasks.push_back(std::move(task));
  if (options.counts != nullptr) ++options.counts->tasks;
}

void BatchScheduler::add(const QueueRef& queue, BatchTask& task) {
  std::unique_lock lock(mutex_);
  const BatchingOptions& options = queue->member->options;
  require(options.is_self_tuning || task.rows <= options.max_batch_size, "Task size ", task.rows,
          " is larger than maximum ", options.enable_large_batch_splitting ? "input " : "",
          "batch size ", options.max_batch_size);
  if (options.enable_large_batch_splitting) {
    const std::vector<std::int64_t> sizes = part_sizes(*queue, task.rows);
    check_room(*queue, task, sizes[0], static_cast<std::int64_t>(sizes.size()));
    for (BatchTask& part : split_task(std::move(task), sizes)) put(*queue, std::move(part));
  } else {
    check_room(*queue, task, task.rows, 1);
    put(*queue, std::move(task));
  }
  if (options.is_self_tuning && is_quiet(*queue)) run(queue, take(*queue), lock);
  const bool wake = idle_ > 0;
  lock.unlock();
  if (wake) changed_.notify_one();
}

// Whether threads have had nothing to do for longer than they worked before, so that handing a
// request to one would only cost time. Otherwise the caller had better bring more requests.
bool BatchScheduler::is_quiet(const Queue& queue) const {
  return running_ == 0 && queue.batches.size() == 1 && queue.batches.front().tasks.size() == 1 &&
         monotonic_nanos() - last_end_nanos_ > last_nanos_;
}

// A model that had nothing to do gets no more of the threads for that.
void BatchScheduler::begin_turn(Member& member) {
  if (member.active++ > 0) return;
  std::int64_t least = kNever;
  for (const MemberRef& other : members_)
    if (other.get() != &member && other->active > 0) least = std::min(least, other->used_nanos);
  if (least != kNever) member.used_nanos = std::max(member.used_nanos, least);
}

bool BatchScheduler::may_leave(const Queue& queue, std::int64_t now) {
  if (queue.batches.empty()) return false;
  const RequestBatch& first = queue.batches.front();
  if (queue.batches.size() > 1 || first.rows >= max_rows(queue)) return true;
  if (queue.member->options.is_self_tuning)
    return queue.running == 0 || first.rows >= queue.tuning.enough_rows();
  return first.leaves_nanos <= now;
}

// What has something to run, of the model that had the least time; of several queues of a model the
// one that stands first, which then goes to the end.
BatchScheduler::QueueRef BatchScheduler::find_ready(std::int64_t now) {
  auto best = queues_.end();
  for (auto it = queues_.begin(); it != queues_.end(); ++it)
    if (may_leave(**it, now) &&
        (best == queues_.end() || (*it)->member->used_nanos < (*best)->member->used_nanos))
      best = it;
  if (best == queues_.end()) return nullptr;
  queues_.splice(queues_.end(), queues_, best);
  return *best;
}

// What is too much for a round number of rows stays, as the first batch.
BatchScheduler::RequestBatch BatchScheduler::cut_off(RequestBatch& batch) {
  const std::int64_t wanted = round_rows(batch.rows);
  std::size_t count = 1;
  std::int64_t rows = batch.tasks[0].rows;
  while (count < batch.tasks.size() && rows + batch.tasks[count].rows <= wanted)
    rows += batch.tasks[count++].rows;
  RequestBatch rest{.rows = batch.rows - rows};
  const auto from = batch.tasks.begin() + static_cast<std::ptrdiff_t>(count);
  rest.tasks.assign(std::make_move_iterator(from), std::make_move_iterator(batch.tasks.end()));
  batch.tasks.erase(from, batch.tasks.end());
  for (const BatchTask& task : rest.tasks) rest.bytes += batch_bytes(task.feeds);
  batch.rows = rows;
  batch.bytes -= rest.bytes;
  return rest;
}

std::vector<BatchTask> BatchScheduler::take(Queue& queue) {
  RequestBatch batch = std::move(queue.batches.front());
  queue.batches.pop_front();
  if (queue.member->options.is_self_tuning)
    if (RequestBatch rest = cut_off(batch); !rest.tasks.empty())
      queue.batches.push_front(std::move(rest));
  // The step keeps its model active, instead of the queue where that is empty now.
  if (!queue.batches.empty()) ++queue.member->active;
  waiting_bytes_ -= batch.bytes;
  return std::move(batch.tasks);
}

// The tasks hold the model until they are answered; after that only the queue is there.
void BatchScheduler::run(const QueueRef& queue, std::vector<BatchTask> tasks,
                         std::unique_lock<std::mutex>& lock) {
  std::int64_t rows = 0;
  for (const BatchTask& task : tasks) rows += task.rows;
  ++running_;
  ++queue->running;
  lock.unlock();
  const std::int64_t begin = monotonic_nanos(), worked = worked_nanos();
  if (BatchMetrics* metrics = queue->member->options.of_model)
    for (const BatchTask& task : tasks)
      metrics->queuing_micros.add((begin - task.since_nanos) / 1000);
  run_batch(*queue->step, std::move(tasks), queue->member->options);
  const std::int64_t nanos = monotonic_nanos() - begin, cost = worked_nanos() - worked;
  lock.lock();
  --running_;
  --queue->running;
  queue->member->used_nanos += nanos;
  --queue->member->active;
  queue->tuning.add_step(rows, cost);
  last_nanos_ = nanos;
  last_end_nanos_ = begin + nanos;
}

void BatchScheduler::work() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const std::int64_t now = monotonic_nanos();
    const QueueRef queue = find_ready(now);
    if (queue == nullptr) {
      wait(lock);
      continue;
    }
    std::vector<BatchTask> tasks = take(*queue);
    // What became ready when the last step ended may be of another model.
    if (idle_ > 0 &&
        std::ranges::any_of(queues_, [&](const QueueRef& other) { return may_leave(*other, now); }))
      changed_.notify_one();
    run(queue, std::move(tasks), lock);
  }
}

// Until something comes, or the first batch has waited long enough. What waits for the end of a
// step is looked for by the thread that ran it.
void BatchScheduler::wait(std::unique_lock<std::mutex>& lock) {
  std::int64_t until = kNever;
  for (const QueueRef& queue : queues_)
    if (!queue->batches.empty() && !queue->member->options.is_self_tuning)
      until = std::min(until, queue->batches.front().leaves_nanos);
  ++idle_;
  if (until == kNever)
    changed_.wait(lock);
  else
    changed_.wait_for(
        lock, std::chrono::nanoseconds(std::max<std::int64_t>(0, until - monotonic_nanos())));
  --idle_;
}

}  // namespace rill::serve
