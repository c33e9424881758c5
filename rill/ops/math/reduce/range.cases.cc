#include "tests/optest/op_case.h"

namespace rill {
namespace {

OpCase range(DType type, double start, double limit, double delta) {
  return {.op = "Range",
          .in = {values(type, {}, {start}), values(type, {}, {limit}), values(type, {}, {delta})}};
}

}  // namespace

extern const OpCases kRangeCases{
    "range", [] {
      std::vector<OpCase> cases;
      for (const DType type : {DType::i32, DType::i64, DType::f32, DType::f64}) {
        cases.push_back(range(type, 3, 18, 3));
        cases.push_back(range(type, 3, 1, -1));
        cases.push_back(range(type, 0, 7, 2));
        cases.push_back(range(type, 4, 4, 1));
      }
      cases.push_back(range(DType::f32, 0, 1, 0.1));
      const auto failing = [&](OpCase c, const char* error) {
        c.error = error;
        cases.push_back(c);
      };
      failing(range(DType::i32, 5, 3, 1), "Requires start <= limit when delta > 0: 5/3");
      failing(range(DType::i32, 3, 5, -1), "Requires start >= limit when delta < 0: 3/5");
      failing(range(DType::i32, 5, 3, 0), "Requires delta != 0");
      for (const DType type : {DType::f32, DType::f64})
        for (const int num : {1, 2, 5})
          cases.push_back({.op = "LinSpace",
                           .in = {values(type, {}, {0.1}), values(type, {}, {1.3}),
                                  scalar<std::int32_t>(num)}});
      cases.push_back({.op = "LinSpace",
                       .in = {scalar<float>(0), scalar<float>(1), scalar<std::int32_t>(0)},
                       .error = "Requires num > 0: 0"});
      for (const DType type : {DType::f32, DType::f64})
        for (const int num : {1003, 200001})
          cases.push_back(
              {.op = "LinSpace",
               .in = {values(type, {}, {-3}), values(type, {}, {7.7}), scalar<std::int32_t>(num)},
               .atol = 1e-6});
      return cases;
    }};

}  // namespace rill
