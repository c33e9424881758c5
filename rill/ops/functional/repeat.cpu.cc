#include <mutex>

#include "rill/ops/functional/bound.h"
#include "rill/ops/functional/scalar_loop.h"

namespace rill {

extern const OpDecl kWhileOp, kStatelessWhile, kInternalWhile, kFor;

namespace {

// For's numbers. They are kept wider than they come, so that counting cannot overflow.
struct Range {
  std::int64_t next, limit, delta;
  bool goes_on() const { return delta > 0 ? next < limit : next > limit; }
};

Range range_of(const KernelCall& call) {
  for (int i = 0; i < 3; ++i)
    require(call.input_tensor(i).rank() == 0,
            call.node().op->inputs[static_cast<std::size_t>(i)].name,
            " must be a scalar, not of shape ", call.input_tensor(i).shape());
  const auto number = [&](int i) { return call.input_tensor(i).scalar_value<std::int32_t>(); };
  const Range range{number(0), number(1), number(2)};
  require((range.delta > 0 && range.next <= range.limit) ||
              (range.delta < 0 && range.next >= range.limit) ||
              (range.delta == 0 && range.next == range.limit),
          "Invalid start/limit/delta: ", range.next, " ", range.limit, " ", range.delta);
  if (range.delta == 0) return {range.next, range.limit, 1};
  return range;
}

// The functions of a While, and what they are where that is simple.
struct WhileFunctions final : KernelState {
  explicit WhileFunctions(const KernelNode& node)
      : functions(node, {node.attr<FuncName>("cond"), node.attr<FuncName>("body")}) {}
  CalledFunctions functions;
  std::once_flag looked;
  std::unique_ptr<ScalarLoop> scalar;
};

BoundFunction& test_of(KernelCall& call) {
  return call.state<WhileFunctions>().functions.get_condition(0, call.step(),
                                                              call.node().input_types);
}
BoundFunction& body_of_while(KernelCall& call) {
  return call.state<WhileFunctions>().functions.get(1, call.step(), call.node().input_types,
                                                    call.node().output_types);
}

// nullptr where the nodes have to be run.
const ScalarLoop* scalar_loop_of(KernelCall& call, BoundFunction& test, BoundFunction& body) {
  const auto* const tested = dynamic_cast<HasBody*>(&test);
  const auto* const repeated = dynamic_cast<HasBody*>(&body);
  if (tested == nullptr || repeated == nullptr || !tested->may_skip_nodes(call.step()) ||
      !repeated->may_skip_nodes(call.step()))
    return nullptr;
  auto& state = call.state<WhileFunctions>();
  std::call_once(state.looked,
                 [&] { state.scalar = ScalarLoop::make(tested->body(), repeated->body()); });
  return state.scalar.get();
}

// After so many iterations a loop of numbers looks whether its step was cancelled.
constexpr std::int64_t kIterationsUnseen = 1 << 14;

// Whether the loop has ended; the variables are where it has come to.
bool run_as_numbers(const ScalarLoop& loop, KernelCall& call, BoundFunction& test,
                    TensorList& variables, TensorList& copies) {
  for (;;) {
    const std::optional<bool> ended = loop.run(variables.all(), kIterationsUnseen);
    if (!ended || *ended) return ended.has_value();
    Tensor condition;
    std::ranges::copy(variables.all(), copies.all().begin());
    test.run(call.step(), copies.all(), {&condition, 1});
  }
}
BoundFunction& body_of_for(KernelCall& call) {
  std::vector<DType> arguments{DType::i32};
  arguments.insert(arguments.end(), call.node().output_types.begin(),
                   call.node().output_types.end());
  return call.state<CalledFunctions>().get(0, call.step(), arguments, call.node().output_types);
}

void set_outputs(KernelCall& call, std::span<Tensor> values) {
  for (int i = 0; i < call.output_count(); ++i)
    call.set_output(i, std::move(values[static_cast<std::size_t>(i)]));
}

void run_while(KernelCall& call) {
  BoundFunction& test = test_of(call);
  BoundFunction& body = body_of_while(call);
  const auto count = static_cast<std::size_t>(call.input_count());
  TensorList variables(count), copies(count), results(count);
  for (std::size_t i = 0; i < count; ++i) variables[i] = call.input_tensor(static_cast<int>(i));
  if (const ScalarLoop* loop = scalar_loop_of(call, test, body))
    if (run_as_numbers(*loop, call, test, variables, copies))
      return set_outputs(call, variables.all());
  Tensor condition;
  for (;;) {
    std::ranges::copy(variables.all(), copies.all().begin());
    test.run(call.step(), copies.all(), {&condition, 1});
    if (!is_true(condition)) return set_outputs(call, variables.all());
    body.run(call.step(), variables.all(), results.all());
    std::ranges::move(results.all(), variables.all().begin());
  }
}

void run_for(KernelCall& call) {
  BoundFunction& body = body_of_for(call);
  Range range = range_of(call);
  const auto count = static_cast<std::size_t>(call.output_count());
  TensorList arguments(count + 1), results(count);
  for (std::size_t i = 0; i < count; ++i) results[i] = call.input_tensor(static_cast<int>(i) + 3);
  for (; range.goes_on(); range.next += range.delta) {
    arguments[0] = Tensor::scalar(static_cast<std::int32_t>(range.next));
    std::ranges::move(results.all(), arguments.all().begin() + 1);
    body.run(call.step(), arguments.all(), results.all());
  }
  set_outputs(call, results.all());
}

// A loop whose functions may wait. What runs on one stack is one iteration at most: a function that
// has ended before `start` returns is gone on with here, one that ends later calls go_on anew.
class WaitingLoop : public std::enable_shared_from_this<WaitingLoop> {
 public:
  WaitingLoop(KernelCall& call, Done done, std::vector<Tensor> variables, BoundFunction* test,
              BoundFunction& body, Range range)
      : call_(call),
        done_(std::move(done)),
        variables_(std::move(variables)),
        test_(test),
        body_(body),
        range_(range) {}

  void go_on() {
    try {
      for (;;) {
        if (phase_ == Phase::kTest) {
          phase_ = Phase::kDecide;
          if (test_ != nullptr && !ended(*test_, variables_)) return;
        }
        if (error_) return done_(error_);
        if (phase_ == Phase::kDecide) {
          if (test_ != nullptr ? !is_true(results_.at(0)) : !range_.goes_on()) {
            set_outputs(call_, variables_);
            return done_(nullptr);
          }
          phase_ = Phase::kCarry;
          if (!ended(body_, arguments())) return;
        }
        if (error_) return done_(error_);
        variables_ = std::move(results_);
        phase_ = Phase::kTest;
      }
    } catch (...) {
      done_(std::current_exception());
    }
  }

 private:
  enum class Phase { kTest, kDecide, kCarry };

  std::vector<Tensor> arguments() {
    if (test_ != nullptr) return std::move(variables_);
    std::vector<Tensor> arguments{Tensor::scalar(static_cast<std::int32_t>(range_.next))};
    range_.next += range_.delta;
    std::ranges::move(variables_, std::back_inserter(arguments));
    return arguments;
  }

  // Whoever comes second, this thread or the function's result, goes on.
  bool ended(BoundFunction& function, std::vector<Tensor> arguments) {
    arrived_.store(0, std::memory_order_relaxed);
    function.start(
        call_.step(), std::move(arguments),
        [self = shared_from_this()](std::exception_ptr error, std::vector<Tensor> results) {
          self->error_ = std::move(error);
          self->results_ = std::move(results);
          if (self->arrived_.fetch_add(1, std::memory_order_acq_rel) == 1) self->go_on();
        });
    return arrived_.fetch_add(1, std::memory_order_acq_rel) == 1;
  }

  KernelCall& call_;
  const Done done_;
  std::vector<Tensor> variables_, results_;
  BoundFunction* const test_;  // nullptr: the range decides
  BoundFunction& body_;
  Range range_;
  Phase phase_ = Phase::kTest;
  std::atomic<int> arrived_{0};
  std::exception_ptr error_;
};

void start_while(KernelCall& call, Done done) {
  std::make_shared<WaitingLoop>(call, std::move(done), inputs_from(call, 0), &test_of(call),
                                body_of_while(call), Range{})
      ->go_on();
}
void start_for(KernelCall& call, Done done) {
  std::make_shared<WaitingLoop>(call, std::move(done), inputs_from(call, 3), nullptr,
                                body_of_for(call), range_of(call))
      ->go_on();
}

std::unique_ptr<KernelState> calls_test_and_body(const KernelNode& node) {
  return std::make_unique<WhileFunctions>(node);
}
std::unique_ptr<KernelState> calls_body(const KernelNode& node) {
  return std::make_unique<CalledFunctions>(node,
                                           std::vector<FuncName>{node.attr<FuncName>("body")});
}

constexpr KernelEntry while_kernel(const OpDecl& op) {
  return {.op = &op,
          .run = run_while,
          .run_async = start_while,
          .make_state = calls_test_and_body,
          .allocates = true,
          .any_device = true};
}

constexpr KernelEntry kEntries[] = {
    while_kernel(kWhileOp),
    while_kernel(kStatelessWhile),
    while_kernel(kInternalWhile),
    {.op = &kFor,
     .run = run_for,
     .run_async = start_for,
     .make_state = calls_body,
     .allocates = true,
     .any_device = true},
};

}  // namespace

extern const KernelTable kRepeatCpu{kEntries};

}  // namespace rill
