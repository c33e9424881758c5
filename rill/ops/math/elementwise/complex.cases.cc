#include "tests/optest/op_case.h"

namespace rill {

extern const OpCases kComplexCases{
    "complex", [] {
      std::vector<OpCase> cases;
      const Tensor single = random<std::complex<float>>({3, 5}, 1),
                   wide = random<std::complex<double>>({3, 5}, 2);
      for (const char* op : {"Real", "Imag", "Angle", "ComplexAbs"}) {
        cases.push_back({.op = op, .in = {single}});
        cases.push_back({.op = op, .in = {wide}, .attrs = {{"Tout", DType::f64}}});
      }
      cases.push_back({.op = "Conj", .in = {single}});
      cases.push_back({.op = "Conj", .in = {wide}});
      cases.push_back({.op = "Complex", .in = {random<float>({3, 5}, 3), random<float>({5}, 4)}});
      cases.push_back({.op = "Complex",
                       .in = {random<double>({3}, 3), scalar<double>(2)},
                       .attrs = {{"Tout", DType::c128}}});
      return cases;
    }};

}  // namespace rill
