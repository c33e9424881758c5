#include "rill/base/hash64.h"

#include <cstring>

namespace rill {

std::uint64_t hash64(std::string_view data, std::uint64_t seed) {
  constexpr std::uint64_t kFactor = 0xc6a4a7935bd1e995u;
  constexpr int kShift = 47;
  std::uint64_t h = seed ^ (data.size() * kFactor);
  while (data.size() >= 8) {
    std::uint64_t word;
    std::memcpy(&word, data.data(), 8);
    word *= kFactor;
    word ^= word >> kShift;
    h = (h ^ (word * kFactor)) * kFactor;
    data.remove_prefix(8);
  }
  if (!data.empty()) {
    std::uint64_t rest = 0;
    std::memcpy(&rest, data.data(), data.size());
    h = (h ^ rest) * kFactor;
  }
  h = (h ^ (h >> kShift)) * kFactor;
  return h ^ (h >> kShift);
}

}  // namespace rill
