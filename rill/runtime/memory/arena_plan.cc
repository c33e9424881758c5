#include "rill/runtime/memory/arena_plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "rill/tensor/allocator.h"

namespace rill {
namespace {

// Looking for a spot takes time that grows with the values that have one.
constexpr std::size_t kMaxSpots = 2048;
// A layout this near to the least is not worth another attempt.
constexpr double kNearEnough = 1.02;

std::size_t rounded(std::size_t bytes) {
  return (bytes + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment;
}

bool met(const LiveInterval& a, const LiveInterval& b, std::uint32_t delay) {
  return a.born != 0 && b.born != 0 && a.born < b.died + delay && b.born < a.died + delay;
}

// A value that gets a spot.
struct PlacedBuffer {
  std::size_t place = 0, bytes = 0, offset = 0;
  std::uint64_t age = 0;  // in all steps together
};

class Packer {
 public:
  Packer(std::span<const LiveIntervals> steps, std::span<const char> excluded, std::uint32_t delay)
      : steps_(steps), delay_(delay) {
    const std::size_t places = steps.empty() ? 0 : steps.front().size();
    for (std::size_t p = 0; p < places; ++p)
      if (excluded[p] == 0) add(p);
    if (items_.size() <= kMaxSpots) return;
    std::ranges::stable_sort(items_, std::greater<>(), &PlacedBuffer::bytes);
    items_.resize(kMaxSpots);
  }

  const std::vector<PlacedBuffer>& items() const { return items_; }

  // The most that was alive at once in any of the steps.
  std::size_t peak_live_bytes() const {
    std::size_t most = 0;
    for (const LiveIntervals& lives : steps_) {
      std::vector<std::pair<std::uint32_t, std::ptrdiff_t>> changes;
      for (const PlacedBuffer& item : items_) {
        const LiveInterval& life = lives[item.place];
        if (life.born == 0) continue;
        const auto bytes = static_cast<std::ptrdiff_t>(rounded(life.bytes));
        changes.emplace_back(life.born, bytes);
        changes.emplace_back(life.died, -bytes);
      }
      std::ranges::sort(changes);
      std::ptrdiff_t alive = 0;
      for (const auto& [when, change] : changes) {
        alive += change;
        most = std::max(most, static_cast<std::size_t>(std::max<std::ptrdiff_t>(alive, 0)));
      }
    }
    return most;
  }

  // Gives every item, in this order, the narrowest gap between those it met that holds it. Returns
  // how large the block becomes.
  template <class Before>
  std::size_t pack(Before before) {
    std::ranges::stable_sort(items_, before);
    std::vector<const PlacedBuffer*> by_offset;
    by_offset.reserve(items_.size());
    std::size_t end = 0;
    for (PlacedBuffer& item : items_) {
      item.offset = gap_for(item, by_offset);
      const auto behind =
          std::ranges::upper_bound(by_offset, item.offset, {}, &PlacedBuffer::offset);
      by_offset.insert(behind, &item);
      end = std::max(end, item.offset + item.bytes);
    }
    return end;
  }

 private:
  void add(std::size_t place) {
    PlacedBuffer item{.place = place};
    for (const LiveIntervals& lives : steps_) {
      const LiveInterval& life = lives[place];
      if (life.born == 0) continue;
      if (life.died == 0) return;
      item.bytes = std::max(item.bytes, rounded(life.bytes));
      item.age += life.died - life.born;
    }
    if (item.bytes > 0) items_.push_back(item);
  }

  bool ever_met(const PlacedBuffer& a, const PlacedBuffer& b) const {
    return std::ranges::any_of(steps_, [&](const LiveIntervals& lives) {
      return met(lives[a.place], lives[b.place], delay_);
    });
  }

  std::size_t gap_for(const PlacedBuffer& item,
                      const std::vector<const PlacedBuffer*>& by_offset) const {
    std::size_t free_from = 0, best = 0, narrowest = std::numeric_limits<std::size_t>::max();
    for (const PlacedBuffer* other : by_offset) {
      if (other->offset + other->bytes <= free_from || !ever_met(item, *other)) continue;
      if (other->offset > free_from) {
        const std::size_t gap = other->offset - free_from;
        if (gap >= item.bytes && gap < narrowest) {
          narrowest = gap;
          best = free_from;
        }
      }
      free_from = other->offset + other->bytes;
    }
    return narrowest == std::numeric_limits<std::size_t>::max() ? free_from : best;
  }

  std::span<const LiveIntervals> steps_;
  const std::uint32_t delay_;
  std::vector<PlacedBuffer> items_;
};

void find_segments(ArenaLayout& layout) {
  std::vector<std::size_t> edges;
  for (const ArenaLayout::Spot& spot : layout.spots) {
    if (spot.bytes == 0) continue;
    edges.push_back(spot.offset);
    edges.push_back(spot.offset + spot.bytes);
  }
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  const auto number = [&](std::size_t edge) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(edges, edge) - edges.begin());
  };
  for (ArenaLayout::Spot& spot : layout.spots) {
    if (spot.bytes == 0) continue;
    spot.first_segment = number(spot.offset);
    spot.last_segment = number(spot.offset + spot.bytes);
  }
  layout.segment_count = edges.empty() ? 0 : static_cast<std::uint32_t>(edges.size() - 1);
}

}  // namespace

std::size_t peak_live_bytes(const LiveIntervals& step, std::span<const char> excluded) {
  return Packer({&step, 1}, excluded, 0).peak_live_bytes();
}

ArenaLayout lay_out(std::span<const LiveIntervals> steps, std::span<const char> excluded,
                    std::uint32_t delay) {
  Packer packer(steps, excluded, delay);
  ArenaLayout layout;
  layout.spots.resize(excluded.size());
  layout.min_bytes = packer.peak_live_bytes();
  const auto keep = [&](std::size_t bytes) {
    if (layout.bytes != 0 && bytes >= layout.bytes) return;
    layout.bytes = bytes;
    for (const PlacedBuffer& item : packer.items())
      layout.spots[item.place] = {.offset = item.offset, .bytes = item.bytes};
  };
  keep(packer.pack([](const PlacedBuffer& a, const PlacedBuffer& b) { return a.bytes > b.bytes; }));
  if (static_cast<double>(layout.bytes) > kNearEnough * static_cast<double>(layout.min_bytes))
    keep(packer.pack([](const PlacedBuffer& a, const PlacedBuffer& b) {
      return static_cast<double>(a.bytes) * static_cast<double>(a.age) >
             static_cast<double>(b.bytes) * static_cast<double>(b.age);
    }));
  for (const PlacedBuffer& item : packer.items()) layout.placed += item.bytes;
  for (const LiveIntervals& lives : steps)
    for (std::size_t p = 0; p < lives.size(); ++p) layout.spots[p].is_new &= lives[p].born == 0;
  find_segments(layout);
  return layout;
}

}  // namespace rill
