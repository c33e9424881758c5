#include "rill/ops/sparse/sparse_case.h"

namespace rill {

extern const OpCases kRaggedGatherCases{
    "ragged_gather", [] {
      std::vector<OpCase> cases;
      const auto add = [&](std::vector<Tensor> splits, Tensor values, Tensor indices, int levels,
                           const char* error = "") {
        cases.push_back({.op = "RaggedGather",
                         .in = {list(std::move(splits)), std::move(values), std::move(indices)},
                         .attrs = {{"OUTPUT_RAGGED_RANK", levels}},
                         .error = error});
      };
      const Tensor one = dims({0, 2, 2, 5}), five = floats({1, 2, 3, 4, 5});
      for (const DType type :
           {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32,
            DType::i64, DType::u8, DType::u16, DType::c64, DType::c128, DType::boolean})
        add({one}, random(type, {5}, 1, 0, 9), dims({2, 0}), 1);
      for (const DType split : {DType::i32, DType::i64})
        for (const DType index : {DType::i32, DType::i64})
          add({values(split, {4}, {0, 2, 2, 5})}, five, values(index, {3}, {2, 1, 2}), 1);
      add({one}, strings({5}, {"a", "b", "c", "d", "e"}), dims({2, 0}), 1);
      add({one}, five, longs({1, 2}, {2, 0}), 2);
      add({one}, five, longs({2, 2, 1}, {2, 0, 1, 1}), 3);
      add({one}, five, longs({}, {2}), 0);
      add({one}, five, dims({}), 1);
      add({one}, random<float>({5, 2, 3}, 1), dims({2, 0}), 1);
      add({dims({0, 2, 3}), dims({0, 1, 1, 5})}, five, dims({1, 0, 1}), 2);
      add({dims({0, 2, 3}), dims({0, 1, 1, 5})}, five, longs({}, {0}), 1);
      add({dims({1, 2, 2, 5})}, five, dims({2, 0}), 1);
      add({one}, five, dims({3}), 1, "indices\\[0\\] = 3 is not in \\[0, 3\\)");
      add({one}, five, dims({-1}), 1, "indices\\[0\\] = -1 is not in \\[0, 3\\)");
      add({dims({0, 2, 2, 9})}, five, dims({2}), 1, "must not point past values");
      add({dims({0, 3, 2, 5})}, five, dims({2}), 1, "must be sorted");
      add({dims({0, 2, 7}), dims({0, 1, 1, 5})}, five, dims({1}), 2, "must not point past values");
      return cases;
    }};

}  // namespace rill
