#pragma once

#include <cstdint>
#include <string_view>

#include "rill/tensor/tensor.h"

namespace rill {

// A Feature of an Example, still as bytes: what kind of values it holds and the list of them.
struct Feature {
  DType type = DType::invalid;  // invalid: nothing is set
  std::string_view list;
};

// False when the bytes are no Feature; throws InvalidArgument for a kind that there is not.
bool read_feature(std::string_view bytes, Feature* feature);

// How many values there are; -1 when the list cannot be read. Numbers are looked at only as far as
// counting takes.
std::int64_t value_count(const Feature& feature);

// Writes the values, `count` of them, to `dst`, elements of the feature's type. False when the list
// cannot be read or holds another number of values.
bool read_values(const Feature& feature, void* dst, std::int64_t count);

}  // namespace rill
