#include "rill/ops/sparse/sparse_case.h"

namespace rill {
namespace {

void add_map_op(std::vector<OpCase>& cases, const char* op) {
  const auto add = [&](Tensor indices, Tensor values, Tensor shape, const char* error = "") {
    cases.push_back({.op = op,
                     .in = {std::move(indices), std::move(values), std::move(shape)},
                     .error = error});
  };
  const Tensor at = places(2, {0, 1, 2, 0}), two = floats({1, 2}), shape = dims({3, 3});
  for (const DType type : {DType::f16, DType::f32, DType::i64, DType::c128, DType::boolean})
    add(at, random(type, {2}, 1, 0, 9), shape);
  add(at, strings({2}, {"a", "bcd"}), shape);
  add(places(2, {}), floats({}), shape);
  add(at, floats({1}), shape, "match|equal");
  add(at, two, dims({3, 3, 3}), "match|rank|equal");
  add(longs({1}, {0}), two, shape, "matrix|rank");
  add(at, two, dims({-3, 3}), "-3");
  add(at, two, dims({kHuge, kHuge}), "overflow|more than");
}

}  // namespace

extern const OpCases kSparseTensorsMapCases{
    "sparse_tensors_map", [] {
      std::vector<OpCase> cases;
      add_map_op(cases, "AddSparseToTensorsMap");
      add_map_op(cases, "AddManySparseToTensorsMap");
      cases.push_back({.op = "AddManySparseToTensorsMap",
                       .in = {places(1, {0, 1}), floats({1, 2}), dims({2})},
                       .error = "should be > 1, but saw rank: 1"});
      cases.push_back({.op = "AddManySparseToTensorsMap",
                       .in = {places(2, {0, 1, 9, 0}), floats({1, 2}), dims({3, 3})},
                       .error = "out of bounds"});
      cases.push_back({.op = "TakeManySparseFromTensorsMap",
                       .in = {dims({0})},
                       .attrs = {{"dtype", DType::f32}, {"shared_name", "nobody"}},
                       .error = "nobody"});
      return cases;
    }};

}  // namespace rill
