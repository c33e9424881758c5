#include "tests/optest/op_case.h"

namespace rill {
namespace {

// As tf.nn.gelu of later versions writes it: by tanh, and by erf.
constexpr const char* kByTanh = R"(
  cube = Mul(Mul(in_0, in_0), in_0)
  inner = Mul(0.7978845608, AddV2(in_0, Mul(0.044715, cube)))
  fetch Mul(Mul(0.5, in_0), AddV2(1.0, Tanh(inner))))";
constexpr const char* kByErf = R"(
  fetch Mul(Mul(0.5, in_0), AddV2(1.0, Erf(Mul(in_0, 0.7071067812)))))";

// dy times the slope at x.
constexpr const char* kTanhSlope = R"(
  square = Mul(in_1, in_1)
  t = Tanh(Mul(0.7978845608, AddV2(in_1, Mul(0.044715, Mul(square, in_1)))))
  inner_slope = Mul(0.7978845608, AddV2(1.0, Mul(0.134145, square)))
  left = Mul(0.5, AddV2(1.0, t))
  right = Mul(Mul(Mul(0.5, in_1), Sub(1.0, Mul(t, t))), inner_slope)
  fetch Mul(in_0, AddV2(left, right)))";
constexpr const char* kErfSlope = R"(
  left = Mul(0.5, AddV2(1.0, Erf(Mul(in_1, 0.7071067812))))
  right = Mul(Mul(in_1, 0.3989422804), Exp(Mul(-0.5, Mul(in_1, in_1))))
  fetch Mul(in_0, AddV2(left, right)))";

}  // namespace

extern const OpCases kGeluCases{
    "gelu", [] {
      std::vector<OpCase> rows;
      const Tensor x = random<float>({3, 37}, 1, -4, 4), dy = random<float>({3, 37}, 2);
      rows.push_back({.op = "_Gelu", .in = {x}, .atol = 1e-6, .plain = kByTanh});
      rows.push_back({.op = "_Gelu",
                      .in = {x},
                      .attrs = {{"approximate", false}},
                      .atol = 1e-6,
                      .plain = kByErf});
      rows.push_back({.op = "_GeluTanhGrad", .in = {dy, x}, .atol = 1e-6, .plain = kTanhSlope});
      rows.push_back({.op = "_GeluErfGrad", .in = {dy, x}, .atol = 1e-6, .plain = kErfSlope});
      return rows;
    }};

}  // namespace rill
