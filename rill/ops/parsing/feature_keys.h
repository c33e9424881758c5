#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rill {

// The names of the features that are wanted, each with its position.
class FeatureKeys {
 public:
  FeatureKeys() = default;
  explicit FeatureKeys(std::vector<std::string> keys);

  std::size_t size() const { return keys_.size(); }
  const std::string& operator[](std::size_t i) const { return keys_[i]; }
  int find(std::string_view key) const;  // -1 when it is not wanted

 private:
  std::vector<std::string> keys_;
  std::vector<int> slots_;  // open addressing, a power of two with room to spare
};

// Finds the wanted entries in the maps of many messages. Most messages of a batch have the same
// keys in the same order, so what stood at a position last time is asked first.
class EntryFinder {
 public:
  explicit EntryFinder(const FeatureKeys& keys) : keys_(keys), found_(keys.size()) {}

  void start();  // a new message
  // Reads a map<string, message>, the only field (1) of its message: Features or FeatureLists. Of
  // entries with one key the last one counts, in this map and in those read since start(). False
  // when the bytes are no such map.
  bool read_map(std::string_view bytes);

  // By position in the keys: is there such an entry, and the bytes of its message?
  bool has(std::size_t i) const { return found_[i].data() != nullptr; }
  std::string_view value(std::size_t i) const { return found_[i]; }

 private:
  struct Seen {
    std::string_view key;
    int index = -1;
  };
  int index_of(std::string_view key);

  const FeatureKeys& keys_;
  std::vector<std::string_view> found_;
  std::vector<Seen> seen_;
  std::size_t position_ = 0;
};

// Reads an Example, or the maps of a SequenceExample where `lists` is given. False when the bytes
// are no such message.
bool read_example(std::string_view bytes, EntryFinder& features, EntryFinder* lists = nullptr);

}  // namespace rill
