#include "rill/graph/graph_life.h"

#include <array>
#include <atomic>

namespace rill {
namespace {

// Each living graph has the slot of its number modulo their count. A graph that finds no free slot
// is not watched.
constexpr std::uint32_t kSlots = 1 << 14;
std::array<std::atomic<std::uint32_t>, kSlots> slots;
std::atomic<std::uint32_t> last_life = 0;

}  // namespace

std::uint32_t begin_graph_life() {
  for (std::uint32_t tries = 0; tries < kSlots; ++tries) {
    const std::uint32_t life = ++last_life;
    std::uint32_t free = 0;
    if (life != 0 && slots[life % kSlots].compare_exchange_strong(free, life)) return life;
  }
  return 0;
}

void end_graph_life(std::uint32_t life) {
  if (life != 0) slots[life % kSlots].store(0, std::memory_order_relaxed);
}

bool is_graph_alive(std::uint32_t life) {
  return life == 0 || slots[life % kSlots].load(std::memory_order_relaxed) == life;
}

}  // namespace rill
