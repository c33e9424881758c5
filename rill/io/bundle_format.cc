#include "rill/io/bundle_format.h"

#include <cstdio>
#include <limits>
#include <random>

#include "rill/base/crc32c.h"
#include "rill/base/text.h"
#include "rill/io/coding.h"

namespace rill {

std::string bundle_index_path(std::string_view prefix) { return str_cat(prefix, ".index"); }

std::string bundle_data_path(std::string_view prefix, int shard, int shard_count) {
  char suffix[48];
  std::snprintf(suffix, sizeof suffix, ".data-%05d-of-%05d", shard, shard_count);
  return str_cat(prefix, suffix);
}

std::string temporary_path(std::string_view path) {
  std::random_device random;
  const std::uint64_t number = (std::uint64_t{random()} << 32) | random();
  return str_cat(path, ".tempstate", number);
}

std::uint32_t extend_crc_by_length(std::uint32_t crc, std::uint64_t length) {
  char bytes[8];
  store_fixed(length, bytes);
  const bool is_short = length <= std::numeric_limits<std::uint32_t>::max();
  return extend_crc32c(crc, {bytes, is_short ? std::size_t{4} : std::size_t{8}});
}

}  // namespace rill
