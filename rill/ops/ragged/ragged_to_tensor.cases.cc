#include "rill/ops/sparse/sparse_case.h"

namespace rill {
namespace {

using Names = std::vector<std::string>;

const Names kSplits = {"ROW_SPLITS"};
const Names kRowIds = {"FIRST_DIM_SIZE", "VALUE_ROWIDS"};

OpCase row(Tensor shape, Tensor values, Tensor fallback, std::vector<Tensor> partitions,
           Names types, const char* error = "") {
  return {
      .op = "RaggedTensorToTensor",
      .in = {std::move(shape), std::move(values), std::move(fallback), list(std::move(partitions))},
      .attrs = {{"row_partition_types", std::move(types)}},
      .error = error};
}

void add_values(std::vector<OpCase>& cases) {
  for (const DType type :
       {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32,
        DType::i64, DType::u8, DType::u16, DType::c64, DType::c128, DType::boolean})
    cases.push_back(row(dims({3, 4}), random(type, {5}, 1, 0, 9), random(type, {}, 2, 0, 9),
                        {dims({0, 2, 2, 5})}, kSplits));
  for (const DType index : {DType::i32, DType::i64})
    for (const DType shape : {DType::i32, DType::i64})
      cases.push_back(row(values(shape, {2}, {-1, -1}), strings({5}, {"a", "b", "c", "d", "e"}),
                          strings({}, {"-"}), {values(index, {4}, {0, 2, 2, 5})}, kSplits));
}

void add_shapes(std::vector<OpCase>& cases) {
  const Tensor five = floats({1, 2, 3, 4, 5}), zero = scalar<float>(0), splits = dims({0, 2, 2, 5});
  const auto add = [&](OpCase made) { cases.push_back(std::move(made)); };
  for (const Tensor& shape :
       {dims({-1, -1}), dims({2, 2}), dims({5, 1}), dims({0, 3}), dims({3, 0})})
    add(row(shape, five, zero, {splits}, kSplits));
  add(row(longs({}, {-1}), five, zero, {splits}, kSplits));
  for (const Tensor& shape : {dims({3, 4}), dims({-1, -1}), dims({2, 2})})
    add(row(shape, five, zero, {longs({}, {3}), dims({0, 0, 2, 2, 2})}, kRowIds));
  add(row(dims({-1, -1, -1}), five, zero, {dims({0, 2, 3}), dims({0, 1, 1, 5})},
          {"ROW_SPLITS", "ROW_SPLITS"}));
  add(row(dims({-1, 1, 2}), five, zero, {dims({0, 2, 3}), dims({0, 1, 1, 5})},
          {"ROW_SPLITS", "ROW_SPLITS"}));
  add(row(dims({-1, -1, -1}), five, zero, {longs({}, {2}), dims({0, 0, 1}), dims({0, 2, 2, 2, 2})},
          {"FIRST_DIM_SIZE", "VALUE_ROWIDS", "VALUE_ROWIDS"}));
  const Tensor deep = random<float>({5, 2}, 1);
  add(row(dims({-1, -1, -1}), deep, zero, {splits}, kSplits));
  add(row(dims({-1, -1, 2}), deep, floats({7, 8}), {splits}, kSplits));
  add(row(dims({-1, 2, 2}), deep, floats({7}), {splits}, kSplits));
  add(row(dims({-1, -1}), floats({}), zero, {dims({0, 0, 0})}, kSplits));
  add(row(dims({-1, -1}), floats({}), zero, {dims({0})}, kSplits));
}

void add_errors(std::vector<OpCase>& cases) {
  const Tensor five = floats({1, 2, 3, 4, 5}), zero = scalar<float>(0), splits = dims({0, 2, 2, 5});
  const auto add = [&](OpCase made) { cases.push_back(std::move(made)); };
  add(row(dims({3, 4, 5}), five, zero, {splits}, kSplits, "rt_input.rank = 2 but shape.rank = 3"));
  add(row(dims({3}), five, zero, {splits}, kSplits, "rt_input.rank = 2 but shape.rank = 1"));
  add(row(dims({3, 4}), five, zero, {longs({}, {3}), dims({0, 0, 7, 7, 7})}, kRowIds,
          "Got next_value_rowid=7 which is not less than 3"));
  add(row(dims({3, 4}), five, zero, {longs({}, {3}), dims({0, -1, 2, 2, 2})}, kRowIds,
          "Got next_value_rowid=-1"));
  add(row(dims({3, 4}), five, zero, {dims({0, 0, 2, 2, 2})}, {"VALUE_ROWIDS"}, "cannot be first"));
  add(row(dims({3, 4}), five, zero, {splits}, {"ZZ"},
          "Unknown string for partition info type: ZZ"));
  add(row(dims({3, 4}), five, zero, {splits}, {"ROW_SPLITS", "ROW_SPLITS"}, "does not equal"));
  add(row(dims({3, 4}), floats({1, 2, 3}), zero, {longs({}, {3})}, {"FIRST_DIM_SIZE"},
          "must be followed by VALUE_ROWIDS"));
  add(row(dims({3, 4}), five, zero, {dims({})}, kSplits, "at least one element"));
  add(row(dims({-1, -1, 3}), random<float>({5, 2}, 1), zero, {splits}, kSplits,
          "rt_input.shape\\[2\\] = 2 but shape\\[2\\] = 3"));
  add(row(dims({3, 4}), five, floats({1, 2}), {splits}, kSplits, "default_value.rank = 1"));
  add(row(dims({-2, 4}), five, zero, {splits}, kSplits, "-2"));
  add(row(dims({kHuge, kHuge}), five, zero, {splits}, kSplits, "more than|overflow"));
}

}  // namespace

extern const OpCases kRaggedToTensorCases{"ragged_to_tensor", [] {
                                            std::vector<OpCase> cases;
                                            add_values(cases);
                                            add_shapes(cases);
                                            add_errors(cases);
                                            return cases;
                                          }};

}  // namespace rill
