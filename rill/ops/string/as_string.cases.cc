#include "tests/optest/op_case.h"

namespace rill {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

const std::vector<AttrMap>& formats() {
  static const std::vector<AttrMap> all = {
      {},
      {{"width", 12}},
      {{"width", 0}},
      {{"width", -2}},
      {{"width", 14}, {"fill", "0"}},
      {{"width", 14}, {"fill", "-"}},
      {{"width", 14}, {"fill", "+"}},
      {{"width", 14}, {"fill", " "}},
      {{"width", 14}, {"fill", "#"}},
      {{"width", 300}},
      {{"fill", "+"}},
      {{"fill", " "}},
      {{"fill", "#"}},
      {{"precision", -2}},
  };
  return all;
}

void add_formats(std::vector<OpCase>& cases, const Tensor& x) {
  for (const AttrMap& format : formats())
    cases.push_back({.op = "AsString", .in = {x}, .attrs = format});
}

void add_float_formats(std::vector<OpCase>& cases, const Tensor& x) {
  add_formats(cases, x);
  for (const char* notation : {"none", "scientific", "shortest"})
    for (const int precision : {-1, 0, 3, 30, 200})
      for (const char* fill : {"", "#"}) {
        AttrMap format = {{"precision", precision}, {"fill", fill}};
        if (notation[0] != 'n') format[notation] = true;
        cases.push_back({.op = "AsString", .in = {x}, .attrs = format});
      }
  cases.push_back({.op = "AsString",
                   .in = {x},
                   .attrs = {{"scientific", true}, {"shortest", true}},
                   .error = "Cannot select both scientific and shortest notation"});
}

template <class T>
Tensor complex_numbers() {
  return tensor<std::complex<T>>({3}, {{1, -2.5}, {T(0.1), 0}, {T(kNan), T(-kInf)}});
}

}  // namespace

extern const OpCases kAsStringCases{
    "as_string", [] {
      std::vector<OpCase> cases;
      for (const DType type : {DType::i8, DType::i16, DType::i32, DType::i64}) {
        add_formats(cases, values(type, {2, 3}, {0, 1, -1, 127, -128, 42}));
        const Tensor one = values(type, {1}, {1});
        for (const char* notation : {"scientific", "shortest"})
          cases.push_back({.op = "AsString",
                           .in = {one},
                           .attrs = {{notation, true}},
                           .error = "scientific and shortest format not supported for datatype"});
        cases.push_back({.op = "AsString",
                         .in = {one},
                         .attrs = {{"precision", 0}},
                         .error = "precision not supported for datatype"});
      }
      for (const DType type : {DType::f32, DType::f64})
        add_float_formats(cases,
                          values(type, {9}, {0, -0.0, 1.5, -0.1, 2.5, 1e30, 1e-30, kInf, -kInf}));
      cases.push_back(
          {.op = "AsString", .in = {values(DType::f64, {3}, {1e300, kNan, 12345678.9})}});
      cases.push_back(
          {.op = "AsString",
           .in = {tensor<std::int64_t>({2}, {std::numeric_limits<std::int64_t>::min(),
                                             std::numeric_limits<std::int64_t>::max()})}});
      add_float_formats(cases, complex_numbers<float>());
      add_float_formats(cases, complex_numbers<double>());
      add_formats(cases, tensor<bool>({2}, {true, false}));
      cases.push_back({.op = "AsString", .in = {tensor<float>({0, 2}, {})}});
      cases.push_back({.op = "AsString", .in = {sequence<float>({3000}, -20, 0.37)}});
      const Tensor one = scalar<float>(1);
      cases.push_back({.op = "AsString",
                       .in = {one},
                       .attrs = {{"fill", "x"}},
                       .error = "Fill argument not supported: \"x\""});
      cases.push_back({.op = "AsString",
                       .in = {one},
                       .attrs = {{"fill", "00"}},
                       .error = "Fill string must be one or fewer characters"});
      return cases;
    }};

}  // namespace rill
