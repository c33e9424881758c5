#include <map>

#include "rill/base/clock.h"
#include "rill/ops/batch/alarm.h"
#include "rill/ops/batch/rows.h"
#include "rill/ops/queue/waiter.h"

namespace rill {

extern const OpDecl kUnbatch, kUnbatchGrad;

namespace {

std::int64_t id_input(const KernelCall& call, int i) {
  const Tensor& id = call.input_tensor(i);
  require(id.rank() == 0, "id must be a scalar, not of shape ", id.shape());
  return id.scalar_value<std::int64_t>();
}

// A call that waits until others have left all that it asks for.
class Collector final : public Waiter {
 public:
  Collector(KernelCall& call, Done done, std::vector<std::int64_t> ids)
      : Waiter(call, std::move(done)), ids(std::move(ids)) {}
  const char* cancelled_text() const override { return "Waiting for a batch was cancelled"; }
  void deliver(KernelCall& call) override {
    std::int64_t rows = 0;
    for (const Tensor& part : parts) rows += part.rank() > 0 ? part.dim(0) : 0;
    call.set_output(0, parts.size() == 1 ? parts[0] : joined_rows(parts, rows));
  }

  const std::vector<std::int64_t> ids;
  std::vector<Tensor> parts;  // one for each id, when it leaves
  std::int64_t until = 0;     // on the monotonic clock; 0: for ever
};

// Tensors by the id of the call that they are for, left by one call and collected by another.
class LeftRows final : public Resource, public WaitingRoom {
 public:
  static constexpr const char* kTypeName = "tensorflow::UnbatchResource";
  explicit LeftRows(std::string name) : name_(std::move(name)) {}

  // Leaves tensors for others for so long, and collects some; `timeout_nanos` 0: without limit.
  void exchange(const std::vector<std::pair<std::int64_t, Tensor>>& left,
                const std::shared_ptr<Collector>& collector, std::int64_t timeout_nanos) {
    const std::int64_t until = timeout_nanos == 0 ? 0 : monotonic_nanos() + timeout_nanos;
    collector->until = until;
    wait(collector, [&] {
      for (const auto& [id, rows] : left) left_.insert_or_assign(id, Left{rows, until});
      waiting_.push_back(collector);
    });
    if (timeout_nanos > 0)
      ring_after(timeout_nanos, [weak = weak_from_this()] {
        if (const auto room = weak.lock()) static_cast<LeftRows&>(*room).change([] {});
      });
  }
  // Leaves a tensor and goes.
  void leave_one(std::int64_t id, const Tensor& rows) {
    change([&] { left_.insert_or_assign(id, Left{rows, 0}); });
  }
  std::string describe() const override { return "rows of batches of " + name_; }

 private:
  struct Left {
    Tensor rows;
    std::int64_t until;
  };

  bool collect(Collector& collector) {
    for (const std::int64_t id : collector.ids)
      if (!left_.contains(id)) return false;
    for (const std::int64_t id : collector.ids)
      collector.parts.push_back(std::move(left_.extract(id).mapped().rows));
    return true;
  }

  void serve() override {
    const std::int64_t now = monotonic_nanos();
    std::erase_if(waiting_, [&](const std::shared_ptr<Collector>& collector) {
      if (collect(*collector)) {
        end(collector);
        return true;
      }
      if (collector->until == 0 || now < collector->until) return false;
      end(collector,
          error_of(Code::kDeadlineExceeded, "Batched data did not arrive within timeout window."));
      return true;
    });
    std::erase_if(left_, [&](const auto& entry) {
      return entry.second.until != 0 && now >= entry.second.until;
    });
  }
  void leave(Waiter& waiter) override {
    std::erase_if(waiting_, [&](const auto& collector) { return collector.get() == &waiter; });
  }

  const std::string name_;
  std::map<std::int64_t, Left> left_;
  std::vector<std::shared_ptr<Collector>> waiting_;
};

std::shared_ptr<LeftRows> room_of(const KernelCall& call) {
  const KernelNode& node = call.node();
  const auto& shared = node.attr<std::string>("shared_name");
  const std::string& name = shared.empty() ? node.name : shared;
  auto found = call.step().resources->find_or_make<LeftRows>(
      node.attr<std::string>("container"), name, [&] { return std::make_shared<LeftRows>(name); });
  require(found != nullptr, name, " is not where batches are divided");
  return found;
}

void unbatch(KernelCall& call, Done done) {
  const Tensor& batched = call.input_tensor(0);
  const auto timeout = call.node().attr<std::int64_t>("timeout_micros");
  require(timeout >= 0 && timeout < std::int64_t{1} << 40,
          "timeout_micros must be non-negative; was ", timeout);
  const auto index =
      parse_batch_index(call.input_tensor(1), batched.rank() > 0 ? batched.dim(0) : 0);
  std::vector<std::pair<std::int64_t, Tensor>> left;
  for (const RowsOf& part : index)
    left.emplace_back(part.id, batched.slice(part.start, part.end).clone());
  auto collector =
      std::make_shared<Collector>(call, std::move(done), std::vector{id_input(call, 2)});
  room_of(call)->exchange(left, collector, timeout * 1000);
}

void unbatch_grad(KernelCall& call, Done done) {
  const Tensor &original = call.input_tensor(0), &grad = call.input_tensor(2);
  const auto index =
      parse_batch_index(call.input_tensor(1), original.rank() > 0 ? original.dim(0) : 0);
  const std::int64_t id = id_input(call, 3);
  const auto room = room_of(call);
  if (index.empty()) {  // somebody else has the batch
    room->leave_one(id, grad);
    call.set_output(0, no_rows(grad));
    return done(nullptr);
  }
  std::vector<std::int64_t> ids;
  for (const RowsOf& part : index) ids.push_back(part.id);
  room->exchange({{id, grad}}, std::make_shared<Collector>(call, std::move(done), std::move(ids)),
                 0);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kUnbatch, .run_async = unbatch, .allocates = true},
    {.op = &kUnbatchGrad, .run_async = unbatch_grad, .allocates = true},
};

}  // namespace

extern const KernelTable kUnbatchCpu{kEntries};

}  // namespace rill
