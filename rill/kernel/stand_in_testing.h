#pragma once

#include <atomic>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "rill/kernel/device_type.h"
#include "rill/kernel/stand_in_memory_testing.h"
#include "rill/kernel/stand_in_queue_testing.h"
#include "rill/tensor/device_memory.h"
#include "rill/tensor/tensor.h"

namespace rill {

// A device for tests that behaves like a GPU and needs none: "/device:STANDIN:0". Its memory is out
// of the host's reach, its kernels (stand_in_kernels_testing.h) run later on a queue, its copies on
// another one.

// What the tests count.
struct StandInCounts {
  std::atomic<int> late{0};                    // kernels that ran after they had returned
  std::atomic<int> waited{0};                  // kernels for which the caller waited
  std::atomic<int> up{0}, down{0}, inside{0};  // copies
  std::atomic<int> unpinned{0};                // of these, from or to memory that is not pinned
};

// What a card does, where it may be lost.
enum class StandInEvent : std::uint8_t { kernel, copy, allocation };

// One card, which the sessions share.
class StandInCard final : public Allocator, public MemoryCopier {
 public:
  StandInCard(const std::string& type, int index)
      : Allocator(MemoryKind::device),
        name_("/job:localhost/replica:0/task:0/device:" + type + ":" + std::to_string(index)),
        blocks_(memory_.begin()) {}

  // Memory, as sessions see it.
  void* allocate(std::size_t bytes) override {
    begin(StandInEvent::allocation);
    const bool enqueues = !kernels_.is_mine();
    constexpr auto kAll = std::numeric_limits<std::uint64_t>::max();
    void* block = blocks_.allocate(bytes, enqueues ? kAll : kernels_.done(), name_);
    // Whoever reads what was never written, or too early, gets this.
    const auto spoil = [this, block, bytes] { std::memset(memory_.reach(block), 0xCD, bytes); };
    enqueues ? void(kernels_.add(spoil)) : spoil();
    return block;
  }
  void deallocate(void* block, std::size_t bytes) noexcept override {
    blocks_.deallocate(block, bytes, kernels_.added());
  }
  AllocatorStats stats() const override { return blocks_.stats(); }
  void set_limit(std::int64_t bytes) override { blocks_.set_limit(bytes); }
  std::string name() const override { return "STANDIN_bfc"; }
  MemoryCopier* copier() override { return this; }

  // Copies.
  const std::string& device_name() const override { return name_; }
  Allocator& allocator() override { return *this; }
  Allocator* staging() override { return &pinned(); }
  void to_host(void* dst, const void* src, std::size_t bytes, Done done) override {
    check_pinned(dst);
    copy(counts.down, dst, memory_.reach(src), bytes, std::move(done));
  }
  void from_host(void* dst, const void* src, std::size_t bytes, Done done) override {
    check_pinned(src);
    copy(counts.up, memory_.reach(dst), src, bytes, std::move(done));
  }
  void within(void* dst, const void* src, std::size_t bytes, Done done) override {
    copy(counts.inside, memory_.reach(dst), memory_.reach(src), bytes, std::move(done));
  }

  // For tests.
  void lose() { lost_ = true; }
  // The `count`-th event of that kind from now on is the first one that does not happen.
  void lose_at(StandInEvent event, int count) {
    lost_at_ = event;
    left_ = count;
  }
  void find_again() {
    left_ = 0;
    lost_ = false;
  }
  // A mistake on purpose: copies no longer wait for the kernels before them.
  void copy_too_early(bool on) { too_early_ = on; }
  StandInQueue& kernels() { return kernels_; }
  // Held while something is enqueued, and while a kernel runs that is waited for: such a one asks
  // whether storage is shared when it runs, where that of a GPU asks when it is enqueued. What
  // others enqueue meanwhile, and then let go of, would come after it.
  std::mutex& enqueueing() { return enqueueing_; }
  StandInQueue& copies() { return copies_; }
  StandInMemory& memory() { return memory_; }
  bool lost() const { return lost_; }
  void check_alive() const {
    if (lost_) raise(Code::kUnavailable, "The device ", name_, " was lost.");
  }
  void begin(StandInEvent event) {
    if (left_ > 0 && event == lost_at_ && --left_ == 0) lose();
    check_alive();
  }
  StandInCounts counts;

 private:
  // Memory that is page-locked for one card is so for all.
  static StandInPinned& pinned() {
    static StandInPinned& all = *new StandInPinned;
    return all;
  }
  void check_pinned(const void* host) {
    if (!pinned().holds(host)) ++counts.unpinned;
  }
  void copy(std::atomic<int>& count, void* dst, const void* src, std::size_t bytes, Done done) {
    ++count;
    if (kernels_.is_mine()) {  // a kernel copies
      std::memcpy(dst, src, bytes);
      return done(nullptr);
    }
    const std::uint64_t after = too_early_ ? 0 : kernels_.added();
    copies_.add([this, after, dst, src, bytes, done = std::move(done)] {
      kernels_.wait_for(after);
      std::exception_ptr error;
      try {
        begin(StandInEvent::copy);
        std::memcpy(dst, src, bytes);
      } catch (...) {
        error = std::current_exception();
      }
      done(error);
    });
  }

  const std::string name_;
  StandInMemory memory_;
  StandInBlocks blocks_;
  std::mutex enqueueing_;
  std::atomic<bool> lost_{false}, too_early_{false};
  std::atomic<StandInEvent> lost_at_{StandInEvent::kernel};
  std::atomic<int> left_{0};  // events until it is lost; 0: it is not going to be
  StandInQueue kernels_;
  StandInQueue copies_;  // goes first: what it still does waits for kernels
};

// A session's view of a card.
class StandInDevice final : public PlugInDevice {
 public:
  StandInDevice(const std::string& type, int index, StandInCard& card, Allocator& memory,
                ThreadPool& pool, const OpGuard* guard)
      : PlugInDevice(type, index, pool, guard), card_(card), memory_(memory) {}

  Allocator& allocator(MemoryKind kind) override {
    if (kind == MemoryKind::pinned) return *card_.staging();
    return kind == MemoryKind::device ? memory_ : cpu_allocator();
  }
  MemoryKind memory_kind() const override { return MemoryKind::device; }
  std::uint64_t incarnation() const override { return 0x57A2D1; }
  ThreadPool& pool() override { return one_thread_; }  // kernels stay on the queue's thread
  StandInCard& card() const { return card_; }

  std::optional<LateError> finish(std::int64_t step_id) override {
    card_.kernels().wait_for(card_.kernels().added());
    const std::lock_guard lock(mutex_);
    const auto it = failed_.find(step_id);
    if (it == failed_.end()) return std::nullopt;
    LateError error = std::move(it->second);
    failed_.erase(it);
    return error;
  }

  // What a step still has in the queue after its first error is left out.
  void fail(std::int64_t step_id, LateError error) {
    const std::lock_guard lock(mutex_);
    failed_.emplace(step_id, std::move(error));
  }
  bool failed(std::int64_t step_id) const {
    const std::lock_guard lock(mutex_);
    return failed_.contains(step_id);
  }

 private:
  StandInCard& card_;
  Allocator& memory_;
  ThreadPool one_thread_{1};
  mutable std::mutex mutex_;
  std::map<std::int64_t, LateError> failed_;  // by step
};

class StandInType final : public DeviceType {
 public:
  // Its kernels are under the same name (StandInKernels::add_to).
  explicit StandInType(int count = 1, std::string name = "STANDIN") : name_(std::move(name)) {
    for (int i = 0; i < count; ++i) cards_.push_back(std::make_unique<StandInCard>(name_, i));
  }
  const std::string& name() const override { return name_; }
  int priority() const override { return priority_; }
  int count() const override { return static_cast<int>(cards_.size()); }
  std::int64_t memory_bytes(int) const override { return StandInMemory::kBytes; }
  std::unique_ptr<PlugInDevice> open(const DeviceSlice& slice, ThreadPool& pool,
                                     const OpGuard* guard) override {
    StandInCard& opened = card(slice.card);
    return std::make_unique<StandInDevice>(name_, slice.index, opened, memory_of(slice, opened),
                                           pool, guard);
  }
  StandInCard& card(int index = 0) { return *cards_.at(static_cast<std::size_t>(index)); }
  void set_priority(int priority) { priority_ = priority; }

 private:
  const std::string name_;
  int priority_ = 10;
  std::vector<std::unique_ptr<StandInCard>> cards_;
};

}  // namespace rill
