#include "rill/ops/batch/batch_room.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "rill/base/clock.h"
#include "rill/ops/batch/alarm.h"

namespace rill {
namespace {

std::int64_t new_id() {
  static std::atomic<std::int64_t> last = wall_micros() << 8;
  return ++last;
}

}  // namespace

BatchCall::BatchCall(KernelCall& c, Done d, std::vector<Tensor> given)
    : call(c), done(std::move(d)), inputs(std::move(given)), id(new_id()) {
  require(!inputs.empty(), "a call without tensors cannot be batched");
  for (const Tensor& input : inputs)
    require(
        input.rank() > 0 && input.dim(0) == inputs[0].dim(0),
        "Batching input tensors must have at least one dimension and equal 0th dimensions, not ",
        inputs[0].shape(), " and ", input.shape());
}

// The calls of a batch leave the room one by one; the last of them to do so processes the batch.
struct BatchRoom::ReadyBatch {
  std::shared_ptr<BatchRoom> room;
  Process process;
  BatchCalls calls;
  std::atomic<std::size_t> on_their_way{0};

  void arrived() {
    if (--on_their_way == 0) process(room, calls);
  }
};

class BatchRoom::Seat final : public Waiter {
 public:
  Seat(const std::shared_ptr<BatchCall>& call, Process process, Done done)
      : Waiter(call->call, std::move(done)), call(call), process(std::move(process)) {}
  const char* cancelled_text() const override { return "Batched call was cancelled"; }

  const std::shared_ptr<BatchCall> call;
  const Process process;
  std::shared_ptr<ReadyBatch> batch;  // once it leaves
};

void BatchRoom::submit(const std::shared_ptr<BatchCall>& call, const Process& process) {
  const std::int64_t rows = call->rows();
  require(rows <= options_.max_rows, "Task size ", rows,
          " is larger than maximum input batch size ", options_.max_rows);
  auto way_out = std::make_shared<std::weak_ptr<Seat>>();
  const auto seat =
      std::make_shared<Seat>(call, process, [call, way_out](const std::exception_ptr& error) {
        if (error) return call->done(error);
        way_out->lock()->batch->arrived();
      });
  *way_out = seat;
  bool first = false;
  wait(seat, [&] {
    if (processing_ >= options_.max_batches)
      return end(seat, error_of(Code::kUnavailable, "The batch scheduling queue to which this ",
                                "task was submitted is full"));
    if (open_rows_ + rows > options_.max_rows) close();
    first = open_.empty();
    if (first) opened_at_ = monotonic_nanos();
    open_.push_back(seat);
    open_rows_ += rows;
  });
  if (!first) return;
  ring_after(options_.timeout_nanos, [weak = weak_from_this()] {
    if (const auto room = weak.lock()) close_if_due(std::static_pointer_cast<BatchRoom>(room));
  });
}

// Processing may take long, and whoever rings alarms has others to ring.
void BatchRoom::close_if_due(const std::shared_ptr<BatchRoom>& room) {
  {
    const std::lock_guard lock(room->mutex_);
    if (!room->is_due()) return;
  }
  std::thread([room] { room->change([] {}); }).detach();
}

bool BatchRoom::is_due() const {
  return !open_.empty() && monotonic_nanos() - opened_at_ >= options_.timeout_nanos;
}

void BatchRoom::serve() {
  if (open_.empty()) return;
  if (open_rows_ >= options_.max_rows || is_due()) close();
}

void BatchRoom::close() {
  if (open_.empty()) return;
  auto batch = std::make_shared<ReadyBatch>();
  batch->room = self();
  batch->process = open_[0]->process;
  batch->on_their_way = open_.size();
  for (const auto& seat : open_) {
    batch->calls.push_back(seat->call);
    seat->batch = batch;
    end(seat);
  }
  open_.clear();
  open_rows_ = 0;
  ++processing_;
}

void BatchRoom::leave(Waiter& waiter) {
  const auto found =
      std::ranges::find(open_, &waiter, [](const auto& s) -> Waiter* { return s.get(); });
  if (found == open_.end()) return;
  open_rows_ -= (*found)->call->rows();
  open_.erase(found);
}

void BatchRoom::finished() {
  change([this] { --processing_; });
}

std::int64_t BatchRoom::filled_up(std::int64_t rows) const {
  const auto found = std::ranges::lower_bound(options_.allowed_rows, rows);
  return found == options_.allowed_rows.end() ? rows : *found;
}

BatchOptions batch_options(const KernelNode& node) {
  const auto threads = node.attr<std::int64_t>("num_batch_threads");
  const auto timeout = node.attr<std::int64_t>("batch_timeout_micros");
  const auto waiting = node.attr<std::int64_t>("max_enqueued_batches");
  BatchOptions options{.max_rows = node.attr<std::int64_t>("max_batch_size"),
                       .timeout_nanos = 0,
                       .max_batches = 0,
                       .allowed_rows = node.attr<std::vector<std::int64_t>>("allowed_batch_sizes")};
  constexpr std::int64_t kMax = std::int64_t{1} << 40;
  require(options.max_rows > 0, "max_batch_size must be positive; was ", options.max_rows);
  require(threads > 0 && threads < kMax, "num_batch_threads must be positive; was ", threads);
  require(timeout >= 0 && timeout < kMax, "batch_timeout_micros must be non-negative; was ",
          timeout);
  require(waiting >= 0 && waiting < kMax, "max_enqueued_batches must be non-negative; was ",
          waiting);
  options.timeout_nanos = timeout * 1000;
  options.max_batches = waiting + threads;
  const auto& allowed = options.allowed_rows;
  require(std::ranges::adjacent_find(allowed, std::ranges::greater_equal()) == allowed.end() &&
              (allowed.empty() || allowed[0] > 0),
          "allowed_batch_sizes entries must be positive and monotonically increasing");
  require(allowed.empty() || allowed.back() == options.max_rows,
          "final entry in allowed_batch_sizes must equal max_batch_size when large batches are not "
          "split");
  return options;
}

void fail_all(const BatchCalls& calls, const std::exception_ptr& error) {
  for (const auto& call : calls) call->done(error);
}

}  // namespace rill
