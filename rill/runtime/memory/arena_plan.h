#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rill {

// The live interval of a value in one step, on a clock that ticks with every allocation and free.
struct LiveInterval {
  std::uint32_t born = 0, died = 0;  // born 0: was not seen; died 0: was still there at the end
  std::size_t bytes = 0;
};

// Liveness as recorded in one step: the interval of the value at each place.
using LiveIntervals = std::vector<LiveInterval>;

// The offset of each value in one block. Values whose live intervals never overlapped share bytes.
struct ArenaLayout {
  struct Spot {
    std::size_t offset = 0, bytes = 0;  // 0 bytes: none, it is allocated for itself
    // The range of the block's segments that it covers; a segment is what no spot's edge divides.
    std::uint32_t first_segment = 0, last_segment = 0;
    bool is_new = true;  // no value was seen at this place, as where a branch was not taken
  };
  std::vector<Spot> spots;    // one per place
  std::size_t bytes = 0;      // of the block
  std::size_t min_bytes = 0;  // a lower bound for any layout: the peak of live bytes
  std::size_t placed = 0;     // of all values together
  std::uint32_t segment_count = 0;
};

// The peak of live bytes in a step, of values that are not excluded.
std::size_t peak_live_bytes(const LiveIntervals& step, std::span<const char> excluded);

// Computes offsets from the liveness recorded in `steps`: two values share bytes only if they were
// alive at the same time in none of them. Places that are `excluded` (nonzero) and values that
// outlived a step get no offset; of very many values only the largest do. `delay` extends each
// interval by so many ticks, for steps whose nodes do not always run in the same order.
ArenaLayout lay_out(std::span<const LiveIntervals> steps, std::span<const char> excluded,
                    std::uint32_t delay = 0);

}  // namespace rill
