#include <algorithm>

#include "rill/kernel/kernel_entries.h"
#include "rill/ops/collective/collective_call.h"
#include "rill/ops/collective/merge.h"

namespace rill {

extern const OpDecl kCollectiveReduce, kCollectiveGather, kCollectiveBcastSend,
    kCollectiveBcastRecv;

namespace {

// Up to here every member gets the whole of each other one's: one trip instead of two.
constexpr std::int64_t kSmallBytes = 32 << 10;

// Large values are cut into one piece for each member, who merges that piece of all and gives the
// result to all: each member sends and gets the value less than twice, in two trips.
class Reduction final : public CollectiveCall {
 public:
  using CollectiveCall::CollectiveCall;

 private:
  void run() override {
    op_ = merge_op(call().node().attr<std::string>("merge_op"));
    divisor_ = call().node().attr<std::string>("final_op") == "Div" ? size() : 1;
    const Tensor& input = call().input_tensor(0);
    const auto bytes =
        input.element_count() * static_cast<std::int64_t>(element_size(input.dtype()));
    if (bytes <= kSmallBytes || input.element_count() < size() || size() < 3)
      reduce_whole(input);
    else
      reduce_pieces(input.reshaped({input.element_count()}));
  }

  void reduce_whole(const Tensor& input) {
    for (int i = 0; i < size(); ++i)
      if (i != rank()) leave_for(i, "whole", input);
    take_from_all("whole", input, [this](const std::vector<Tensor>& values) {
      finish(merged(op_, values, divisor_).reshaped(call().input_tensor(0).shape()));
    });
  }

  std::int64_t begin_of(int piece) const {
    return call().input_tensor(0).element_count() * piece / size();
  }

  void reduce_pieces(const Tensor& flat) {
    const auto piece = [&](int i) { return flat.slice(begin_of(i), begin_of(i + 1)); };
    for (int i = 0; i < size(); ++i)
      if (i != rank()) leave_for(i, "piece", piece(i));
    take_from_all("piece", piece(rank()), [this](const std::vector<Tensor>& values) {
      const Tensor own = merged(op_, values, divisor_);
      for (int i = 0; i < size(); ++i)
        if (i != rank()) leave_for(i, "merged", own);
      take_from_all("merged", own,
                    [this](const std::vector<Tensor>& pieces) { finish(joined(pieces)); });
    });
  }

  Tensor joined(const std::vector<Tensor>& pieces) const {
    const Tensor& input = call().input_tensor(0);
    Tensor whole(input.dtype(), input.shape());
    auto* to = static_cast<std::byte*>(whole.raw_data());
    for (int i = 0; i < size(); ++i) {
      const Tensor& piece = pieces[static_cast<std::size_t>(i)];
      require(
          piece.dtype() == input.dtype() && piece.element_count() == begin_of(i + 1) - begin_of(i),
          "Shape mismatch in a collective instance: a member's piece has ", piece.shape());
      const auto count = static_cast<std::size_t>(piece.element_count());
      copy_elements(input.dtype(), to, piece.raw_data(), count);
      to += count * element_size(input.dtype());
    }
    return whole;
  }

  MergeOp op_ = MergeOp::kAdd;
  int divisor_ = 1;
};

class Gathering final : public CollectiveCall {
 public:
  using CollectiveCall::CollectiveCall;

 private:
  void run() override {
    const Tensor& input = call().input_tensor(0);
    require(input.shape().rank() >= 1,
            "CollectiveGather: the input must have at least one dimension");
    for (int i = 0; i < size(); ++i)
      if (i != rank()) leave_for(i, "rows", input);
    take_from_all("rows", input, [this](const std::vector<Tensor>& all) { finish(rows_of(all)); });
  }

  Tensor rows_of(const std::vector<Tensor>& all) const {
    const Tensor& input = call().input_tensor(0);
    std::vector<std::int64_t> dims(input.shape().dims().begin(), input.shape().dims().end());
    dims[0] = 0;
    for (const Tensor& one : all) {
      bool fits = one.dtype() == input.dtype() && one.shape().rank() == input.shape().rank();
      for (int d = 1; fits && d < input.shape().rank(); ++d)
        fits = one.shape().dim(d) == input.shape().dim(d);
      require(fits, "Shape mismatch in a collective instance: one member has ", input.shape(),
              ", another one ", one.shape());
      dims[0] += one.shape().dim(0);
    }
    Tensor rows(input.dtype(), Shape(dims));
    auto* to = static_cast<std::byte*>(rows.raw_data());
    for (const Tensor& one : all) {
      const auto count = static_cast<std::size_t>(one.element_count());
      copy_elements(input.dtype(), to, one.raw_data(), count);
      to += count * element_size(input.dtype());
    }
    return rows;
  }
};

class Broadcast final : public CollectiveCall {
 public:
  Broadcast(KernelCall& call, Done done, bool is_source)
      : CollectiveCall(call, std::move(done)), is_source_(is_source) {}

 private:
  void run() override {
    const auto self = std::static_pointer_cast<Broadcast>(shared_from_this());
    collectives().find_source(id(), group(), instance(), device(), is_source_,
                              [self](std::exception_ptr error, int source) {
                                self->guarded([&] {
                                  if (error) std::rethrow_exception(error);
                                  self->exchange_with(source);
                                });
                              });
  }

  void exchange_with(int source) {
    if (!is_source_)
      return take_from(source, "value", [this](Tensor value) { finish(std::move(value)); });
    const Tensor& input = call().input_tensor(0);
    for (int i = 0; i < size(); ++i)
      if (i != rank()) leave_for(i, "value", input);
    finish(input);
  }

  const bool is_source_;
};

void reduce_collectively(KernelCall& call, Done done) {
  std::make_shared<Reduction>(call, std::move(done))->start();
}
void gather_collectively(KernelCall& call, Done done) {
  std::make_shared<Gathering>(call, std::move(done))->start();
}
void send_to_group(KernelCall& call, Done done) {
  std::make_shared<Broadcast>(call, std::move(done), true)->start();
}
void receive_from_group(KernelCall& call, Done done) {
  std::make_shared<Broadcast>(call, std::move(done), false)->start();
}

constexpr KernelEntry kEntries[] = {
    allocating_kernel(kCollectiveReduce, reduce_collectively),
    allocating_kernel(kCollectiveGather, gather_collectively),
    allocating_kernel(kCollectiveBcastSend, send_to_group),
    allocating_kernel(kCollectiveBcastRecv, receive_from_group),
};

}  // namespace

extern const KernelTable kCollectiveCpu{kEntries};

}  // namespace rill
