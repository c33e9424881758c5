#include "tests/optest/op_case.h"

// TensorFlow 2.15 has no such ops: what is wanted is worked out by hand, and
// tests/python/test_image.py has the errors.
namespace rill {

extern const OpCases kResamplerCases{
    "resampler", [] {
      std::vector<OpCase> cases;
      for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64}) {
        // One image [[0, 1], [2, 3]] with twice as much in a second channel.
        const Tensor image = values(type, {1, 2, 2, 2}, {0, 0, 1, 2, 2, 4, 3, 6});
        // A pixel, the middle, half outside on the right, just outside, far away.
        const Tensor warp = values(type, {1, 5, 2}, {1, 0, 0.5, 0.5, 1.5, 1, -1, 0, 9, 9});
        cases.push_back({.op = "Resampler",
                         .in = {image, warp},
                         .grad = false,  // at corners the slope jumps
                         .want = {values(type, {1, 5, 2}, {1, 2, 1.5, 3, 1.5, 3, 0, 0, 0, 0})}});
        const Tensor grad = values(type, {1, 2, 2}, {1, 0, 0, 2});
        const Tensor inside = values(type, {1, 2, 2}, {0.5, 0.25, 9, 9});
        cases.push_back(
            {.op = "ResamplerGrad",
             .in = {image, inside, grad},
             .want = {values(type, {1, 2, 2, 2}, {0.375, 0, 0.375, 0, 0.125, 0, 0.125, 0}),
                      values(type, {1, 2, 2}, {1, 2, 0, 0})}});
      }
      const Tensor between = random(DType::f64, {2, 3, 2}, 2, 0.2, 0.8);
      cases.push_back({.op = "Resampler",
                       .in = {filled(DType::f64, {2, 4, 5, 3}, 7), between},
                       .want = {filled(DType::f64, {2, 3, 3}, 7)}});
      cases.push_back({.op = "Resampler",
                       .in = {Tensor(DType::f32, {0, 4, 5, 3}), Tensor(DType::f32, {0, 3, 2})},
                       .grad = false,
                       .want = {Tensor(DType::f32, {0, 3, 3})}});
      return cases;
    }};

}  // namespace rill
