#pragma once

#include <cstddef>

namespace rill {

// A record: its length in 8 bytes and their checksum in 4, the data, the data's checksum in 4.
inline constexpr std::size_t kRecordHeader = 12, kRecordFooter = 4;
inline constexpr std::size_t kRecordOverhead = kRecordHeader + kRecordFooter;

}  // namespace rill
