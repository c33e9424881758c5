#include "tests/optest/op_case.h"

namespace rill {
namespace {

// TensorFlow 2 has none of them. What they count is checked with devices (stand_in_test.cc).
std::vector<OpCase> memory_stats_rows() {
  std::vector<OpCase> rows;
  for (const char* op : {"BytesInUse", "BytesLimit", "MaxBytesInUse"})
    rows.push_back(
        {.op = op, .compare = Compare::kShapes, .want = {Tensor::scalar(std::int64_t{0})}});
  return rows;
}

}  // namespace

extern const OpCases kMemoryStatsCases{"memory_stats", memory_stats_rows};

}  // namespace rill
