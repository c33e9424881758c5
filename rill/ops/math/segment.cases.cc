#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kSegmentCases{
    "segment", [] {
      std::vector<OpCase> cases;
      for (const DType type :
           {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32,
            DType::i64, DType::u8, DType::u16, DType::c64, DType::c128})
        cases.push_back({.op = "UnsortedSegmentSum",
                         .in = {random(type, {4, 3}, 1, 0, 9),
                                tensor<std::int32_t>({4}, {2, 0, 2, 1}), scalar<std::int32_t>(4)}});
      const Tensor data = random<float>({2, 3, 2}, 5);
      cases.push_back({.op = "UnsortedSegmentSum",
                       .in = {data, tensor<std::int64_t>({2, 3}, {0, -1, 1, 1, 0, -1}),
                              scalar<std::int64_t>(3)},
                       .name = "negative_ids"});
      cases.push_back({.op = "UnsortedSegmentSum",
                       .in = {random<float>({3}, 1), tensor<std::int32_t>({3}, {0, 4, 1}),
                              scalar<std::int32_t>(4)},
                       .name = "id_out_of_range",
                       .error = "is out of range \\[0, 4\\)"});
      cases.push_back({.op = "UnsortedSegmentSum",
                       .in = {tensor<float>({0, 2}, {}), tensor<std::int32_t>({0}, {}),
                              scalar<std::int32_t>(2)},
                       .name = "no_rows"});
      return cases;
    }};

}  // namespace rill
