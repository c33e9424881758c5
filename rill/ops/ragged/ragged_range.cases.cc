#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kRaggedRangeCases{
    "ragged_range", [] {
      std::vector<OpCase> cases;
      const auto add = [&](Tensor starts, Tensor limits, Tensor deltas, const char* error = "",
                           DType splits = DType::i64) {
        cases.push_back({.op = "RaggedRange",
                         .in = {std::move(starts), std::move(limits), std::move(deltas)},
                         .attrs = {{"Tsplits", splits}},
                         .error = error});
      };
      for (const DType splits : {DType::i32, DType::i64})
        for (const DType type : {DType::f32, DType::f64, DType::i32, DType::i64}) {
          add(values(type, {4}, {0, 5, 8, 9}), values(type, {4}, {8, 7, 8, -3}),
              values(type, {4}, {3, 1, 1, -4}), "", splits);
          add(values(type, {}, {1}), values(type, {2}, {8, 0}), values(type, {}, {2}), "", splits);
          add(values(type, {}, {1}), values(type, {}, {8}), values(type, {}, {2}), "", splits);
        }
      const Tensor one = tensor<float>({}, {0.1F});
      add(tensor<float>({2}, {0, 0.5F}), tensor<float>({2}, {5, -1}),
          tensor<float>({2}, {0.3F, -0.2F}));
      add(one, tensor<float>({}, {7.3F}), one);
      using I = std::int32_t;
      add(tensor<I>({0}, {}), tensor<I>({0}, {}), tensor<I>({0}, {}));
      add(tensor<I>({1}, {3}), tensor<I>({1}, {1}), tensor<I>({1}, {1}));
      const Tensor two = tensor<I>({2}, {1, 2});
      add(two, two, tensor<I>({2}, {1, 0}), "Requires delta != 0");
      add(two, tensor<I>({3}, {1, 2, 3}), two, "must have the same shape");
      add(two, tensor<I>({1, 1}, {1}), two, "scalar or vector|at most rank 1");
      for (const float end : {INFINITY, NAN})
        add(tensor<float>({}, {0}), tensor<float>({}, {end}), tensor<float>({}, {1}),
            "\\(limit - start\\) / delta\\) <= 9223372036854775807");
      return cases;
    }};

}  // namespace rill
