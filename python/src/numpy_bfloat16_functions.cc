// NumPy's functions for arrays of bfloat16.
#include "numpy_bfloat16.h"

#include <numpy/ufuncobject.h>

#include <cmath>

namespace rill::python {
namespace {

using UnaryOfElement = float (*)(float);
using BinaryOfElements = float (*)(float, float);
using TestOfElement = bool (*)(float);
using ComparisonOfElements = bool (*)(float, float);

bool import_ufunc_table() {
  import_umath1(false);
  return true;
}

float element_at(const char* at) {
  return static_cast<float>(*reinterpret_cast<const bfloat16*>(at));
}

template <class Result>
void put_element(char* at, Result value) {
  if constexpr (std::is_same_v<Result, bool>)
    *reinterpret_cast<npy_bool*>(at) = value;
  else
    *reinterpret_cast<bfloat16*>(at) = bfloat16(value);
}

// `data` is the address of the function for one element.
template <class F>
void unary_loop(char** args, const npy_intp* dims, const npy_intp* steps, void* data) {
  const F f = *static_cast<const F*>(data);
  for (npy_intp i = 0; i < dims[0]; ++i)
    put_element(args[1] + i * steps[1], f(element_at(args[0] + i * steps[0])));
}
template <class F>
void binary_loop(char** args, const npy_intp* dims, const npy_intp* steps, void* data) {
  const F f = *static_cast<const F*>(data);
  for (npy_intp i = 0; i < dims[0]; ++i)
    put_element(args[2] + i * steps[2],
                f(element_at(args[0] + i * steps[0]), element_at(args[1] + i * steps[1])));
}

// dims: matrices, rows, inner, columns; the last six steps are those of rows and columns.
void matmul_loop(char** args, const npy_intp* dims, const npy_intp* steps, void*) {
  for (npy_intp n = 0; n < dims[0]; ++n)
    for (npy_intp row = 0; row < dims[1]; ++row)
      for (npy_intp column = 0; column < dims[3]; ++column) {
        float sum = 0;
        for (npy_intp k = 0; k < dims[2]; ++k)
          sum += element_at(args[0] + n * steps[0] + row * steps[3] + k * steps[4]) *
                 element_at(args[1] + n * steps[1] + k * steps[5] + column * steps[6]);
        put_element(args[2] + n * steps[2] + row * steps[7] + column * steps[8], sum);
      }
}

template <class F>
struct NumpyFunction {
  const char* name;
  F f;
};

constexpr NumpyFunction<UnaryOfElement> kUnaryOfElements[] = {
    {"negative", [](float x) { return -x; }},
    {"positive", [](float x) { return x; }},
    {"absolute", [](float x) { return std::fabs(x); }},
    {"fabs", [](float x) { return std::fabs(x); }},
    {"sign", [](float x) { return x > 0   ? 1.0f
                                  : x < 0 ? -1.0f
                                          : x; }},
    {"rint", [](float x) { return std::rint(x); }},
    {"floor", [](float x) { return std::floor(x); }},
    {"ceil", [](float x) { return std::ceil(x); }},
    {"trunc", [](float x) { return std::trunc(x); }},
    {"conjugate", [](float x) { return x; }},
    {"square", [](float x) { return x * x; }},
    {"reciprocal", [](float x) { return 1 / x; }},
    {"sqrt", [](float x) { return std::sqrt(x); }},
    {"cbrt", [](float x) { return std::cbrt(x); }},
    {"exp", [](float x) { return std::exp(x); }},
    {"exp2", [](float x) { return std::exp2(x); }},
    {"expm1", [](float x) { return std::expm1(x); }},
    {"log", [](float x) { return std::log(x); }},
    {"log2", [](float x) { return std::log2(x); }},
    {"log10", [](float x) { return std::log10(x); }},
    {"log1p", [](float x) { return std::log1p(x); }},
    {"sin", [](float x) { return std::sin(x); }},
    {"cos", [](float x) { return std::cos(x); }},
    {"tan", [](float x) { return std::tan(x); }},
    {"arcsin", [](float x) { return std::asin(x); }},
    {"arccos", [](float x) { return std::acos(x); }},
    {"arctan", [](float x) { return std::atan(x); }},
    {"sinh", [](float x) { return std::sinh(x); }},
    {"cosh", [](float x) { return std::cosh(x); }},
    {"tanh", [](float x) { return std::tanh(x); }},
    {"arcsinh", [](float x) { return std::asinh(x); }},
    {"arccosh", [](float x) { return std::acosh(x); }},
    {"arctanh", [](float x) { return std::atanh(x); }},
};
constexpr NumpyFunction<BinaryOfElements> kBinaryOfElements[] = {
    {"add", [](float a, float b) { return a + b; }},
    {"subtract", [](float a, float b) { return a - b; }},
    {"multiply", [](float a, float b) { return a * b; }},
    {"divide", [](float a, float b) { return a / b; }},
    {"floor_divide", [](float a, float b) { return std::floor(a / b); }},
    {"remainder",
     [](float a, float b) {
       const float rest = std::fmod(a, b);
       return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
     }},
    {"fmod", [](float a, float b) { return std::fmod(a, b); }},
    {"power", [](float a, float b) { return std::pow(a, b); }},
    {"float_power", [](float a, float b) { return std::pow(a, b); }},
    {"maximum", [](float a, float b) { return a != a || a > b ? a : b; }},
    {"minimum", [](float a, float b) { return a != a || a < b ? a : b; }},
    {"fmax", [](float a, float b) { return std::fmax(a, b); }},
    {"fmin", [](float a, float b) { return std::fmin(a, b); }},
    {"arctan2", [](float a, float b) { return std::atan2(a, b); }},
    {"hypot", [](float a, float b) { return std::hypot(a, b); }},
    {"copysign", [](float a, float b) { return std::copysign(a, b); }},
};
constexpr NumpyFunction<TestOfElement> kTestsOfElements[] = {
    {"isnan", [](float x) { return std::isnan(x); }},
    {"isinf", [](float x) { return std::isinf(x); }},
    {"isfinite", [](float x) { return std::isfinite(x); }},
    {"signbit", [](float x) { return std::signbit(x); }},
    {"logical_not", [](float x) { return x == 0; }},
};
constexpr NumpyFunction<ComparisonOfElements> kComparisonsOfElements[] = {
    {"equal", [](float a, float b) { return a == b; }},
    {"not_equal", [](float a, float b) { return a != b; }},
    {"less", [](float a, float b) { return a < b; }},
    {"less_equal", [](float a, float b) { return a <= b; }},
    {"greater", [](float a, float b) { return a > b; }},
    {"greater_equal", [](float a, float b) { return a >= b; }},
    {"logical_and", [](float a, float b) { return a != 0 && b != 0; }},
    {"logical_or", [](float a, float b) { return a != 0 || b != 0; }},
    {"logical_xor", [](float a, float b) { return (a != 0) != (b != 0); }},
};

struct LoopRegistration {
  nb::module_ numpy;
  int type;

  void loop(const char* name, PyUFuncGenericFunction run, std::initializer_list<int> types,
            const void* data) {
    nb::object function = numpy.attr(name);
    if (PyUFunc_RegisterLoopForType(reinterpret_cast<PyUFuncObject*>(function.ptr()), type, run,
                                    types.begin(), const_cast<void*>(data)) < 0)
      throw nb::python_error();
  }
};

}  // namespace

void register_bfloat16_functions(int type) {
  if (!import_ufunc_table()) throw nb::python_error();
  LoopRegistration to{nb::module_::import_("numpy"), type};
  for (const auto& f : kUnaryOfElements)
    to.loop(f.name, unary_loop<UnaryOfElement>, {type, type}, &f.f);
  for (const auto& f : kBinaryOfElements)
    to.loop(f.name, binary_loop<BinaryOfElements>, {type, type, type}, &f.f);
  for (const auto& f : kTestsOfElements)
    to.loop(f.name, unary_loop<TestOfElement>, {type, NPY_BOOL}, &f.f);
  for (const auto& f : kComparisonsOfElements)
    to.loop(f.name, binary_loop<ComparisonOfElements>, {type, type, NPY_BOOL}, &f.f);
  to.loop("matmul", matmul_loop, {type, type, type}, nullptr);
}

}  // namespace rill::python
