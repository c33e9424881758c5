#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kConstantCases{
    "constant", [] {
      return std::vector<OpCase>{
          {.op = "Const", .attrs = {{"value", sequence<float>({2, 2})}, {"dtype", DType::f32}}},
          {.op = "Const", .attrs = {{"value", strings({2}, {"a", ""})}, {"dtype", DType::string}}},
          {.op = "Const", .attrs = {{"value", sequence<double>({0})}, {"dtype", DType::f64}}},
          {.op = "HostConst", .attrs = {{"value", sequence<float>({2, 2})}, {"dtype", DType::f32}}},
          {.op = "HostConst",
           .attrs = {{"value", strings({2}, {"a", ""})}, {"dtype", DType::string}}},
      };
    }};

}  // namespace rill
