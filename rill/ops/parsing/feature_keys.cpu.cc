#include "rill/ops/parsing/feature_keys.h"

#include <bit>

#include "rill/base/hash64.h"
#include "rill/ops/parsing/wire.h"

namespace rill {

FeatureKeys::FeatureKeys(std::vector<std::string> keys)
    : keys_(std::move(keys)), slots_(std::bit_ceil(2 * keys_.size() + 2), -1) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    std::size_t slot = hash64(keys_[i]) & mask;
    // A key that is wanted twice is found at its first position, as in TensorFlow.
    while (slots_[slot] >= 0 && keys_[static_cast<std::size_t>(slots_[slot])] != keys_[i])
      slot = (slot + 1) & mask;
    if (slots_[slot] < 0) slots_[slot] = static_cast<int>(i);
  }
}

int FeatureKeys::find(std::string_view key) const {
  if (slots_.empty()) return -1;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash64(key) & mask; slots_[slot] >= 0; slot = (slot + 1) & mask)
    if (keys_[static_cast<std::size_t>(slots_[slot])] == key) return slots_[slot];
  return -1;
}

void EntryFinder::start() {
  std::fill(found_.begin(), found_.end(), std::string_view());
  position_ = 0;
}

int EntryFinder::index_of(std::string_view key) {
  if (position_ == seen_.size()) seen_.push_back({key, keys_.find(key)});
  Seen& seen = seen_[position_++];
  if (seen.key != key) seen = {key, keys_.find(key)};
  return seen.index;
}

bool EntryFinder::read_map(std::string_view bytes) {
  WireReader map(bytes);
  while (!map.at_end()) {
    std::uint32_t tag = 0;
    std::string_view entry, key, value;
    if (!map.tag(&tag) || tag != delimited_tag(1) || !map.delimited(&entry)) return false;
    WireReader fields(entry);
    bool has_key = false, has_value = false;
    while (!fields.at_end()) {
      if (!fields.tag(&tag)) return false;
      const bool is_key = tag == delimited_tag(1);
      if (!is_key && tag != delimited_tag(2)) return false;
      if (!fields.delimited(is_key ? &key : &value)) return false;
      (is_key ? has_key : has_value) = true;
    }
    if (!has_key || !has_value) return false;
    const int index = index_of(key);
    if (index >= 0) found_[static_cast<std::size_t>(index)] = value;
  }
  return true;
}

bool read_example(std::string_view bytes, EntryFinder& features, EntryFinder* lists) {
  features.start();
  if (lists != nullptr) lists->start();
  WireReader reader(bytes);
  while (!reader.at_end()) {
    std::uint32_t tag = 0;
    std::string_view map;
    if (!reader.tag(&tag)) return false;
    EntryFinder* const finder = tag == delimited_tag(1)   ? &features
                                : tag == delimited_tag(2) ? lists
                                                          : nullptr;
    if (finder == nullptr) {
      if (!reader.skip(tag)) return false;
    } else if (!reader.delimited(&map) || !finder->read_map(map)) {
      return false;
    }
  }
  return true;
}

}  // namespace rill
