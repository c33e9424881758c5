#include <deque>

#include "rill/ops/queue/staging_room.h"
#include "rill/ops/queue/tuples.h"

namespace rill {

extern const OpDecl kStage, kUnstage, kStagePeek, kStageSize, kStageClear;

namespace {

class StagingArea final : public StagingRoom {
 public:
  static constexpr const char* kTypeName = "tensorflow::StagingArea";
  using StagingRoom::StagingRoom;

  // These are for attempts.
  bool put(Tuple& element) {
    const std::int64_t bytes = rill::memory_bytes(element);
    if (!has_room(bytes)) return false;
    bytes_ += bytes;
    elements_.push_back(std::move(element));
    return true;
  }
  bool take(Tuple& element) {
    if (elements_.empty()) return false;
    element = std::move(elements_.front());
    elements_.pop_front();
    bytes_ -= rill::memory_bytes(element);
    return true;
  }
  bool peek(std::size_t index, Tuple& element) const {
    if (index >= elements_.size()) return false;
    element = elements_[index];
    return true;
  }

 private:
  std::int64_t count() const override { return static_cast<std::int64_t>(elements_.size()); }
  void drop_all() override { elements_.clear(); }

  std::deque<Tuple> elements_;
};

std::shared_ptr<StagingArea> area_of(const KernelCall& call) {
  return call.state<StagingHandle>().get<StagingArea>(call);
}

void stage(KernelCall& call, Done done) {
  const auto area = area_of(call);
  auto waiter = std::make_shared<StagingWaiter>(call, std::move(done), true);
  waiter->attempt = [area = area.get(), element = tuple_of_inputs(call, 0)](auto&) mutable {
    return area->put(element);
  };
  area->start(std::move(waiter));
}

void unstage(KernelCall& call, Done done) {
  const auto area = area_of(call);
  auto waiter = std::make_shared<StagingWaiter>(call, std::move(done));
  waiter->attempt = [area = area.get()](StagingWaiter& w) { return area->take(w.results); };
  area->start(std::move(waiter));
}

void stage_peek(KernelCall& call, Done done) {
  const auto area = area_of(call);
  const auto index = call.input_tensor(0).scalar_value<std::int32_t>();
  require(index >= 0, "index must not be negative, got ", index);
  auto waiter = std::make_shared<StagingWaiter>(call, std::move(done));
  waiter->attempt = [area = area.get(), index](StagingWaiter& w) {
    return area->peek(static_cast<std::size_t>(index), w.results);
  };
  area->start(std::move(waiter));
}

void stage_size(KernelCall& call) {
  call.set_output(0, Tensor::scalar(static_cast<std::int32_t>(area_of(call)->size())));
}
void stage_clear(KernelCall& call) { area_of(call)->clear(); }

constexpr KernelEntry kEntries[] = {
    staging_kernel(kStage, stage),
    staging_kernel(kUnstage, unstage),
    staging_kernel(kStagePeek, stage_peek),
    staging_kernel(kStageSize, stage_size),
    staging_kernel(kStageClear, stage_clear),
};

}  // namespace

extern const KernelTable kStageCpu{kEntries};

}  // namespace rill
