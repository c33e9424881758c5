#include "tests/optest/op_case.h"

namespace rill {
namespace {

OpCase shuffle(Tensor value, std::int64_t seed2 = 1) {
  return {.op = "RandomShuffle",
          .in = {std::move(value)},
          .attrs = {{"seed", 87654321}, {"seed2", seed2}},
          .rtol = 0};
}

}  // namespace

extern const OpCases kRandomShuffleCases{
    "random_shuffle", [] {
      std::vector<OpCase> cases;
      for (const std::int64_t size : {0, 1, 2, 5, 8, 1001})
        cases.push_back(shuffle(sequence<std::int32_t>({size})));
      cases.push_back(shuffle(sequence<std::int64_t>({9, 2, 3}), 5));
      cases.push_back(shuffle(sequence<float>({4, 0})));
      cases.push_back(shuffle(sequence<double>({1, 4})));
      cases.push_back(shuffle(scalar<float>(3)));
      cases.push_back(shuffle(strings({5}, {"a", "b", "c", "d", "e"})));
      cases.push_back(shuffle(strings({3, 2}, {"a", "b", "c", "d", "e", "f"})));
      for (const DType type : {DType::boolean, DType::u8, DType::f16, DType::c128})
        cases.push_back(shuffle(random(type, {6}, 3, -9, 9), 8));
      return cases;
    }};

}  // namespace rill
