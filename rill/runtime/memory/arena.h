#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "rill/runtime/memory/arena_plan.h"
#include "rill/tensor/allocator.h"

namespace rill {

// The memory of one step's values: a block in which each value has a fixed offset (its spot). Every
// output of a node has an Allocator of its own here (its place). An allocation gets the bytes of
// the spot if they are free; if another value still holds them, or the value is larger than its
// spot, it comes from the device's allocator instead. So a layout that does not fit costs memory,
// never a wrong value. Safe from several threads but for begin and end.
//
// A value may outlive its step, and its arena's owner: the arena goes with the last of them.
class Arena {
 public:
  struct Release {
    void operator()(Arena* arena) const { arena->unref(); }
  };
  using Ptr = std::unique_ptr<Arena, Release>;
  // What a step does with it.
  struct Use {
    std::shared_ptr<const ArenaLayout> layout;        // nullptr: none yet
    std::shared_ptr<const std::vector<char>> barred;  // per place: its values outlive steps
    bool records = false;                             // watches when values come and go
    bool operator==(const Use&) const = default;
  };

  // `from` is a device's allocator for one kind of memory; it gives the block and what has no spot.
  static Ptr make(Allocator& from, std::size_t place_count);

  // Before a step. Without a block, where the system or a limit refuses one, the step runs all the
  // same. Expects that no value of an earlier step is left.
  void begin(const Use& use);
  // The memory for the value at this place.
  Allocator& place(std::size_t i) const { return *targets_[i]; }
  Allocator* const* places() const { return targets_.data(); }
  // After a step: lets the block go. True when no value is left; otherwise the owner lets go of the
  // arena too, after asking which are left.
  bool end();
  std::vector<std::size_t> left() const;

  LiveIntervals lives() const;  // what was seen in a step that was recorded
  // What values took from elsewhere in this step because they have no spot or one that is too
  // small, and because somebody had the bytes of their spot.
  std::size_t missed_bytes() const { return missed_.load(std::memory_order_relaxed); }
  std::size_t blocked_bytes() const { return blocked_.load(std::memory_order_relaxed); }

 private:
  class Place;
  friend class Place;
  Arena(Allocator& from, std::size_t place_count);
  ~Arena();
  void unref() noexcept {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  void take_block();
  void give_block_back() noexcept;
  void* allocate(Place& place, std::size_t bytes);
  void deallocate(Place& place, void* memory, std::size_t bytes) noexcept;
  bool claim(const ArenaLayout::Spot& spot);
  void let_go(const ArenaLayout::Spot& spot) noexcept;
  bool is_inside(const void* memory) const {
    return memory >= block_ && memory < block_ + block_bytes_;
  }

  Allocator& from_;
  std::atomic<int> refs_{1};  // the owner, and one for each value
  Use use_;
  std::vector<Place> places_;
  std::vector<Allocator*> targets_;  // per place: itself, or `from_`
  char* block_ = nullptr;
  std::size_t block_bytes_ = 0;
  std::unique_ptr<std::atomic<std::uint64_t>[]> taken_;  // a bit per segment
  std::size_t word_count_ = 0;
  std::atomic<std::size_t> missed_{0}, blocked_{0};
  std::atomic<std::uint32_t> clock_{0};
};

}  // namespace rill
