#include <atomic>
#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/net/grpc/grpc_client.h"

namespace rill {

extern const OpDecl kRpc, kTryRpc;

namespace {

// The calls of one node in one step. Whoever comes last, a call or the thread that started them,
// gives the node its outputs.
class RpcBatch : public std::enable_shared_from_this<RpcBatch> {
 public:
  using Deliver = void (*)(KernelCall&, const Shape&, std::vector<net::RpcResult>&);

  RpcBatch(KernelCall& call, Done done, Deliver deliver, Shape shape)
      : call_(call),
        done_(std::move(done)),
        deliver_(deliver),
        shape_(std::move(shape)),
        results_(static_cast<std::size_t>(shape_.element_count())),
        left_(results_.size() + 1) {}

  // `request_at` makes request number i.
  template <class RequestAt>
  void start(RequestAt request_at) {
    try {
      for (std::size_t i = 0; i < results_.size(); ++i)
        calls_.push_back(
            net::start_rpc(request_at(i), [self = shared_from_this(), i](net::RpcResult result) {
              self->results_[i] = std::move(result);
              self->arrive(1);
            }));
    } catch (...) {
      error_ = std::current_exception();
      for (const auto& call : calls_) call->cancel();
      return arrive(results_.size() - calls_.size() + 1);
    }
    if (!calls_.empty())
      token_ = call_.step().cancellation->on_cancel([self = shared_from_this()] {
        for (const auto& call : self->calls_) call->cancel();
      });
    arrive(1);
  }

 private:
  void arrive(std::size_t count) {
    if (left_.fetch_sub(count, std::memory_order_acq_rel) != count) return;
    if (token_ != 0) call_.step().cancellation->forget(token_);
    try {
      if (!error_) deliver_(call_, shape_, results_);
    } catch (...) {
      error_ = std::current_exception();
    }
    done_(error_);
  }

  KernelCall& call_;
  const Done done_;
  const Deliver deliver_;
  const Shape shape_;
  std::vector<net::RpcResult> results_;
  std::vector<std::shared_ptr<net::PendingCall>> calls_;
  std::exception_ptr error_;
  std::int64_t token_ = 0;
  std::atomic<std::size_t> left_;
};

// Of the calls: that of the vectors among the inputs, or a scalar's.
Shape calls_shape(const KernelCall& call) {
  Shape shape;
  for (int i = 0; i < 3; ++i) {
    const Shape& input = call.input_tensor(i).shape();
    require(input.rank() <= 1, "Shape must be at most rank 1 but is rank ", input.rank());
    if (input.rank() == 0) continue;
    require(shape.rank() == 0 || shape == input,
            "address, method and request must be scalars or vectors of one length, got ", shape,
            " and ", input);
    shape = input;
  }
  return shape;
}

template <RpcBatch::Deliver kDeliver>
void start_calls(KernelCall& call, Done done) {
  const auto& protocol = call.node().attr<std::string>("protocol");
  require(protocol.empty() || protocol == "grpc", "protocol must be \"\" or \"grpc\", got ",
          quoted(protocol));
  const auto timeout = call.node().attr<std::int64_t>("timeout_in_ms");
  require(timeout >= 0, "timeout_in_ms must be >= 0, got ", timeout);
  const bool fail_fast = call.node().attr<bool>("fail_fast");
  const auto text = [&call](int input, std::size_t i) -> const std::string& {
    const Tensor& tensor = call.input_tensor(input);
    return tensor.data<std::string>()[tensor.rank() == 0 ? 0 : i];
  };
  std::make_shared<RpcBatch>(call, std::move(done), kDeliver, calls_shape(call))
      ->start([=](std::size_t i) {
        return net::RpcRequest{text(0, i), text(1, i), text(2, i), fail_fast, timeout};
      });
}

void deliver_all(KernelCall& call, const Shape& shape, std::vector<net::RpcResult>& results) {
  for (const net::RpcResult& result : results)
    if (result.code != Code::kOk) raise(result.code, result.message);
  auto* response = call.allocate_output(0, shape).data<std::string>();
  for (net::RpcResult& result : results) *response++ = std::move(result.body);
}

void deliver_with_status(KernelCall& call, const Shape& shape,
                         std::vector<net::RpcResult>& results) {
  auto* response = call.allocate_output(0, shape).data<std::string>();
  auto* code = call.allocate_output(1, shape).data<std::int32_t>();
  auto* message = call.allocate_output(2, shape).data<std::string>();
  for (net::RpcResult& result : results) {
    *response++ = std::move(result.body);
    *code++ = static_cast<std::int32_t>(result.code);
    *message++ = std::move(result.message);
  }
}

constexpr KernelEntry kEntries[] = {
    {.op = &kRpc, .run_async = start_calls<deliver_all>, .allocates = true},
    {.op = &kTryRpc, .run_async = start_calls<deliver_with_status>, .allocates = true},
};

}  // namespace

extern const KernelTable kRpcCpu{kEntries};

}  // namespace rill
