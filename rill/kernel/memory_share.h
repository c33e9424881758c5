#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include "rill/tensor/allocator.h"

namespace rill {

// The parts of cards that sessions use as devices: each has a name and a limit of its own, and
// takes its memory from the card. Sessions that ask for the same part share it. Safe from several
// threads.
class MemoryShares {
 public:
  MemoryShares();
  ~MemoryShares();
  // The card's own allocator where the device is the whole card. Lives as long as this object.
  Allocator& find(const std::string& type, int index, int card_number, std::int64_t limit,
                  Allocator& card);

 private:
  class Share;
  std::mutex mutex_;
  std::map<std::tuple<int, int, std::int64_t>, std::unique_ptr<Share>> shares_;
};

}  // namespace rill
