#include "rill/ops/data/core/random_words.h"

#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

Seeds seeds_input(const KernelCall& call, int first) {
  const Seeds seeds{scalar_input<std::int64_t>(call, first, "seed"),
                    scalar_input<std::int64_t>(call, first + 1, "seed2")};
  if (seeds.first != 0 || seeds.second != 0) return seeds;
  return {static_cast<std::int64_t>(entropy_bits()), static_cast<std::int64_t>(entropy_bits())};
}

RandomWords::RandomWords(Seeds seeds, std::int64_t position) : RandomWords(seeds) {
  require(position >= 0, "a position among random numbers is ", position);
  stream_.skip(static_cast<std::uint64_t>(position / 4));
  position_ = position;
  if (position % 4 != 0) block_ = stream_.next();
}

Seeds SeedGenerator::next() {
  if (fixed_) return seeds_;
  const std::lock_guard lock(mutex_);
  const std::int64_t first = words_.next();
  return {first, words_.next()};
}

std::int64_t SeedGenerator::position() const {
  const std::lock_guard lock(mutex_);
  return words_.position();
}

void SeedGenerator::go_to(std::int64_t position) {
  const std::lock_guard lock(mutex_);
  words_ = RandomWords(seeds_, position);
}

}  // namespace rill
