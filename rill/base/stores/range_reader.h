#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rill/base/file_system.h"
#include "rill/base/stores/object_store.h"

namespace rill::stores {

// What a range reader reads: pieces of one thing. Called by several threads at once.
class RangeSource {
 public:
  virtual ~RangeSource() = default;
  virtual ObjectFacts facts() const = 0;  // throws NotFound
  // All of `out`; FailedPrecondition when it is not of this version any more.
  virtual void read(const std::string& version, std::uint64_t offset,
                    std::span<char> out) const = 0;
};

struct ReadAhead {
  std::uint64_t smallest_piece = std::uint64_t{128} << 10, largest_piece = std::uint64_t{4} << 20;
  std::uint64_t kept = std::uint64_t{32} << 20;  // of a file
};

// A file read by ranges. Readers that go on where they were get larger and larger pieces, fetched
// ahead of them by several connections; others get small ones; whoever asks for much at once has it
// fetched in parallel into place. Of all files together up to RILL_STORE_CACHE_MB (512) are kept.
//
// All that is read is of the version that was opened. Where the end is reached and something was
// appended since, as to a file of events, the reader goes on with that; anything else that became
// of it is FailedPrecondition.
std::unique_ptr<ReadableFile> open_ranges(const std::string& path,
                                          std::shared_ptr<const RangeSource> source,
                                          const ObjectFacts& facts, const ReadAhead& ahead = {});

std::uint64_t bytes_kept();  // by all readers; for tests

}  // namespace rill::stores
