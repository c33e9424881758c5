#include "rill/ops/sparse/sparse_case.h"

namespace rill {
namespace {

constexpr DType kTypes[] = {DType::i8, DType::i16, DType::i32, DType::i64, DType::u8, DType::u16};
constexpr const char* kOperations[] = {"a-b", "b-a", "intersection", "union"};

void add_sizes(std::vector<OpCase>& cases) {
  const auto add = [&](Tensor indices, Tensor values, Tensor shape, bool validate = true,
                       const char* error = "") {
    cases.push_back({.op = "SetSize",
                     .in = {std::move(indices), std::move(values), std::move(shape)},
                     .attrs = {{"validate_indices", validate}},
                     .error = error});
  };
  const Tensor at = places(2, {0, 0, 0, 1, 1, 0}), three = dims({1, 1, 3}), shape = dims({3, 2});
  for (const DType type : kTypes) add(at, values(type, {3}, {1, 1, 3}), shape);
  add(at, strings({3}, {"a", "b", "a"}), shape);
  add(places(3, {0, 0, 1, 0, 1, 0, 1, 1, 1}), three, dims({2, 2, 2}));
  add(places(2, {}), dims({}), shape);
  add(places(2, {0, 0, 1, 1, 0, 1}), three, shape, false);
  add(places(2, {0, 0, 1, 1, 0, 1}), three, shape, true, "is out of order");
  add(places(2, {0, 0, 0, 1, 5, 0}), three, shape, true,
      "indices\\[2\\] = \\[5,0\\] is out of bounds: need 0 <= index < \\[3,2\\]");
  add(places(2, {0, 0, 0, 0, 1, 0}), three, shape, true, "is repeated");
  add(places(1, {0, 1, 2}), three, dims({3}), true, "rank");
  add(at, dims({1}), shape, true, "match|equal");
  add(at, three, dims({-3, 2}), true, "-3");
  add(places(3, {0, 0, 0}), dims({1}), dims({kHuge, kHuge, 2}), true, "overflow|more than");
}

void add_dense(std::vector<OpCase>& cases) {
  const auto add = [&](Tensor a, Tensor b, const char* operation, const char* error = "") {
    cases.push_back({.op = "DenseToDenseSetOperation",
                     .in = {std::move(a), std::move(b)},
                     .attrs = {{"set_operation", operation}},
                     .error = error});
  };
  for (const DType type : kTypes)
    add(values(type, {2, 2}, {1, 5, 3, 3}), values(type, {2, 3}, {3, 2, 5, 1, 3, 9}), "union");
  const Tensor a = longs({2, 2}, {1, 5, 3, 3}), b = longs({2, 3}, {3, 1, 1, 3, 9, -7});
  for (const char* operation : kOperations) {
    add(a, b, operation);
    add(strings({2, 2}, {"a", "b", "b", ""}), strings({2, 1}, {"b", "c"}), operation);
    add(longs({2, 2, 1}, {1, 2, 3, 4}), longs({2, 2, 2}, {1, 1, 3, 2, 4, 4, 5, 4}), operation);
    add(longs({2, 0}, {}), b, operation);
    // More rows than one block of them.
    add(random<std::int32_t>({2, 75, 6}, 1, 0, 9), random<std::int32_t>({2, 75, 4}, 2, 0, 9),
        operation);
    // Few enough for one way to make a set, and too many.
    for (const std::int64_t width : {32, 33})
      add(random<std::int64_t>({2, width}, 3, -20, 20), random<std::int64_t>({2, 30}, 4, -20, 20),
          operation);
  }
  add(longs({0, 2}, {}), longs({0, 2}, {}), "union");
  add(longs({2, 0}, {}), longs({2, 0}, {}), "union");
  add(a, b, "zz", "Invalid set_operation zz");
  add(a, longs({1, 2}, {1, 2}), "union", "Mismatched shapes \\[2\\] vs \\[1\\]|equal|match");
  add(a, longs({2}, {1, 2}), "union", "rank");
  add(a, longs({2, 1, 1}, {1, 2}), "union", "rank|atch");
}

void add_mixed(std::vector<OpCase>& cases) {
  const auto add = [&](Tensor a, Tensor indices, Tensor values, Tensor shape, const char* operation,
                       bool validate = true, const char* error = "") {
    cases.push_back({.op = "DenseToSparseSetOperation",
                     .in = {std::move(a), std::move(indices), std::move(values), std::move(shape)},
                     .attrs = {{"set_operation", operation}, {"validate_indices", validate}},
                     .error = error});
  };
  const Tensor a = longs({2, 2}, {1, 5, 3, 3}), at = places(2, {0, 0, 0, 1, 1, 0}),
               three = dims({3, 1, 3}), shape = dims({2, 2});
  for (const DType type : kTypes)
    add(values(type, {2, 2}, {1, 5, 3, 3}), at, values(type, {3}, {3, 1, 3}), shape, "union");
  for (const char* operation : kOperations) {
    add(a, at, three, shape, operation);
    add(strings({2, 1}, {"a", "b"}), at, strings({3}, {"b", "a", "a"}), shape, operation);
    add(a, places(2, {}), dims({}), shape, operation);
    add(longs({2, 0}, {}), at, three, shape, operation);
  }
  add(a, places(2, {0, 0, 0, 1, 5, 0}), three, shape, "union", false);
  add(a, at, three, dims({3, 2}), "union", true, "Mismatched shapes|equal|match");
  add(a, places(2, {0, 0, 1, 1, 0, 1}), three, shape, "union", true, "out of order");
  add(a, places(2, {0, 0, 0, 1, 5, 0}), three, shape, "union", true, "out of bounds");
  add(a, at, dims({1}), shape, "union", true, "match|equal");
  add(a, at, three, dims({2, -1}), "union", true, "-1");
}

void add_sparse(std::vector<OpCase>& cases) {
  const auto add = [&](Tensor at1, Tensor x, Tensor shape1, Tensor at2, Tensor y, Tensor shape2,
                       const char* operation, bool validate = true, const char* error = "") {
    cases.push_back({.op = "SparseToSparseSetOperation",
                     .in = {std::move(at1), std::move(x), std::move(shape1), std::move(at2),
                            std::move(y), std::move(shape2)},
                     .attrs = {{"set_operation", operation}, {"validate_indices", validate}},
                     .error = error});
  };
  const Tensor at = places(2, {0, 0, 0, 1, 1, 0}), other = places(2, {0, 0, 0, 2, 2, 0});
  const Tensor x = dims({3, 2, 1}), y = dims({3, 5, 7}), shape = dims({3, 2}), wide = dims({3, 3});
  for (const DType type : kTypes)
    add(at, values(type, {3}, {3, 2, 1}), shape, other, values(type, {3}, {3, 5, 7}), wide,
        "union");
  for (const char* operation : kOperations) {
    add(at, x, shape, other, y, wide, operation);
    add(at, strings({3}, {"a", "b", "c"}), shape, other, strings({3}, {"b", "x", "y"}), wide,
        operation);
    add(at, x, shape, places(2, {}), dims({}), wide, operation);
    add(places(2, {}), dims({}), shape, places(2, {}), dims({}), wide, operation);
  }
  add(at, x, dims({2, 2}), other, y, wide, "union", true, "Mismatched shapes|equal|match");
  add(places(2, {0, 0, 1, 1, 0, 1}), x, shape, other, y, wide, "union", true, "out of order");
  add(at, x, shape, places(2, {0, 0, 0, 1, 5, 0}), y, wide, "union", true, "out of bounds");
  add(places(2, {0, 0, 1, 1, 0, 1}), x, shape, other, y, wide, "union", false);
  add(at, dims({1}), shape, other, y, wide, "union", true, "match|equal");
  add(at, x, shape, places(3, {0, 0, 0}), dims({1}), dims({3, 2, 1}), "union", true, "rank|atch");
}

}  // namespace

extern const OpCases kSetOperationCases{"set_operation", [] {
                                          std::vector<OpCase> cases;
                                          add_sizes(cases);
                                          add_dense(cases);
                                          add_mixed(cases);
                                          add_sparse(cases);
                                          return cases;
                                        }};

}  // namespace rill
