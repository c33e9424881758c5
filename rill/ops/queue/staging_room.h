#pragma once

#include <functional>
#include <list>
#include <optional>

#include "rill/ops/queue/element_store.h"
#include "rill/ops/queue/waiter.h"

namespace rill {

// A call at a staging area. `attempt` does what it wants, with the lock held, or returns false when
// that must wait; what it throws is the call's error. Of calls that put something none overtakes
// another.
class StagingWaiter final : public Waiter {
 public:
  StagingWaiter(KernelCall& call, Done done, bool puts = false)
      : Waiter(call, std::move(done)), puts(puts) {}
  const char* cancelled_text() const override {
    return puts ? "Stage operation was cancelled" : "Unstage operation was cancelled";
  }

  std::function<bool(StagingWaiter&)> attempt;
  Tuple results;                    // the last outputs
  std::optional<std::int64_t> key;  // output 0, if there is one
  const bool puts;

 private:
  void deliver(KernelCall& call) override;
};

// What the staging areas have in common: lines, limits, and how they are found. The node that is
// run first decides on the limits.
class StagingRoom : public Resource, public WaitingRoom {
 public:
  explicit StagingRoom(const KernelNode& node);

  void start(std::shared_ptr<StagingWaiter> waiter);
  std::int64_t size() const;
  void clear();

  std::string describe() const override { return "staging area " + name_; }
  std::int64_t memory_bytes() const override;

 protected:
  // All with the lock held.
  virtual std::int64_t count() const = 0;
  virtual void drop_all() = 0;
  // Throws ResourceExhausted when there will never be room.
  bool has_room(std::int64_t bytes) const;
  std::int64_t bytes_ = 0;

 private:
  void serve() override;
  void leave(Waiter& waiter) override;

  const std::string name_;
  const std::int64_t capacity_, memory_limit_;  // 0: none
  std::list<std::shared_ptr<StagingWaiter>> line_;
};

// The area that a node names, found once.
class StagingHandle final : public KernelState {
 public:
  explicit StagingHandle(const KernelNode& node);
  static std::unique_ptr<KernelState> make(const KernelNode& node) {
    return std::make_unique<StagingHandle>(node);
  }
  template <class Room>
  std::shared_ptr<Room> get(const KernelCall& call) {
    auto room = std::dynamic_pointer_cast<Room>(
        find(call, Room::kTypeName, [&] { return std::make_shared<Room>(call.node()); }));
    require(room != nullptr, "another kind of staging area has the name ", name_);
    return room;
  }

 private:
  std::shared_ptr<Resource> find(const KernelCall& call, const char* type_name,
                                 const std::function<std::shared_ptr<Resource>()>& make);

  const std::string container_, name_;
  std::mutex mutex_;
  ResourceManager* resources_ = nullptr;
  std::shared_ptr<Resource> room_;
};

// The kernels of an op at the area that its node names.
constexpr KernelEntry staging_kernel(const OpDecl& op, KernelFn run) {
  return {.op = &op,
          .run = run,
          .make_state = StagingHandle::make,
          .allocates = true,
          .expensive = false};
}
constexpr KernelEntry staging_kernel(const OpDecl& op, AsyncKernelFn run) {
  return {.op = &op,
          .run_async = run,
          .make_state = StagingHandle::make,
          .allocates = true,
          .expensive = false};
}

}  // namespace rill
