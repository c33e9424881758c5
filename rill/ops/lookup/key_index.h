#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "rill/base/error.h"

namespace rill {

inline std::uint64_t quick_hash(const std::string& key) {
  return std::hash<std::string_view>()(key);
}
// Neighbouring numbers are common keys; their bits must spread.
inline std::uint64_t quick_hash(std::int64_t key) {
  auto h = static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93u;
  return h ^ (h >> 32);
}

// Keys, numbered from 0 without gaps, and where each is: open addressing over a power of two of
// slots, of which at most half are taken.
template <class K>
class KeyIndex {
 public:
  static constexpr std::int64_t kNone = -1;

  std::int64_t size() const { return static_cast<std::int64_t>(keys_.size()); }
  const std::vector<K>& keys() const { return keys_; }

  // The numbers of the first kBlock keys or fewer. Large tables are not in the cache: all slots are
  // asked for before the first is read, and then all keys.
  static constexpr std::size_t kBlock = 32;
  void find_block(const K* wanted, std::size_t count, std::int64_t* rows) const {
    if (slots_.empty()) {
      std::fill_n(rows, count, kNone);
      return;
    }
    std::array<std::uint64_t, kBlock> hashes;
    for (std::size_t i = 0; i < count; ++i) {
      hashes[i] = quick_hash(wanted[i]);
      __builtin_prefetch(&slots_[hashes[i] & mask()]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t row = slots_[hashes[i] & mask()].row;
      if (row != kEmpty) __builtin_prefetch(&keys_[row]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t row = slots_[slot_of(wanted[i], hashes[i])].row;
      rows[i] = row == kEmpty ? kNone : row;
    }
  }

  void reserve(std::int64_t count) {
    if (count >= kEmpty) raise(Code::kResourceExhausted, "a table of ", count, " keys");
    std::size_t wanted = 16;
    while (wanted < 2 * static_cast<std::size_t>(count)) wanted *= 2;
    if (wanted <= slots_.size()) return;
    slots_.assign(wanted, Slot());
    for (std::size_t row = 0; row < keys_.size(); ++row) {
      const std::uint64_t hash = quick_hash(keys_[row]);
      std::size_t place = hash & mask();
      while (slots_[place].row != kEmpty) place = (place + 1) & mask();
      slots_[place] = {tag_of(hash), static_cast<std::uint32_t>(row)};
    }
  }

  // The key's number, and whether it is new.
  std::pair<std::int64_t, bool> add(const K& key) {
    reserve(size() + 1);
    const std::uint64_t hash = quick_hash(key);
    Slot& slot = slots_[slot_of(key, hash)];
    if (slot.row != kEmpty) return {slot.row, false};
    keys_.push_back(key);
    slot = {tag_of(hash), static_cast<std::uint32_t>(keys_.size() - 1)};
    return {slot.row, true};
  }

  // The number that becomes free, which the last key takes over; kNone when there is no such key.
  std::int64_t remove(const K& key) {
    if (slots_.empty()) return kNone;
    const std::size_t place = slot_of(key, quick_hash(key));
    const std::uint32_t row = slots_[place].row;
    if (row == kEmpty) return kNone;
    if (row + 1 != keys_.size()) {
      slots_[slot_of(keys_.back(), quick_hash(keys_.back()))].row = row;
      std::swap(keys_[row], keys_.back());
    }
    close_gap(place);
    keys_.pop_back();
    return row;
  }

  void clear() {
    keys_.clear();
    slots_.clear();
  }

 private:
  static constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();
  struct Slot {
    std::uint32_t tag = 0;  // part of the hash: most keys that differ need not be looked at
    std::uint32_t row = kEmpty;
  };

  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  std::size_t mask() const { return slots_.size() - 1; }

  // Where the key is, or the empty slot where it would go.
  std::size_t slot_of(const K& key, std::uint64_t hash) const {
    std::size_t place = hash & mask();
    while (slots_[place].row != kEmpty &&
           (slots_[place].tag != tag_of(hash) || keys_[slots_[place].row] != key))
      place = (place + 1) & mask();
    return place;
  }

  // Moves up what was pushed past the slot that is empty now.
  void close_gap(std::size_t gap) {
    slots_[gap] = {};
    for (std::size_t place = (gap + 1) & mask(); slots_[place].row != kEmpty;
         place = (place + 1) & mask()) {
      const std::size_t home = quick_hash(keys_[slots_[place].row]) & mask();
      if (((place - home) & mask()) < ((place - gap) & mask())) continue;
      slots_[gap] = slots_[place];
      slots_[place] = {};
      gap = place;
    }
  }

  std::vector<K> keys_;
  std::vector<Slot> slots_;
};

}  // namespace rill
