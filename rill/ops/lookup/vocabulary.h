#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "rill/tensor/tensor.h"

namespace rill {

inline constexpr std::int64_t kWholeLine = -2, kLineNumber = -1;

struct Vocabulary {
  std::string file;
  DType key_type, value_type;
  std::int64_t key_index, value_index;  // a column, kWholeLine or kLineNumber
  std::int64_t lines;                   // how many to read; -1: all
  char delimiter;
};
// The keys and values that the lines of a file hold. Throws NotFound when there is no such file and
// InvalidArgument, naming file and line, where a line does not fit.
std::pair<Tensor, Tensor> read_vocabulary(const Vocabulary& vocabulary);

}  // namespace rill
