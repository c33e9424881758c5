#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kListDiffCases{
    "list_diff", [] {
      std::vector<OpCase> cases;
      for (const DType type :
           {DType::f32, DType::f64, DType::i8, DType::i16, DType::i32, DType::i64, DType::u8})
        cases.push_back({.op = "ListDiff",
                         .in = {values(type, {6}, {1, 2, 3, 2, 5, 6}), values(type, {2}, {2, 5})}});
      for (const DType type :
           {DType::f32, DType::i32, DType::u8})  // the table of those taken grows
        cases.push_back({.op = "ListDiff",
                         .in = {random(type, {500}, 1, 0, 250), random(type, {300}, 2, 0, 250)}});
      cases.push_back({.op = "ListDiff",
                       .in = {strings({3}, {"a", "b", "a"}), strings({1}, {"b"})},
                       .attrs = {{"out_idx", DType::i64}}});
      cases.push_back({.op = "ListDiff",
                       .in = {tensor<std::int32_t>({0}, {}), tensor<std::int32_t>({1}, {1})},
                       .name = "nothing"});
      return cases;
    }};

}  // namespace rill
