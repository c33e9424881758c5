#include <atomic>
#include <deque>
#include <mutex>

#include "rill/base/background.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/tensor/variant.h"

namespace rill {

extern const OpDecl kMutexV2, kMutexLock, kConsumeMutexLock;

namespace {

// Is given to those who wait in the order in which they came. Nobody's thread waits.
class MutexResource final : public Resource {
 public:
  static constexpr const char* kTypeName = "tensorflow::Mutex";
  explicit MutexResource(std::string name) : name_(std::move(name)) {}

  // Calls `granted` once when the mutex is free for it, perhaps at once; it returns false if it is
  // no longer wanted. Whoever takes it calls release().
  void acquire(std::function<bool()> granted) {
    {
      const std::lock_guard lock(mutex_);
      if (held_) return waiting_.push_back(std::move(granted));
      held_ = true;
    }
    if (!granted()) release();
  }

  void release() {
    for (;;) {
      std::function<bool()> next;
      {
        const std::lock_guard lock(mutex_);
        held_ = !waiting_.empty();
        if (!held_) return;
        next = std::move(waiting_.front());
        waiting_.pop_front();
      }
      if (next()) return;
    }
  }

  // False where others wait for it.
  bool release_if_unwanted() {
    const std::lock_guard lock(mutex_);
    if (!waiting_.empty()) return false;
    held_ = false;
    return true;
  }

  std::string describe() const override { return "mutex " + name_; }

 private:
  const std::string name_;
  std::mutex mutex_;
  bool held_ = false;
  std::deque<std::function<bool()>> waiting_;
};

// What a lock's variant holds. It ends wherever the last value goes, perhaps while an executor
// holds locks of its own: who waits goes on elsewhere.
struct HeldMutex : std::enable_shared_from_this<HeldMutex> {
  explicit HeldMutex(std::shared_ptr<MutexResource> held) : mutex(std::move(held)) {}
  ~HeldMutex() {
    if (!mutex->release_if_unwanted()) run_in_background([held = mutex] { held->release(); });
  }
  HeldMutex(const HeldMutex&) = delete;
  HeldMutex& operator=(const HeldMutex&) = delete;

  const std::shared_ptr<MutexResource> mutex;
};

void make_mutex(KernelCall& call) {
  const KernelNode& node = call.node();
  const auto& container = node.attr<std::string>("container");
  const auto& given = node.attr<std::string>("shared_name");
  const std::string& name = given.empty() ? node.name : given;
  ResourceManager& resources = *call.step().resources;
  auto mutex = resources.find_or_make<MutexResource>(
      container, name, [&] { return std::make_shared<MutexResource>(name); });
  require(mutex != nullptr, "the resource ", name, " is not a mutex");
  call.set_output(0, Tensor::scalar(ResourceHandle{
                         .device = call.device().name(),
                         .container = container.empty() ? resources.default_container() : container,
                         .name = name,
                         .type_name = MutexResource::kTypeName,
                         .resource = std::move(mutex)}));
}

// Either the mutex or the end of the step comes first; the other one finds the answer given.
struct MutexWaiter {
  MutexWaiter(KernelCall& c, Done d) : call(c), done(std::move(d)) {}
  bool claim() { return !answered.exchange(true); }

  KernelCall& call;
  const Done done;
  std::int64_t token = 0;
  std::atomic<bool> answered{false};
};

void lock_mutex(KernelCall& call, Done done) {
  auto mutex = std::dynamic_pointer_cast<MutexResource>(call.resource_input(0));
  require(mutex != nullptr, "input 0 of ", call.node().op->name, " is not a mutex");
  auto waiter = std::make_shared<MutexWaiter>(call, std::move(done));
  waiter->token = call.step().cancellation->on_cancel([waiter] {
    if (waiter->claim())
      waiter->done(std::make_exception_ptr(
          Error(Code::kCancelled, "the step ended while it waited for a mutex")));
  });
  mutex->acquire([waiter, mutex] {
    if (!waiter->claim()) return false;
    // The output alone keeps the lock: the next reader may count.
    waiter->call.set_output(0, Tensor::scalar(Variant("tensorflow::MutexLock",
                                                      std::make_shared<const HeldMutex>(mutex))));
    waiter->call.step().cancellation->forget(waiter->token);
    waiter->done(nullptr);
    return true;
  });
}

void consume_lock(KernelCall& call) {
  const Tensor& input = call.input_tensor(0);
  require(input.rank() == 0, "a lock is a scalar, not of shape ", input.shape());
  const auto& variant = input.scalar_value<Variant>();
  const auto* lock = variant.get<HeldMutex>();
  require(lock != nullptr, "Expected input to be a lock of a mutex, but saw variant: '",
          variant.type_name(), "'");
  const auto count = lock->weak_from_this().use_count();
  require(count == 1, "Expected use count of lock to be 1, but saw: ", count);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kMutexV2, .run = make_mutex, .allocates = true, .expensive = false},
    {.op = &kMutexLock, .run_async = lock_mutex, .allocates = true},
    {.op = &kConsumeMutexLock, .run = consume_lock, .allocates = true, .expensive = false},
};

}  // namespace

extern const KernelTable kMutexCpu{kEntries};

}  // namespace rill
