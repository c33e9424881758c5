#include "tests/optest/op_case.h"

namespace rill {
namespace {

Tensor axes(std::initializer_list<double> numbers) {
  return values(DType::i32, {static_cast<std::int64_t>(numbers.size())}, numbers);
}

}  // namespace

extern const OpCases kReduceCases{
    "reduce", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"Sum", "Mean", "Prod", "Max", "Min", "EuclideanNorm"}) {
        const bool ordered = op[0] == 'M' && op[1] != 'e';
        for (const DType type :
             {DType::f16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32, DType::i64,
              DType::u8, DType::u16, DType::c64, DType::c128}) {
          if (ordered && kComplexTypes.contains(type)) continue;
          cases.push_back({.op = op,
                           .in = {random(type, {3, 4}, 1, 1, 3), axes({1})},
                           .rtol = type == DType::f16 ? 5e-3 : -1});
        }
        const Tensor x = random<float>({2, 3, 4, 5}, 2, 0.5, 1.5);
        for (const auto& a : {axes({}), axes({0}), axes({3}), axes({1}), axes({0, 2}), axes({1, 3}),
                              axes({0, 1, 2, 3}), axes({-1, 0}), axes({2, 3}), axes({0, 1})}) {
          cases.push_back({.op = op, .in = {x, a}});
          cases.push_back({.op = op, .in = {x, a}, .attrs = {{"keep_dims", true}}});
        }
        cases.push_back({.op = op, .in = {x, scalar<std::int64_t>(1)}});
        cases.push_back({.op = op, .in = {tensor<float>({0, 3}, {}), axes({0})}, .grad = false});
        cases.push_back({.op = op, .in = {tensor<float>({3, 0}, {}), axes({0})}, .grad = false});
        cases.push_back({.op = op, .in = {tensor<std::int32_t>({0, 3}, {}), axes({0})}});
        cases.push_back({.op = op, .in = {scalar<float>(3), axes({})}});
        cases.push_back({.op = op,
                         .in = {random<float>({3}, 1), axes({1})},
                         .error = "Invalid reduction dimension"});
        cases.push_back({.op = op,
                         .in = {random<float>({3, 3}, 1), axes({1, -1})},
                         .error = "Axes contains duplicate dimension: 1"});
      }
      for (const char* op : {"Sum", "Mean", "Max"}) {
        cases.push_back({.op = op,
                         .in = {random<float>({512, 300}, 3), axes({0})},
                         .atol = 1e-5,
                         .grad = false});
        cases.push_back({.op = op,
                         .in = {random<float>({512, 300}, 3), axes({1})},
                         .atol = 1e-5,
                         .grad = false});
        cases.push_back(
            {.op = op, .in = {random<float>({512, 300}, 3, 0, 1), axes({0, 1})}, .grad = false});
        cases.push_back({.op = op,
                         .in = {random<float>({1000, 3}, 4), axes({0})},
                         .atol = 1e-5,
                         .grad = false});
        cases.push_back({.op = op,
                         .in = {random<double>({7, 1000, 3}, 4), axes({1})},
                         .atol = 1e-12,
                         .grad = false});
      }
      for (const char* op : {"Max", "Min"})
        cases.push_back(
            {.op = op, .in = {tensor<float>({3}, {1, NAN, 2}), axes({0})}, .grad = false});
      cases.push_back({.op = "Mean", .in = {values(DType::u8, {2}, {200, 200}), axes({0})}});
      cases.push_back({.op = "Mean", .in = {values(DType::i32, {3}, {-1, -2, -4}), axes({0})}});
      cases.push_back({.op = "Sum", .in = {values(DType::u8, {2}, {200, 200}), axes({0})}});
      for (const char* op : {"All", "Any"}) {
        const Tensor x = tensor<bool>({2, 3}, {true, false, true, true, true, true});
        for (const auto& a : {axes({}), axes({0}), axes({1}), axes({0, 1})}) {
          cases.push_back({.op = op, .in = {x, a}});
          cases.push_back({.op = op, .in = {x, a}, .attrs = {{"keep_dims", true}}});
        }
        cases.push_back({.op = op, .in = {tensor<bool>({0, 3}, {}), axes({0})}});
      }
      return cases;
    }};

}  // namespace rill
