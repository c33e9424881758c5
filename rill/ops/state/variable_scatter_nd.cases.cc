#include "tests/optest/op_case.h"

namespace rill {
namespace {

void add_cases(std::vector<OpCase>& cases, const char* op, CaseInput (*variable)(Tensor)) {
  using I = std::int32_t;
  for (const DType type : {DType::f32, DType::f64, DType::i32})
    cases.push_back({.op = op,
                     .in = {variable(random(type, {4, 2}, 1, 0, 9)), tensor<I>({3, 1}, {3, 0, 2}),
                            random(type, {3, 2}, 2, 0, 9)}});
  cases.push_back({.op = op,
                   .in = {variable(random<float>({2, 3}, 1)),
                          tensor<std::int64_t>({2, 2}, {0, 1, 1, 0}), random<float>({2}, 2)}});
  cases.push_back(
      {.op = op,
       .in = {variable(random<float>({2, 3}, 1)), tensor<I>({1, 1}, {2}), random<float>({1, 3}, 2)},
       .error = "does not index into shape \\[2,3\\]"});
  cases.push_back(
      {.op = op,
       .in = {variable(random<float>({2, 3}, 1)), tensor<I>({1, 1}, {0}), random<float>({1, 2}, 2)},
       .error = "[Mm]ust"});
}

}  // namespace

extern const OpCases kVariableScatterNdCases{
    "variable_scatter_nd", [] {
      std::vector<OpCase> cases;
      for (const char* op : {"ScatterNdAdd", "ScatterNdSub", "ScatterNdUpdate"})
        add_cases(cases, op, ref);
      for (const char* op :
           {"ResourceScatterNdAdd", "ResourceScatterNdSub", "ResourceScatterNdUpdate"})
        add_cases(cases, op, resource);
      return cases;
    }};

}  // namespace rill
