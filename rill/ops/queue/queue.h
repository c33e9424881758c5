#pragma once

#include <deque>

#include "rill/ops/queue/element_store.h"
#include "rill/ops/queue/waiter.h"

namespace rill {

// Says that elements are to be put into a queue, or that it is to be closed after those before.
class Putter final : public Waiter {
 public:
  Putter(KernelCall& call, Done done, std::vector<Tuple> elements)
      : Waiter(call, std::move(done)), elements(std::move(elements)) {}
  static std::shared_ptr<Putter> closing(KernelCall& call, Done done) {
    auto putter = std::make_shared<Putter>(call, std::move(done), std::vector<Tuple>());
    putter->closes = true;
    return putter;
  }
  const char* cancelled_text() const override { return "Enqueue operation was cancelled"; }

  std::vector<Tuple> elements;
  std::size_t next = 0;  // those before are in the queue
  bool closes = false;
};

// Wants elements out of a queue. It takes what is there and goes on waiting for the rest, so that
// it may ask for more than the queue can hold.
class Taker : public Waiter {
 public:
  Taker(KernelCall& call, Done done, std::int64_t count, bool fewer_do)
      : Waiter(call, std::move(done)), missing(count), fewer_do(fewer_do) {}
  const char* cancelled_text() const override { return "Dequeue operation was cancelled"; }
  bool is_input() const override { return true; }

  std::vector<Tuple> taken;
  std::int64_t missing;
  const bool fewer_do;  // once the queue is closed
};

// What FIFOQueue, PaddingFIFOQueue, PriorityQueue and RandomShuffleQueue make. Those who put and
// those who take are served in the order in which they came.
class Queue final : public Resource, public WaitingRoom {
 public:
  static constexpr const char* kTypeName = "tensorflow::QueueInterface";
  struct Options {
    std::string kind, name;  // "FIFOQueue"; for messages
    std::vector<DType> types;
    std::vector<PartialShape> shapes;  // of every component, or none
    std::int64_t capacity = -1;        // negative: no limit
    std::int64_t min_after_dequeue = 0;
    std::int64_t seed = 0, seed2 = 0;
    bool pads = false;

    // Throws InvalidArgument, naming the first thing that differs.
    void check_same(const Options& wanted) const;
  };

  Queue(Options options, std::unique_ptr<ElementStore> store)
      : options_(std::move(options)), store_(std::move(store)) {}

  const Options& options() const { return options_; }
  void put(const std::shared_ptr<Putter>& putter);
  // What was taken and is not enough goes back when the queue is closed or the step cancelled.
  void take(const std::shared_ptr<Taker>& taker);
  void close_at_once();  // who waits to put something is cancelled
  std::int64_t size() const;
  bool closed() const;
  std::int64_t waiting() const;  // how many calls wait to put or to take

  std::string describe() const override;
  std::int64_t memory_bytes() const override;

 private:
  void serve() override;
  void leave(Waiter& waiter) override;
  // These return whether anything moved, and end the one whose turn it is when he is done.
  bool serve_putter();
  bool serve_taker();
  std::exception_ptr too_few(const Taker& taker, std::int64_t size) const;

  const Options options_;
  const std::unique_ptr<ElementStore> store_;
  bool closed_ = false;
  std::deque<std::shared_ptr<Putter>> putters_;
  std::deque<std::shared_ptr<Taker>> takers_;
};

}  // namespace rill
