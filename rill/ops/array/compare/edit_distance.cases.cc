#include "tests/optest/op_case.h"

namespace rill {
namespace {

// A matrix of sequences: positions[i] is the place of values[i].
struct Sparse {
  Tensor indices, values, shape;
};

Tensor longs(Shape shape, std::initializer_list<std::int64_t> v) {
  return tensor<std::int64_t>(std::move(shape), v);
}

OpCase row(const Sparse& hypothesis, const Sparse& truth, bool normalize = true) {
  return {.op = "EditDistance",
          .in = {hypothesis.indices, hypothesis.values, hypothesis.shape, truth.indices,
                 truth.values, truth.shape},
          .attrs = {{"normalize", normalize}}};
}

void add_types(std::vector<OpCase>& cases) {
  for (const DType type :
       {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32,
        DType::i64, DType::u8, DType::u16, DType::c64, DType::c128, DType::boolean})
    for (const bool normalize : {false, true})
      cases.push_back(row({longs({5, 2}, {0, 0, 0, 1, 0, 2, 1, 0, 1, 1}),
                           values(type, {5}, {1, 0, 3, 3, 2}), longs({2}, {2, 3})},
                          {longs({4, 2}, {0, 0, 0, 1, 1, 0, 1, 1}), values(type, {4}, {0, 3, 3, 2}),
                           longs({2}, {2, 2})},
                          normalize));
}

void add_shapes(std::vector<OpCase>& cases) {
  for (const bool normalize : {false, true}) {
    // Missing in either, in both, and more rows in the truth.
    cases.push_back(row({longs({4, 2}, {0, 0, 0, 1, 2, 0, 3, 0}),
                         tensor<std::int32_t>({4}, {1, 2, 3, 3}), longs({2}, {4, 2})},
                        {longs({4, 2}, {0, 0, 1, 0, 1, 1, 3, 0}),
                         tensor<std::int32_t>({4}, {2, 1, 1, 3}), longs({2}, {5, 3})},
                        normalize));
    cases.push_back(row({longs({0, 2}, {}), tensor<std::int32_t>({0}, {}), longs({2}, {2, 2})},
                        {longs({0, 2}, {}), tensor<std::int32_t>({0}, {}), longs({2}, {2, 2})},
                        normalize));
  }
  cases.push_back(row({longs({5, 3}, {0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1}),
                       strings({5}, {"a", "b", "c", "d", "e"}), longs({3}, {2, 2, 2})},
                      {longs({4, 3}, {0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1}),
                       strings({4}, {"b", "x", "e", "d"}), longs({3}, {2, 2, 2})}));
  // Sequences whose elements come in turns; TensorFlow wants them sorted.
  cases.push_back(row({longs({4, 2}, {1, 0, 0, 0, 1, 1, 0, 1}), strings({4}, {"e", "a", "g", "b"}),
                       longs({2}, {2, 2})},
                      {longs({4, 2}, {0, 0, 0, 1, 1, 0, 1, 1}), strings({4}, {"a", "b", "e", "h"}),
                       longs({2}, {2, 2})},
                      false));
  cases.back().want = {tensor<float>({2}, {0, 1})};
}

void add_edit_distance_errors(std::vector<OpCase>& cases) {
  const Sparse good = {longs({2, 2}, {0, 0, 0, 1}), tensor<std::int32_t>({2}, {1, 2}),
                       longs({2}, {1, 2})};
  const auto fails = [&](Sparse bad, const char* error) {
    cases.push_back(row(bad, good));
    cases.back().error = error;
  };
  fails({good.indices, tensor<std::int32_t>({3}, {1, 2, 3}), good.shape},
        "Number of elements in index \\(2\\) and values \\(3\\) do not match");
  fails({good.indices, good.values, longs({3}, {1, 2, 2})}, "rank|NumElements");
  fails({longs({2, 1}, {0, 1}), good.values, longs({1}, {2})}, "rank");
  fails({good.indices, good.values, longs({2}, {-1, 2})}, "Dimension -1 must be >= 0");
}

}  // namespace

extern const OpCases kEditDistanceCases{"edit_distance", [] {
                                          std::vector<OpCase> cases;
                                          add_types(cases);
                                          add_shapes(cases);
                                          add_edit_distance_errors(cases);
                                          return cases;
                                        }};

}  // namespace rill
