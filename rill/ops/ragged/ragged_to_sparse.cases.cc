#include "rill/ops/sparse/sparse_case.h"

namespace rill {

extern const OpCases kRaggedToSparseCases{
    "ragged_to_sparse", [] {
      std::vector<OpCase> cases;
      const auto add = [&](std::vector<Tensor> splits, Tensor values, const char* error = "") {
        cases.push_back({.op = "RaggedTensorToSparse",
                         .in = {list(std::move(splits)), std::move(values)},
                         .error = error});
      };
      const Tensor five = floats({1, 2, 3, 4, 5});
      for (const DType type :
           {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32,
            DType::i64, DType::u8, DType::u16, DType::c64, DType::c128, DType::boolean})
        add({dims({0, 2, 2, 5})}, random(type, {5}, 1, 0, 9));
      add({values(DType::i32, {4}, {0, 2, 2, 5})}, strings({5}, {"a", "b", "c", "d", "e"}));
      add({dims({0, 2, 3}), dims({0, 1, 1, 5})}, five);
      add({dims({0, 0, 2, 2}), dims({0, 2, 3}), dims({0, 1, 1, 5})}, five);
      add({dims({0, 2, 2, 5})}, random<float>({5, 2, 3}, 1));
      add({dims({0, 2, 2, 5})}, random<float>({5, 0}, 1));
      add({dims({0})}, floats({}));
      add({dims({0, 0, 0})}, floats({}));
      add({dims({0, 2, 2, 9})}, five, "Final value of ragged splits must match");
      add({dims({1, 2, 2, 5})}, five, "First value of ragged splits must be 0");
      add({dims({0, 3, 2, 5})}, five, "non decreasing, but we got 3 followed by 2");
      add({dims({})}, five, "may not be empty");
      add({dims({0, 2, 9}), dims({0, 1, 1, 5})}, five, "Final value of ragged splits must match");
      add({dims({0, 1})}, scalar<float>(3), "rank|Final value");
      return cases;
    }};

}  // namespace rill
