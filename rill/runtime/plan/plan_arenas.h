#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <list>
#include <mutex>
#include <vector>

#include "rill/runtime/memory/arena.h"

namespace rill {

// The shapes that a step is fed: for each feed its rank and its dimensions.
using FedShapes = std::vector<std::int64_t>;

// Memory planning by observation. Per fed shapes: the first step allocates as usual, the second is
// recorded (when each value was allocated and freed), and from the third on, of large steps from
// the fifteenth on, the values have fixed offsets in one block (an arena). If later steps do not
// fit the layout, as may happen when nodes run in parallel, they are recorded and the layout is
// computed again, less and less often. Safe from several threads.
class PlanArenas {
 public:
  // A place is an output of a node. `barred` (nonzero) marks those whose values are known to
  // outlive the step, which get no offset; `from` is the device's allocator for one kind of memory.
  PlanArenas(Allocator& from, std::vector<char> barred);

  struct Advice {
    Arena::Use use;
    bool wants_arena = false;
    bool stays = false;  // is the same for equal shapes until version() changes
  };
  Advice before_step(const FedShapes& shapes);
  // After a step that did not fail. `in_order`: its nodes ran in the plan's order, as they always
  // would.
  void after_step(const FedShapes& shapes, const Arena& arena, const Arena::Use& use,
                  bool in_order);
  // Excludes these places from now on: their values have outlived a step.
  void bar(const std::vector<std::size_t>& places);

  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }
  Allocator& from() const { return from_; }
  std::size_t place_count() const { return place_count_; }

 private:
  // What is known about steps of some shapes.
  struct Known {
    FedShapes shapes;
    std::vector<LiveIntervals> steps;
    std::shared_ptr<const ArenaLayout> layout;
    bool in_order = true;     // so were these steps
    bool is_small = false;    // not worth an arena
    bool is_used = false;     // steps have begun to use the layout
    int waited = 0;           // steps that could have used it and were too few to pay for it
    bool is_settled = false;  // the layout does
    int attempts = 0;         // layouts made again
    int misfits = 0;          // steps that the settled layout did not do for
  };
  Known* find(const FedShapes& shapes);
  void make_layout(Known& known);
  void begin_to_use(Known& known);
  void learn(Known& known, LiveIntervals lives, const Arena& arena, bool in_order);
  void give_back_what_missed(const ArenaLayout& layout);

  Allocator& from_;
  const std::size_t place_count_;
  std::atomic<std::uint64_t> version_{0};
  std::mutex mutex_;
  std::list<Known> known_;  // the latest first
  std::shared_ptr<const std::vector<char>> barred_;
  unsigned strangers_ = 0;  // steps of other shapes
  unsigned layouts_ = 0;    // large ones made so far
  std::int64_t next_give_back_ = 0;
  int escapes_ = 0;  // how often values with a spot outlived a step
};

// A workspace's side of it.
struct WorkspaceArena {
  FedShapes shapes, fed;  // `shapes`: what `advice` is for; `fed`: scratch
  PlanArenas::Advice advice;
  std::uint64_t version = 0;
  Arena::Ptr arena;
};

class Plan;
struct Workspace;

// The arena of one step, from before its first node to after its last. One that is destroyed
// without either end belongs to a step that failed.
class ArenaStep {
 public:
  ArenaStep(const Plan& plan, Workspace& workspace, bool in_order);
  ~ArenaStep() { fail(); }
  ArenaStep(const ArenaStep&) = delete;
  ArenaStep& operator=(const ArenaStep&) = delete;

  Arena* arena() const { return arena_; }  // nullptr: every value is allocated for itself
  void end();                              // the step has succeeded
  void fail();                             // it has not
  void end_as(const std::exception_ptr& error) { error == nullptr ? end() : fail(); }

 private:
  PlanArenas* arenas_ = nullptr;
  WorkspaceArena* mine_ = nullptr;
  Arena* arena_ = nullptr;
  const bool in_order_;
};

}  // namespace rill
