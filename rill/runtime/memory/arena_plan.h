#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rill {

// From when to when a value was there in one step, on a clock that ticks with every value that
// comes or goes.
struct Life {
  std::uint32_t born = 0, died = 0;  // born 0: was not seen; died 0: was still there at the end
  std::size_t bytes = 0;
};

// One step as it was seen: the life of the value at each place.
using Lives = std::vector<Life>;

// Where values lie in one block. Values whose lives never met share bytes.
struct ArenaLayout {
  struct Spot {
    std::size_t offset = 0, bytes = 0;  // 0 bytes: has no spot
    // The range of the block's segments that it covers; a segment is what no spot's edge divides.
    std::uint32_t first_segment = 0, last_segment = 0;
    bool is_new = true;  // no value was seen at this place, as where a branch was not taken
  };
  std::vector<Spot> spots;  // one per place
  std::size_t bytes = 0;    // of the block
  std::size_t least = 0;    // what no layout can be smaller than: the most that was alive at once
  std::size_t placed = 0;   // of all values together
  std::uint32_t segment_count = 0;
};

// The most that was alive at once in a step, of values that could have a spot.
std::size_t least_bytes(const Lives& step, std::span<const char> excluded);

// Lays out what was seen in `steps`, each with one life per place: two values share bytes only if
// they met in none of these steps. Places that are `excluded` (nonzero), and values that outlived a
// step, get no spot; of very many values only the largest do. With `delay` values count as gone so
// many ticks later than they were: for steps that do not all go the same way.
ArenaLayout lay_out(std::span<const Lives> steps, std::span<const char> excluded,
                    std::uint32_t delay = 0);

}  // namespace rill
