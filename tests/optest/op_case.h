#pragma once

#include <complex>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rill/graph/attr.h"
#include "rill/tensor/tensor.h"

namespace rill {

// One argument of the op under test.
struct CaseInput {
  enum class Kind : std::uint8_t { kValue, kList, kRefVariable, kResourceVariable, kNodes };

  CaseInput(Tensor value) : values{std::move(value)} {}
  CaseInput(Kind kind, std::vector<Tensor> values) : kind(kind), values(std::move(values)) {}
  explicit CaseInput(std::vector<std::string> nodes)
      : kind(Kind::kNodes), nodes(std::move(nodes)) {}

  Kind kind = Kind::kValue;
  std::vector<Tensor> values;
  std::vector<std::string> nodes;  // of OpCase::graph: handles, datasets, ...
};

// A list argument ("N * T" or "list(type)").
inline CaseInput list(std::vector<Tensor> values) {
  return {CaseInput::Kind::kList, std::move(values)};
}
// A variable that holds `initial` when the op runs. What it holds afterwards is compared as well,
// as one more output behind the op's own.
inline CaseInput ref(Tensor initial) {
  return {CaseInput::Kind::kRefVariable, {std::move(initial)}};
}
inline CaseInput resource(Tensor initial) {
  return {CaseInput::Kind::kResourceVariable, {std::move(initial)}};
}

// How much of the outputs must agree with the golden ones. Dtypes always do.
enum class Compare : std::uint8_t { kValues, kShapes };

// One row: an op, its inputs, and how its outputs are compared with what TensorFlow answered.
// Integers, strings and booleans agree exactly; floats when |got - want| <= atol + rtol * |want|.
struct OpCase {
  const char* op;
  std::vector<CaseInput> in = {};
  AttrMap attrs = {};     // those that inputs determine and those with defaults may be left out
  const char* name = "";  // unique within the stem, names the golden; "": op and position
  double rtol = -1;       // -1: by type: float 1e-5, double 1e-10, half 2e-3, bfloat16 1.6e-2
  double atol = 0;
  // A regular expression: the row must fail, and where TensorFlow's message contains this, so must
  // ours. It is tried with constant inputs (shape functions) and with fed ones (kernels).
  const char* error = "";
  bool grad = true;  // take part in the numeric gradient check, if the op has a gradient
  bool perf = true;  // take part in the benchmark
  Compare compare = Compare::kValues;
  std::vector<Tensor> want = {};  // the outputs, where TensorFlow 2.15 cannot be asked for them
  // The graph around an op that needs one (case_text.h), `in` and `attrs` included.
  std::string graph = {};
  // For an op of our own: the same from TensorFlow's ops, which is what TensorFlow is asked for. As
  // text like `graph`, with the row's inputs as in_0, in_1, in_2_0, ... and without a case.
  std::string plain = {};
};

// The rows of one stem, in rill/ops/<family>/<stem>.cases.cc:
//
//   extern const OpCases kAddCases{"add", [] {
//     return std::vector<OpCase>{
//         {.op = "Add", .in = {tensor<float>({2}, {1, 2}), scalar<float>(3)}},
//     };
//   }};
struct OpCases {
  const char* stem;
  std::vector<OpCase> (*make)();
};

// The same row for each of several ops: versions of one op, and those that differ in name alone.
inline void add_graphs(std::vector<OpCase>& rows, std::initializer_list<const char*> ops,
                       const std::string& graph, const char* error = "") {
  for (const char* op : ops) rows.push_back({.op = op, .error = error, .graph = graph});
}

// A row with a graph for an op that TensorFlow 2.15 does not run, and one of other ops for it.
inline void add_graph(std::vector<OpCase>& rows, const char* op, const std::string& graph,
                      const std::string& plain, const char* error = "") {
  rows.push_back({.op = op, .error = error, .graph = graph, .plain = plain});
}

// Every table of rill/ops, from tests/optest/cases.gen.cc.
std::span<const OpCases* const> all_cases();

// --- Values ----------------------------------------------------------------------------------
// Each takes numbers as doubles and rounds them to `dtype`; complex numbers get zero imaginary
// parts from `values`, `sequence` and `filled`, and random ones from `random`.
Tensor values(DType dtype, Shape shape, std::initializer_list<double> numbers);
Tensor sequence(DType dtype, Shape shape, double start = 0, double step = 1);
Tensor filled(DType dtype, Shape shape, double number);
// Uniform in [low, high), the same on every machine; integers are rounded down, booleans are fair.
Tensor random(DType dtype, Shape shape, std::uint64_t seed, double low = -1, double high = 1);
Tensor strings(Shape shape, std::initializer_list<const char*> items);

// How an element is written in a table: half and bfloat16 as a float, quantised types as an int.
template <class T>
inline constexpr bool kIsHalf = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
template <class T>
inline constexpr bool kIsQuantized = kQuantizedTypes.contains(dtype_of<T>);
template <class T>
using Literal =
    std::conditional_t<kIsHalf<T>, float, std::conditional_t<kIsQuantized<T>, std::int32_t, T>>;

template <class T>
Tensor tensor(Shape shape, std::initializer_list<Literal<T>> items) {
  Tensor t(dtype_of<T>, std::move(shape));
  require(static_cast<std::int64_t>(items.size()) == t.element_count(), items.size(),
          " values given for shape ", t.shape());
  T* dst = t.data<T>();
  for (const Literal<T>& item : items) {
    if constexpr (kIsQuantized<T>) {
      *dst++ = T{static_cast<decltype(T::value)>(item)};
    } else {
      *dst++ = T(item);
    }
  }
  return t;
}
template <class T>
Tensor scalar(Literal<T> value) {
  return tensor<T>({}, {value});
}
template <class T>
Tensor sequence(Shape shape, double start = 0, double step = 1) {
  return sequence(dtype_of<T>, std::move(shape), start, step);
}
template <class T>
Tensor filled(Shape shape, double number) {
  return filled(dtype_of<T>, std::move(shape), number);
}
template <class T>
Tensor random(Shape shape, std::uint64_t seed, double low = -1, double high = 1) {
  return random(dtype_of<T>, std::move(shape), seed, low, high);
}

}  // namespace rill
