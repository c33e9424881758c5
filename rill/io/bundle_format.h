#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rill {

// The files of a V2 checkpoint: a table of entries, and the tensors' bytes in shards.
inline constexpr int kBundleVersion = 1;
inline constexpr std::string_view kBundleHeaderKey = "";

std::string bundle_index_path(std::string_view prefix);  // "prefix.index"
// "prefix.data-00000-of-00001"
std::string bundle_data_path(std::string_view prefix, int shard, int shard_count);
// A name beside `path` that nobody else uses: files are written there and renamed when complete.
std::string temporary_path(std::string_view path);

// How bytes move between files and tensors: pieces small enough for the checksum to find them in
// the cache.
inline constexpr std::size_t kBundlePiece = std::size_t{1} << 20;

// The checksum of a string's length covers four bytes of it, or eight when it needs them.
std::uint32_t extend_crc_by_length(std::uint32_t crc, std::uint64_t length);

}  // namespace rill
