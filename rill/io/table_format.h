#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rill {

// A table is LevelDB's: blocks of sorted entries, an empty "metaindex" block, a block that lists
// the others, a footer. checkpoint.md's writers use these numbers, and equal input gives equal
// bytes.
inline constexpr std::size_t kBlockSize = 262144;    // what a block grows to before it is written
inline constexpr std::size_t kRestartInterval = 16;  // entries from one whole key to the next
inline constexpr std::size_t kBlockTrailer = 5;      // kind of compression, checksum
inline constexpr std::size_t kTableFooter = 48;
inline constexpr std::uint64_t kTableMagic = 0xdb4775248b80fb57u;

enum class BlockCompression : char { none = 0, snappy = 1 };

// Where a block lies in the file; `size` leaves the trailer out.
struct BlockHandle {
  std::uint64_t offset = 0, size = 0;
};
void append_handle(const BlockHandle& handle, std::string* bytes);
bool take_handle(std::string_view* rest, BlockHandle* handle);  // false when there is none

}  // namespace rill
