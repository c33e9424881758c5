#pragma once

#include <mutex>

#include "rill/base/philox.h"
#include "rill/kernel/kernel_call.h"
#include "rill/tensor/resource_handle.h"

namespace rill {

struct Seeds {
  std::int64_t first = 0, second = 0;
};

// Inputs `first` and the one behind it; two zeros ask for seeds that nobody can foretell.
Seeds seeds_input(const KernelCall& call, int first);

// The words of the stream that two seeds begin, one after the other.
class RandomWords {
 public:
  explicit RandomWords(Seeds seeds)
      : stream_(static_cast<std::uint64_t>(seeds.first), static_cast<std::uint64_t>(seeds.second)) {
  }
  // Where `position` words were taken already.
  RandomWords(Seeds seeds, std::int64_t position);

  std::uint32_t next() {
    const auto place = static_cast<std::size_t>(position_++ % 4);
    if (place == 0) block_ = stream_.next();
    return block_[place];
  }
  std::int64_t position() const { return position_; }

 private:
  Philox stream_;
  Philox::Block block_{};
  std::int64_t position_ = 0;
};

// Gives every walk through a dataset its seeds. Safe from several threads.
class SeedGenerator final : public Resource {
 public:
  static constexpr const char* kTypeName = "tensorflow::data::SeedGeneratorManager";
  // With `fixed`, all get the same.
  explicit SeedGenerator(Seeds seeds, bool fixed = false)
      : seeds_(seeds), fixed_(fixed), words_(seeds) {}
  std::string describe() const override { return "generator of seeds"; }

  Seeds next();
  std::int64_t position() const;
  void go_to(std::int64_t position);

 private:
  const Seeds seeds_;
  const bool fixed_;
  mutable std::mutex mutex_;
  RandomWords words_;
};

}  // namespace rill
