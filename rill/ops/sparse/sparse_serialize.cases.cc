#include "rill/ops/sparse/sparse_case.h"
#include "rill/ops/sparse/tensor_bytes.h"

namespace rill {
namespace {

void add_written(std::vector<OpCase>& cases, const char* op) {
  const auto add = [&](Tensor indices, Tensor values, Tensor shape, const char* error = "") {
    cases.push_back({.op = op,
                     .in = {std::move(indices), std::move(values), std::move(shape)},
                     .error = error});
  };
  const Tensor at = places(2, {0, 1, 2, 0}), two = floats({1, 2}), shape = dims({3, 3});
  for (const DType type :
       {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32,
        DType::i64, DType::u8, DType::u16, DType::c64, DType::c128, DType::boolean})
    add(at, random(type, {2}, 1, 0, 9), shape);
  add(at, strings({2}, {"a", "bcd"}), shape);
  add(places(2, {}), floats({}), shape);
  add(places(3, {0, 1, 0, 1, 0, 1}), two, dims({2, 2, 2}));
  add(longs({1}, {0}), two, shape, "matrix|rank");
}

void add_many_errors(std::vector<OpCase>& cases) {
  const auto fails = [&](Tensor indices, Tensor values, Tensor shape, const char* error) {
    cases.push_back({.op = "SerializeManySparse",
                     .in = {std::move(indices), std::move(values), std::move(shape)},
                     .error = error});
  };
  const Tensor at = places(2, {0, 1, 2, 0}), two = floats({1, 2}), shape = dims({3, 3});
  fails(at, floats({1}), shape, "match|equal");
  fails(places(2, {0, 1, 9, 0}), two, shape,
        "\\[9,0\\] is out of bounds: need 0 <= index < \\[3,3\\]");
  fails(places(2, {0, 1, 0, -9}), two, shape, "out of bounds");
  fails(places(2, {2, 1, 0, 0}), two, shape, "\\[0,0\\] is out of order");
  fails(places(1, {0, 1}), two, dims({2}), "should be > 1, but saw rank: 1");
  fails(at, two, dims({-3, 3}), "-3");
  fails(at, two, dims({kHuge, kHuge}), "overflow|more than");
}

// Three elements that hold a sparse tensor.
std::vector<std::string> written(const Tensor& indices, const Tensor& values, const Tensor& shape) {
  return {to_bytes(indices), to_bytes(values), to_bytes(shape)};
}

Tensor serialized(Shape shape, const std::vector<std::vector<std::string>>& parts) {
  std::vector<std::string> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return Tensor::of<std::string>(std::move(shape), std::span<const std::string>(all));
}

void add_read(std::vector<OpCase>& cases) {
  const auto add = [&](const char* op, Tensor in, DType type, const char* error = "") {
    cases.push_back({.op = op, .in = {std::move(in)}, .attrs = {{"dtype", type}}, .error = error});
  };
  const auto first = written(places(2, {0, 1, 2, 0}), floats({1, 2}), dims({3, 3}));
  const auto second = written(places(2, {1, 0}), floats({5}), dims({2, 4}));
  const auto empty = written(places(2, {}), floats({}), dims({1, 7}));
  const auto words = written(places(1, {2}), strings({1}, {"x"}), dims({3}));
  for (const char* op : {"DeserializeSparse", "DeserializeManySparse"}) {
    add(op, serialized({2, 3}, {first, second}), DType::f32);
    add(op, serialized({3, 3}, {second, empty, first}), DType::f32);
    add(op, serialized({1, 3}, {first}), DType::f32);
    add(op, serialized({2, 3}, {words, words}), DType::string);
    add(op, serialized({2, 3}, {first, second}), DType::f64,
        "Requested SparseTensor of type double");
    add(op, serialized({2, 3}, {first, written(places(1, {2}), floats({1}), dims({3}))}),
        DType::f32, "[Ii]nconsistent (rank|shape)");
    add(op, serialized({1, 3}, {{"a", "b", "c"}}), DType::f32, "Could not parse");
    add(op, serialized({1, 3}, {{first[1], first[1], first[2]}}), DType::f32, "index matrix");
    add(op, serialized({1, 3}, {{first[0], second[1], first[2]}}), DType::f32,
        "match|equal|Expected");
    add(op, serialized({1, 3}, {{first[0], first[1], words[2]}}), DType::f32,
        "rank|match|Expected");
    add(op, serialized({1, 2}, {{first[0], first[1]}}), DType::f32, "3");
    add(op, serialized({0, 3}, {}), DType::f32, "at least 1 serialized");
  }
  add("DeserializeSparse", serialized({3}, {first}), DType::f32);
  add("DeserializeSparse", serialized({2, 1, 3}, {first, second}), DType::f32);
  add("DeserializeSparse", serialized({2, 2, 3}, {first, second, empty, second}), DType::f32);
}

}  // namespace

extern const OpCases kSparseSerializeCases{"sparse_serialize", [] {
                                             std::vector<OpCase> cases;
                                             add_written(cases, "SerializeSparse");
                                             add_written(cases, "SerializeManySparse");
                                             add_many_errors(cases);
                                             add_read(cases);
                                             return cases;
                                           }};

}  // namespace rill
