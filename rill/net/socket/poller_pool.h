#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

namespace rill::net {

// Threads that wait for events and deal with them. Only a few are awake, since more would take the
// cores from each other and from who sends; as many as there are cores while events take long to
// deal with; and while some are held up by an event, a long step of a model say, others take their
// place.
class PollerPool {
 public:
  // Since when a thread is busy with an event; 0: it waits for one.
  class Turn {
   public:
    void begin();
    void end();

   private:
    friend class PollerPool;
    PollerPool* pool_ = nullptr;
    std::atomic<std::int64_t> busy_since_ = 0;
    std::atomic<std::uint32_t> events_ = 0;
    std::uint32_t events_before_ = 0;  // at the last look
    std::atomic<bool> is_held_up_ = false;
    std::atomic<int> id_ = 0;  // of the thread, as the system has it
    std::thread thread_;
  };
  // Waits for one event and deals with it between turn.begin() and turn.end(); false when there
  // will be no more.
  using Poll = std::function<bool(Turn&)>;

  // At most so many threads, 0: four for each core, and a few that are left when these are all held
  // up; half as many as there are cores are awake at
  // first. `on_tick`, if any, is called now and then (about 50 times a second) by a thread of its
  // own.
  explicit PollerPool(int max_threads, Poll poll, std::function<void()> on_tick = {});
  // To be called when `poll` returns false for every thread; ends and joins them.
  ~PollerPool();
  PollerPool(const PollerPool&) = delete;
  PollerPool& operator=(const PollerPool&) = delete;

  int thread_count() const;

 private:
  void work(Turn& turn);
  void watch();
  void add_awake();          // with the mutex
  bool replace(Turn& turn);  // with the mutex; false: there can be no more threads
  void step_aside(Turn& turn);
  bool is_held_up(const Turn& turn, std::int64_t now) const;
  void replace_held_up();
  void choose_awake();

  const int most_, min_awake_, max_awake_;
  const Poll poll_;
  const std::function<void()> on_tick_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Turn> turns_;                    // guarded by mutex_, as what follows
  std::atomic<int> awake_ = 0, wanted_ = 0;  // written with mutex_
  int to_wake_ = 0, parked_ = 0;
  bool is_over_ = false;
  std::thread watcher_;
};

}  // namespace rill::net
