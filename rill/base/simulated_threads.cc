#include "rill/base/simulated_threads.h"

#include <cxxabi.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <exception>

#include "rill/base/error.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace rill {
namespace {

constexpr std::size_t kStackBytes = 1 << 20, kGuardBytes = 4096;

// What a thread of a simulation runs on; memory is taken as far as it is touched.
class FiberStack {
 public:
  FiberStack()
      : memory_(mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0)) {
    if (memory_ == MAP_FAILED) raise(Code::kResourceExhausted, "No memory for a simulated thread");
    mprotect(memory_, kGuardBytes, PROT_NONE);
  }
  ~FiberStack() { munmap(memory_, kStackBytes); }
  FiberStack(const FiberStack&) = delete;
  FiberStack& operator=(const FiberStack&) = delete;

  void* begin() const { return memory_; }

 private:
  void* const memory_;
};

// The exceptions that a thread is handling: the language's run-time keeps them for each thread.
struct HandledExceptions {
  void* caught = nullptr;
  unsigned uncaught = 0;

  void swap() {
    HandledExceptions& here = *reinterpret_cast<HandledExceptions*>(abi::__cxa_get_globals());
    std::swap(here.caught, caught);
    std::swap(here.uncaught, uncaught);
  }
};

std::uint64_t rotated(std::uint64_t bits, int by) { return bits << by | bits >> (64 - by); }

}  // namespace

struct SimulatedThreads::Fiber {
  FiberStack stack;
  ucontext_t context{}, back{};
  HandledExceptions exceptions;
  std::vector<std::unique_ptr<Local>> locals;
  std::function<void()> work;
  ThreadId id = 0;
  Process process = 0;
  const void* place = nullptr;  // where it waits
  When timer{0, 0};             // of its wait; {0, 0}: none
  bool was_notified = false;
  bool is_over = false;
#ifdef __SANITIZE_ADDRESS__
  const void* back_stack = nullptr;
  std::size_t back_bytes = 0;
#endif
#ifdef __SANITIZE_THREAD__
  void* known = __tsan_create_fiber(0);
  void* known_back = nullptr;
  ~Fiber() { __tsan_destroy_fiber(known); }
#endif
};

SimulatedThreads::SimulatedThreads(std::uint64_t seed) {
  // Numbers that follow each other make states that have nothing in common.
  for (std::uint64_t& word : random_) {
    seed += 0x9e3779b97f4a7c15;
    std::uint64_t bits = seed;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    word = bits ^ bits >> 31;
  }
  take_over();
}

SimulatedThreads::~SimulatedThreads() { give_back(); }

// --- chance --------------------------------------------------------------------------------------

// xoshiro256**
std::uint64_t SimulatedThreads::random_bits() {
  const std::uint64_t result = rotated(random_[1] * 5, 7) * 9, shifted = random_[1] << 17;
  random_[2] ^= random_[0];
  random_[3] ^= random_[1];
  random_[1] ^= random_[2];
  random_[0] ^= random_[3];
  random_[2] ^= shifted;
  random_[3] = rotated(random_[3], 45);
  return result;
}

std::uint64_t SimulatedThreads::below(std::uint64_t bound) { return random_bits() % bound; }

bool SimulatedThreads::happens(double probability) {
  return static_cast<double>(random_bits() >> 11) * 0x1p-53 < probability;
}

void SimulatedThreads::note(std::uint64_t what) {
  trace_ = (trace_ ^ what) * 0x100000001b3 + static_cast<std::uint64_t>(now_);
  trace_ ^= trace_ >> 29;
}

// --- threads -------------------------------------------------------------------------------------

void SimulatedThreads::give_each_thread(std::function<std::unique_ptr<Local>()> make) {
  locals_.push_back(std::move(make));
}

SimulatedThreads::Process SimulatedThreads::process() const {
  return current_ == nullptr ? 0 : current_->process;
}

Scheduler::ThreadId SimulatedThreads::current() const {
  return current_ == nullptr ? 0 : current_->id;
}

std::size_t SimulatedThreads::thread_count(Process process) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      fibers_, [&](const auto& fiber) { return !fiber->is_over && fiber->process == process; }));
}

SimulatedThreads::Fiber& SimulatedThreads::spare_fiber() {
  if (!spare_.empty()) {
    Fiber* const fiber = spare_.back();
    spare_.pop_back();
    return *fiber;
  }
  fibers_.push_back(std::make_unique<Fiber>());
  Fiber& fiber = *fibers_.back();
  for (const auto& make : locals_) fiber.locals.push_back(make());
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack.begin();
  fiber.context.uc_stack.ss_size = kStackBytes;
  fiber.context.uc_link = nullptr;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&fiber.context, reinterpret_cast<void (*)()>(&SimulatedThreads::begin), 2,
              static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
  return fiber;
}

Scheduler::ThreadId SimulatedThreads::start_in(Process process, std::function<void()> work) {
  Fiber& fiber = spare_fiber();
  fiber.work = std::move(work);
  fiber.id = next_++;
  fiber.process = process;
  fiber.is_over = false;
  ++alive_;
  make_ready(fiber);
  return fiber.id;
}

void SimulatedThreads::start_at(std::int64_t nanos, Process process, std::function<void()> work) {
  timers_.emplace(When{std::max(nanos, now_), next_++}, Timer{process, std::move(work)});
}

void SimulatedThreads::make_ready(Fiber& fiber) {
  const auto paused = paused_.find(fiber.process);
  (paused == paused_.end() ? ready_ : paused->second).push_back(&fiber);
}

void SimulatedThreads::pause(Process process) {
  std::vector<Fiber*>& kept = paused_[process];
  std::erase_if(ready_, [&](Fiber* fiber) {
    if (fiber->process == process) kept.push_back(fiber);
    return fiber->process == process;
  });
}

void SimulatedThreads::resume(Process process) {
  const auto paused = paused_.find(process);
  if (paused == paused_.end()) return;
  ready_.insert(ready_.end(), paused->second.begin(), paused->second.end());
  paused_.erase(paused);
}

// --- waiting -------------------------------------------------------------------------------------

bool SimulatedThreads::wait(const void* place, std::int64_t until_nanos) {
  if (current_ == nullptr) raise(Code::kInternal, "Only threads of a simulation wait in it");
  Fiber& fiber = *current_;
  fiber.place = place;
  if (place != nullptr) waiting_[place].push_back(&fiber);
  if (until_nanos > 0) {
    fiber.timer = {std::max(until_nanos, now_), next_++};
    timers_.emplace(fiber.timer, Timer{fiber.process, {}, &fiber});
  }
  leave();
  return fiber.was_notified;
}

void SimulatedThreads::wake(Fiber& fiber, bool was_notified) {
  if (fiber.timer != When{0, 0}) timers_.erase(fiber.timer);
  fiber.timer = {0, 0};
  fiber.place = nullptr;
  fiber.was_notified = was_notified;
  make_ready(fiber);
}

void SimulatedThreads::notify(const void* place) {
  const auto found = waiting_.find(place);
  if (found == waiting_.end()) return;
  const std::vector<Fiber*> woken = std::move(found->second);
  waiting_.erase(found);
  for (Fiber* const fiber : woken) wake(*fiber, true);
}

// What is due first.
void SimulatedThreads::fire() {
  const auto first = timers_.begin();
  now_ = std::max(now_, first->first.first);
  Timer timer = std::move(first->second);
  timers_.erase(first);
  if (timer.waiting == nullptr) {
    start_in(timer.process, std::move(timer.work));
    return;
  }
  Fiber& fiber = *timer.waiting;
  fiber.timer = {0, 0};
  if (const auto found = waiting_.find(fiber.place); found != waiting_.end()) {
    std::erase(found->second, &fiber);
    if (found->second.empty()) waiting_.erase(found);
  }
  wake(fiber, false);
}

// --- turns ---------------------------------------------------------------------------------------

void SimulatedThreads::run(std::int64_t until_nanos) {
  while (!failure_) {
    if (!ready_.empty()) {
      const auto chosen = ready_.begin() + static_cast<std::ptrdiff_t>(below(ready_.size()));
      Fiber* const fiber = *chosen;
      *chosen = ready_.back();
      ready_.pop_back();
      enter(*fiber);
    } else if (!timers_.empty() && timers_.begin()->first.first <= until_nanos) {
      fire();
    } else {
      break;
    }
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void SimulatedThreads::enter(Fiber& fiber) {
  ++turns_;
  note(fiber.id);
  current_ = &fiber;
  for (const auto& local : fiber.locals) local->swap();
  fiber.exceptions.swap();
#ifdef __SANITIZE_THREAD__
  fiber.known_back = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(fiber.known, 0);
#endif
#ifdef __SANITIZE_ADDRESS__
  void* stack = nullptr;
  __sanitizer_start_switch_fiber(&stack, fiber.stack.begin(), kStackBytes);
#endif
  swapcontext(&fiber.back, &fiber.context);
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(stack, nullptr, nullptr);
#endif
  fiber.exceptions.swap();
  for (const auto& local : fiber.locals) local->swap();
  current_ = nullptr;
  if (!fiber.is_over) return;
  --alive_;
  spare_.push_back(&fiber);
}

void SimulatedThreads::leave() {
  Fiber& fiber = *current_;
#ifdef __SANITIZE_THREAD__
  __tsan_switch_to_fiber(fiber.known_back, 0);
#endif
#ifdef __SANITIZE_ADDRESS__
  void* stack = nullptr;
  __sanitizer_start_switch_fiber(&stack, fiber.back_stack, fiber.back_bytes);
#endif
  swapcontext(&fiber.context, &fiber.back);
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(stack, &fiber.back_stack, &fiber.back_bytes);
#endif
}

// A fiber runs one thread after the other.
void SimulatedThreads::begin(unsigned high, unsigned low) {
  auto& threads = *reinterpret_cast<SimulatedThreads*>(static_cast<std::uintptr_t>(high) << 32 |
                                                       static_cast<std::uintptr_t>(low));
  Fiber& fiber = *threads.current_;
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_finish_switch_fiber(nullptr, &fiber.back_stack, &fiber.back_bytes);
#endif
  for (;;) {
    try {
      fiber.work();
      fiber.work = nullptr;
    } catch (...) {
      threads.failure_ = std::current_exception();
    }
    fiber.is_over = true;
    threads.leave();
  }
}

}  // namespace rill
