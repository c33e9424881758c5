#include "tests/optest/op_case.h"

namespace rill {
namespace {

Tensor ints(std::initializer_list<std::int32_t> v) {
  return tensor<std::int32_t>({static_cast<std::int64_t>(v.size())}, v);
}

void add_rows(std::vector<OpCase>& cases, const char* op, bool any_type) {
  for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i8, DType::i16,
                           DType::i32, DType::i64, DType::u8, DType::u16, DType::c64, DType::c128})
    cases.push_back(
        {.op = op,
         .in = {random(type, {4, 3}, 1, 1, 50), ints({2, 0}), random(type, {2, 3}, 2, 1, 50)}});
  cases.push_back(
      {.op = op, .in = {sequence<float>({3, 2}), ints({0, 2, 0}), sequence<float>({3, 2}, 10)}});
  cases.push_back(
      {.op = op, .in = {sequence<float>({3}), ints({-1, 5, -7}), sequence<float>({3}, 10)}});
  cases.push_back({.op = op, .in = {sequence<float>({3, 2}), ints({}), tensor<float>({0, 2}, {})}});
  cases.push_back(
      {.op = op, .in = {tensor<float>({0, 2}, {}), ints({0}), tensor<float>({1, 2}, {1, 2})}});
  if (any_type) {
    cases.push_back(
        {.op = op, .in = {strings({2, 1}, {"a", "b"}), ints({1}), strings({1, 1}, {"c"})}});
    cases.push_back(
        {.op = op, .in = {tensor<bool>({2}, {true, false}), ints({1}), tensor<bool>({1}, {true})}});
  } else {
    cases.push_back({.op = op,
                     .in = {strings({2, 1}, {"a", "b"}), ints({1}), strings({1, 1}, {"c"})},
                     .error = "Unsupported data type: string"});
  }
}

void add_inplace_errors(std::vector<OpCase>& cases, const char* op) {
  const Tensor x = sequence<float>({3, 2});
  const auto fails = [&](Tensor i, Tensor v, const char* error) {
    cases.push_back({.op = op, .in = {x, std::move(i), std::move(v)}, .error = error});
  };
  fails(scalar<std::int32_t>(1), sequence<float>({2}), "i must be a vector. \\[\\]");
  fails(ints({1}), sequence<float>({3, 2}), "i and x shape doesn't match at index 0: \\[1\\]");
  fails(ints({1}), sequence<float>({1, 3}), "x and v shape doesn't match at index 1");
  fails(ints({1}), sequence<float>({2}), "x and v shape doesn't match \\(ranks differ\\)");
}

}  // namespace

extern const OpCases kInplaceCases{
    "inplace", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"InplaceUpdate", "InplaceAdd", "InplaceSub"}) {
        add_rows(cases, op, op == std::string("InplaceUpdate"));
        add_inplace_errors(cases, op);
      }
      for (const DType type : {DType::f16, DType::f32, DType::f64, DType::i32, DType::i64,
                               DType::u8, DType::boolean, DType::string}) {
        cases.push_back(
            {.op = "Empty", .in = {ints({2, 3})}, .attrs = {{"dtype", type}, {"init", true}}});
        cases.push_back({.op = "Empty",
                         .in = {ints({3, 0, 2})},
                         .attrs = {{"dtype", type}},
                         .compare = Compare::kShapes});
      }
      cases.push_back({.op = "Empty",
                       .in = {ints({2, 3})},
                       .attrs = {{"dtype", DType::f32}},
                       .compare = Compare::kShapes});
      cases.push_back(
          {.op = "Empty", .in = {ints({2, -3})}, .attrs = {{"dtype", DType::f32}}, .error = "-3"});
      cases.push_back({.op = "Empty",
                       .in = {scalar<std::int32_t>(2)},
                       .attrs = {{"dtype", DType::f32}},
                       .error = "Shape must be rank 1 but is rank 0"});
      cases.push_back({.op = "DeepCopy", .in = {sequence<float>({2, 3})}});
      cases.push_back({.op = "DeepCopy", .in = {strings({2}, {"a", "b"})}});
      return cases;
    }};

}  // namespace rill
