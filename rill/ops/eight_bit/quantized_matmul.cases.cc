#include "tests/optest/op_case.h"

namespace rill {
namespace {

struct MatMulRanges {
  float min_a = -1.5f, max_a = 2.5f, min_b = -0.75f, max_b = 1.25f;
};

OpCase matmul(const Shape& a, const Shape& b, bool transpose_a = false, bool transpose_b = false,
              const MatMulRanges& r = {}) {
  return {.op = "QuantizedMatMul",
          .in = {random(DType::qu8, a, 1, 0, 256), random(DType::qu8, b, 2, 0, 256),
                 scalar<float>(r.min_a), scalar<float>(r.max_a), scalar<float>(r.min_b),
                 scalar<float>(r.max_b)},
          .attrs = {{"transpose_a", transpose_a}, {"transpose_b", transpose_b}}};
}

}  // namespace

extern const OpCases kQuantizedMatMulCases{
    "quantized_matmul", [] {
      std::vector<OpCase> cases;
      for (const bool turn_a : {false, true})
        for (const bool turn_b : {false, true}) {
          const auto shape = [](bool turned, std::int64_t rows, std::int64_t columns) {
            return turned ? Shape{columns, rows} : Shape{rows, columns};
          };
          cases.push_back(matmul(shape(turn_a, 2, 3), shape(turn_b, 3, 4), turn_a, turn_b));
          cases.push_back(matmul(shape(turn_a, 37, 70), shape(turn_b, 70, 53), turn_a, turn_b));
          cases.push_back(matmul(shape(turn_a, 1, 130), shape(turn_b, 130, 600), turn_a, turn_b));
        }
      // Zero is the first level, the last one, beyond either end, far away.
      for (const MatMulRanges& r :
           {MatMulRanges{0, 255, 0, 255}, MatMulRanges{-3, 0, -2, 0}, MatMulRanges{1, 4, -4, -1},
            MatMulRanges{100, 100.5f, 7, 8}, MatMulRanges{0, 1, -1, 1}, MatMulRanges{-1, 1, 0, 1}})
        for (const std::int64_t rows : {3, 40})
          cases.push_back(matmul({rows, 65}, {65, 33}, false, false, r));
      cases.push_back(matmul({7, 3000}, {3000, 17}));  // TensorFlow's own loops
      cases.push_back(matmul({2, 40000}, {40000, 16}, false, false, {5, 6, 5, 6}));  // wraps
      cases.push_back(matmul({0, 3}, {3, 4}));
      cases.push_back(matmul({2, 3}, {3, 0}));
      const auto refuse = [&](OpCase row, const char* error) {
        row.error = error;
        cases.push_back(std::move(row));
      };
      refuse(matmul({2, 3}, {3, 4}, false, false, {1, 1, 0, 1}), "max_a must be larger than min_a");
      refuse(matmul({2, 3}, {3, 4}, false, false, {0, 1, 2, 1}), "max_b must be larger than min_b");
      refuse(matmul({2, 3}, {3, 4}, false, false, {NAN, 1, 0, 1}),
             "max_a must be larger than min_a");
      refuse(matmul({2, 3}, {4, 4}), "Dimensions must be equal|Matrix size-incompatible");
      refuse(matmul({2, 3, 1}, {3, 4}), "rank 2|not a matrix");
      return cases;
    }};

}  // namespace rill
