#pragma once

#include <deque>
#include <string>

#include "rill/ops/queue/waiter.h"

namespace rill {

// One call that takes part in a batch. Its `done` is called when the batch has been processed.
struct BatchCall {
  BatchCall(KernelCall& c, Done d, std::vector<Tensor> given);
  std::int64_t rows() const { return inputs[0].dim(0); }

  KernelCall& call;
  const Done done;
  const std::vector<Tensor> inputs;  // of equally many rows each
  const std::int64_t id;             // different for every call
};

using BatchCalls = std::vector<std::shared_ptr<BatchCall>>;

struct BatchOptions {
  std::int64_t max_rows, timeout_nanos, max_batches;
  std::vector<std::int64_t> allowed_rows;  // ascending; empty: any number
  auto operator<=>(const BatchOptions&) const = default;
};

// Where calls meet until they are many enough, or the first of them has waited long enough. Safe
// from several threads.
class BatchRoom final : public Resource, public WaitingRoom {
 public:
  static constexpr const char* kTypeName = "tensorflow::BatchResource";
  BatchRoom(std::string name, BatchOptions options)
      : name_(std::move(name)), options_(std::move(options)) {}

  const BatchOptions& options() const { return options_; }

  // Lets the call wait for others. `process` is called once for each batch, on the thread of
  // whoever completes it, with the calls in the order of their coming; it finishes all of them, and
  // calls finished(). Throws InvalidArgument for a call that is too large by itself, Unavailable
  // when too many batches are being processed.
  using Process = std::function<void(const std::shared_ptr<BatchRoom>&, const BatchCalls&)>;
  void submit(const std::shared_ptr<BatchCall>& call, const Process& process);
  void finished();

  // How many rows a batch of so many is filled up to.
  std::int64_t filled_up(std::int64_t rows) const;
  std::string describe() const override { return "batches of " + name_; }

 private:
  struct ReadyBatch;  // calls on their way out
  class Seat;         // a call while it waits

  void serve() override;
  void leave(Waiter& waiter) override;
  void close();
  bool is_due() const;
  static void close_if_due(const std::shared_ptr<BatchRoom>& room);
  std::shared_ptr<BatchRoom> self() {
    return std::static_pointer_cast<BatchRoom>(shared_from_this());
  }

  const std::string name_;
  const BatchOptions options_;
  std::vector<std::shared_ptr<Seat>> open_;
  std::int64_t open_rows_ = 0, opened_at_ = 0;
  std::int64_t processing_ = 0;  // batches
};

// Of a node's attributes; throws InvalidArgument where they make no sense.
BatchOptions batch_options(const KernelNode& node);
// Finishes all calls with an error.
void fail_all(const BatchCalls& calls, const std::exception_ptr& error);

}  // namespace rill
