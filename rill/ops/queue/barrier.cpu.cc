#include "rill/ops/queue/barrier.h"

#include "rill/kernel/kernel_entries.h"
#include "rill/ops/queue/tuples.h"
#include "rill/ops/queue/type_list.h"
#include "rill/ops/resource/shared_handle.h"

namespace rill {

extern const OpDecl kBarrier, kBarrierInsertMany, kBarrierTakeMany, kBarrierClose,
    kBarrierReadySize, kBarrierIncompleteSize;

namespace {

void make_barrier(KernelCall& call) {
  const KernelNode& node = call.node();
  auto& handle = call.state<SharedHandle>();
  const BarrierResource::Options options{.name = handle.name(),
                                         .types = node.attr<std::vector<DType>>("component_types"),
                                         .shapes = node.attr<std::vector<PartialShape>>("shapes")};
  require(node.attr<std::int64_t>("capacity") == -1,
          "Barrier only accepts capacity=-1.  Feed the inputs to your Barrier through a queue to "
          "enforce a limited capacity.");
  require(options.shapes.size() == options.types.size(),
          "All of the component shapes must be specified");
  for (const PartialShape& shape : options.shapes)
    require(shape.is_full(), "Shape ", shape, " is not fully defined");
  handle.set_output(
      call, BarrierResource::kTypeName, [&] { return std::make_shared<BarrierResource>(options); },
      [&](const Resource& found) {
        dynamic_cast<const BarrierResource&>(found).options().check_same(options);
      });
}

void insert_many(KernelCall& call) {
  const auto barrier = shared_input_as<BarrierResource>(call);
  const auto& options = barrier->options();
  const std::int64_t component = call.node().attr<std::int64_t>("component_index");
  require(component >= 0 && component < static_cast<std::int64_t>(options.types.size()),
          "The component ID is out of range ", component,
          " > num_components (= ", options.types.size(), ")");
  const auto c = static_cast<std::size_t>(component);
  const DType types[] = {DType::string, options.types[c]};
  check_signature(call.node(), types, {});
  const Tensor &keys = call.input_tensor(1), &values = call.input_tensor(2);
  require(keys.rank() == 1, "keys must be a vector, but had shape ", keys.shape());
  const Shape row = options.shapes[c].full();
  require(values.rank() == row.rank() + 1 && values.shape().without_dim(0) == row &&
              values.dim(0) == keys.dim(0),
          "Shape mismatch in tuple component ", component, ". Expected [", keys.dim(0), "] + ", row,
          ", got ", values.shape());
  std::vector<Tensor> rows;
  for (std::int64_t i = 0; i < keys.dim(0); ++i) rows.push_back(row_of(values, i));
  barrier->insert(keys.flat<std::string>(), c, std::move(rows));
}

class TakeFromBarrier final : public BarrierTaker {
 public:
  TakeFromBarrier(KernelCall& call, Done done, std::shared_ptr<BarrierResource> barrier,
                  std::int64_t count)
      : BarrierTaker(call, std::move(done), count, call.node().attr<bool>("allow_small_batch"),
                     call.node().attr<bool>("wait_for_incomplete")),
        barrier_(std::move(barrier)) {}

 private:
  void deliver(KernelCall& call) override {
    const auto& options = barrier_->options();
    const auto scalar = PartialShape::scalar();
    call.set_output(0, joined_component(taken, 0, DType::i64, scalar, false));
    call.set_output(1, joined_component(taken, 1, DType::string, scalar, false));
    for (std::size_t c = 0; c < options.types.size(); ++c)
      call.set_output(static_cast<int>(c) + 2,
                      joined_component(taken, c + 2, options.types[c], options.shapes[c], false));
  }
  const std::shared_ptr<BarrierResource> barrier_;
};

void take_many(KernelCall& call, Done done) {
  require(call.node().attr<std::int64_t>("timeout_ms") == -1, "Timeout not supported yet.");
  const auto barrier = shared_input_as<BarrierResource>(call);
  std::vector<DType> types{DType::i64, DType::string};
  types.insert(types.end(), barrier->options().types.begin(), barrier->options().types.end());
  constexpr DType kCount[] = {DType::i32};
  check_signature(call.node(), kCount, types);
  const auto count = call.input_tensor(1).scalar_value<std::int32_t>();
  require(count >= 0, "num_elements must not be negative, but was ", count);
  barrier->take(std::make_shared<TakeFromBarrier>(call, std::move(done), barrier, count));
}

void close_barrier(KernelCall& call) {
  shared_input_as<BarrierResource>(call)->close(call.node().attr<bool>("cancel_pending_enqueues"));
}
void ready_size(KernelCall& call) {
  const auto size = static_cast<std::int32_t>(shared_input_as<BarrierResource>(call)->ready_size());
  call.set_output(0, Tensor::scalar(size));
}
void incomplete_size(KernelCall& call) {
  const auto size =
      static_cast<std::int32_t>(shared_input_as<BarrierResource>(call)->incomplete_size());
  call.set_output(0, Tensor::scalar(size));
}

constexpr KernelEntry kEntries[] = {
    shared_handle_kernel(kBarrier, make_barrier),
    quick_kernel(kBarrierInsertMany, insert_many),
    quick_kernel(kBarrierTakeMany, take_many),
    quick_kernel(kBarrierClose, close_barrier),
    quick_kernel(kBarrierReadySize, ready_size),
    quick_kernel(kBarrierIncompleteSize, incomplete_size),
};

}  // namespace

extern const KernelTable kBarrierCpu{kEntries};

}  // namespace rill
