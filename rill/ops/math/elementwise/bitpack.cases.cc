#include "tests/optest/op_case.h"

namespace rill {

// TensorFlow 2.15 has no such op, so the answers stand here; tests/script/math/bitpack.test has the
// errors.
extern const OpCases kBitpackCases{
    "bitpack", [] {
      std::vector<OpCase> cases;
      const char* op = "CompareAndBitpack";
      for (const DType type :
           {DType::f16, DType::f32, DType::f64, DType::i8, DType::i16, DType::i32, DType::i64}) {
        cases.push_back({.op = op,
                         .in = {values(type, {2, 8},
                                       {1, 2, 3, 4, 5, 6, 7, 8,  //
                                        9, -9, 4, -4, 9, 9, 0, 100}),
                                filled(type, {}, 4)},
                         .want = {tensor<std::uint8_t>({2, 1}, {0x0f, 0x8d})}});
        cases.push_back({.op = op,
                         .in = {sequence(type, {1, 16}, -8), filled(type, {}, -5)},
                         .want = {tensor<std::uint8_t>({1, 2}, {0x0f, 0xff})}});
      }
      const Tensor flags = tensor<bool>({8}, {true, false, true, false, false, true, true, true});
      cases.push_back({.op = op,
                       .in = {flags, scalar<bool>(false)},
                       .want = {tensor<std::uint8_t>({1}, {0xa7})}});
      cases.push_back(
          {.op = op, .in = {flags, scalar<bool>(true)}, .want = {tensor<std::uint8_t>({1}, {0})}});
      cases.push_back({.op = op,
                       .in = {tensor<float>({8}, {NAN, 1, INFINITY, -INFINITY, -0.0f, 0, 1, NAN}),
                              scalar<float>(0)},
                       .want = {tensor<std::uint8_t>({1}, {0x62})}});
      cases.push_back({.op = op,
                       .in = {tensor<float>({2, 0}, {}), scalar<float>(0)},
                       .want = {tensor<std::uint8_t>({2, 0}, {})}});
      return cases;
    }};

}  // namespace rill
