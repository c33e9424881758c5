#include <atomic>
#include <mutex>
#include <vector>

#include "rill/kernel/kernel_entries.h"
#include "rill/ops/data_flow/step_handle.h"

namespace rill {

extern const OpDecl kStackV2, kStackPushV2, kStackPopV2, kStackCloseV2;
extern const OpDecl kStack, kStackPush, kStackPop, kStackClose;

namespace {

// Safe from several threads.
class Stack final : public Resource {
 public:
  static constexpr const char* kTypeName = "tensorflow::Stack";
  Stack(std::string name, DType type, std::int64_t max_size)
      : name_(std::move(name)), type_(type), max_size_(max_size) {}

  void push(Tensor value) {
    const std::lock_guard lock(mutex_);
    check_open();
    require(value.dtype() == type_, "Must have type ", static_cast<int>(type_), " but got ",
            static_cast<int>(value.dtype()));
    require(max_size_ < 0 || static_cast<std::int64_t>(values_.size()) < max_size_, "Stack[", name_,
            "] overflowed its max_size (", max_size_, ")");
    values_.push_back(std::move(value));
  }

  Tensor pop() {
    const std::lock_guard lock(mutex_);
    check_open();
    require(!values_.empty(), "Stack[", name_, "] is empty when calling Pop().");
    Tensor value = std::move(values_.back());
    values_.pop_back();
    return value;
  }

  void close() {
    const std::lock_guard lock(mutex_);
    values_.clear();
    closed_ = true;
  }

  std::string describe() const override { return str_cat("stack ", name_, " of ", type_); }

 private:
  void check_open() const { require(!closed_, "Stack[", name_, "] has already been closed."); }

  const std::string name_;
  const DType type_;
  const std::int64_t max_size_;
  std::mutex mutex_;
  std::vector<Tensor> values_;
  bool closed_ = false;
};

std::shared_ptr<Stack> stack_input(const KernelCall& call) {
  auto stack = std::dynamic_pointer_cast<Stack>(step_resource_input(call, Stack::kTypeName));
  require(stack != nullptr, "input 0 of ", call.node().op->name, " is not a stack");
  return stack;
}

// The older op sets no limit.
std::int32_t max_size(const KernelCall& call) {
  if (call.input_count() == 0) return -1;
  const Tensor& size = call.input_tensor(0);
  require(size.rank() == 0, "Stack size must be a scalar, but had shape: ", size.shape());
  return size.scalar_value<std::int32_t>();
}

void make_stack(KernelCall& call) {
  static std::atomic<std::int64_t> count = 0;
  const KernelNode& node = call.node();
  const auto& given = node.attr<std::string>("stack_name");
  const std::string name = str_cat(given.empty() ? node.name : given, "_", count++);
  set_step_handle(call, "_stacks", name, Stack::kTypeName,
                  std::make_shared<Stack>(name, node.attr<DType>("elem_type"), max_size(call)));
}

void push(KernelCall& call) {
  stack_input(call)->push(call.input_tensor(1));
  call.set_output(0, call.input_tensor(1));
}

void pop(KernelCall& call) {
  Tensor value = stack_input(call)->pop();
  const DType wanted = call.node().output_type(0);
  if (value.dtype() != wanted)
    raise(Code::kInternal, "Output 0 of type ", value.dtype(),
          " does not match declared output type ", wanted, " for node ", call.node().name);
  call.set_output(0, std::move(value));
}

void close_stack(KernelCall& call) { stack_input(call)->close(); }

constexpr KernelEntry kEntries[] = {
    quick_kernel(kStackV2, make_stack), quick_kernel(kStackPushV2, push),
    quick_kernel(kStackPopV2, pop),     quick_kernel(kStackCloseV2, close_stack),
    quick_kernel(kStack, make_stack),   quick_kernel(kStackPush, push),
    quick_kernel(kStackPop, pop),       quick_kernel(kStackClose, close_stack),
};

}  // namespace

extern const KernelTable kStackCpu{kEntries};

}  // namespace rill
