#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "rill/tensor/base128.h"
#include "rill/tensor/tensor.h"

namespace rill {

// Writes Examples and SequenceExamples for tests, entry by entry in the order given: what comes out
// does not depend on how a map is kept.
inline std::string delimited_field(char tag, const std::string& bytes) {
  std::string out(1, tag);
  append_base128(bytes.size(), &out);
  return out + bytes;
}

inline std::string floats(std::initializer_list<float> values) {
  std::string packed;
  for (const float v : values) packed.append(reinterpret_cast<const char*>(&v), sizeof v);
  return delimited_field('\x12', values.size() == 0 ? "" : delimited_field('\x0a', packed));
}
inline std::string ints(std::initializer_list<std::int64_t> values) {
  std::string packed;
  for (const std::int64_t v : values) append_base128(static_cast<std::uint64_t>(v), &packed);
  return delimited_field('\x1a', values.size() == 0 ? "" : delimited_field('\x0a', packed));
}
inline std::string byte_strings(std::initializer_list<std::string> values) {
  std::string list;
  for (const std::string& v : values) list += delimited_field('\x0a', v);
  return delimited_field('\x0a', list);
}

using Entries = std::initializer_list<std::pair<std::string, std::string>>;

inline std::string map_bytes(Entries entries) {
  std::string map;
  for (const auto& [key, value] : entries)
    map += delimited_field('\x0a', delimited_field('\x0a', key) + delimited_field('\x12', value));
  return map;
}
inline std::string example(Entries features) {
  return delimited_field('\x0a', map_bytes(features));
}
inline std::string feature_list(std::initializer_list<std::string> features) {
  std::string list;
  for (const std::string& feature : features) list += delimited_field('\x0a', feature);
  return list;
}
inline std::string sequence_example(Entries context, Entries lists) {
  return example(context) + delimited_field('\x12', map_bytes(lists));
}

// A tensor of byte strings, in which zeros are bytes like others.
inline Tensor byte_tensor(Shape shape, std::initializer_list<std::string> values) {
  return Tensor::of<std::string>(std::move(shape), values);
}

}  // namespace rill
