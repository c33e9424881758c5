#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <source_location>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "rill/api/core/control_flow.h"
#include "rill/api/core/host_function.h"
#include "rill/api/core/recorded_function.h"
#include "rill/api/functional/functional_ops.h"
#include "rill/api/gradients/custom_gradient.h"

// cond, case_ and while_loop as programs write them: over tensors one by one. A function that fits
// none of the forms is an error of one line that says what is wanted: the overloads that are
// `unavailable`.
namespace rill {

template <class T>
concept BecomesTensor =
    std::constructible_from<Input, T> && !std::same_as<std::remove_cvref_t<T>, Node>;
// [&] { return x + 1; }, [] { return 0.0f; }
template <class F>
concept GivesTensor = std::invocable<F&> && BecomesTensor<std::invoke_result_t<F&>>;
template <class F>
concept GivesTensors = std::constructible_from<BranchFn, F>;

// Branches that give one tensor.
//
//   Output y = cond(x > 0, [&] { return sqrt(x); }, [] { return 0.0f; });
template <GivesTensor True, GivesTensor False>
Output cond(const Input& pred, True&& true_fn, False&& false_fn, const CondOptions& options = {},
            std::source_location at = std::source_location::current()) {
  return cond_one(
      pred, [&] { return as_tensor(true_fn()); }, [&] { return as_tensor(false_fn()); }, options,
      at);
}
template <class True, class False>
requires(!(GivesTensor<True> && GivesTensor<False>)&&!(GivesTensors<True> && GivesTensors<False>))
    __attribute__((
        unavailable("the branches of cond take no arguments, and both give a tensor or "
                    "both a std::vector<tf::Output>"))) void cond(const Input&, True&&, False&&,
                                                                  const CondOptions& = {}) {}

// The same of case_: case_({{x < 0, [&] { return -x; }}}, [&] { return x; }).
using TensorFn = std::function<Output()>;
inline Output case_(const std::vector<std::pair<Output, TensorFn>>& pred_fn_pairs,
                    const TensorFn& otherwise = {}, const CaseOptions& options = {},
                    std::source_location at = std::source_location::current()) {
  const auto branch = [](const TensorFn& give) {
    return BranchFn([give] { return std::vector{give()}; });
  };
  std::vector<std::pair<Output, BranchFn>> branches;
  for (const auto& [pred, give] : pred_fn_pairs) branches.emplace_back(pred, branch(give));
  return case_of(branches, otherwise ? branch(otherwise) : BranchFn(), options, at).front();
}

// How many Outputs a function takes; 0: no such number, or more than 16.
template <class F, class... Argument>
constexpr std::size_t outputs_taken() {
  if constexpr (sizeof...(Argument) == 17) {
    return 0;
  } else if constexpr (sizeof...(Argument) > 0 && std::is_invocable_v<F&, Argument...>) {
    return sizeof...(Argument);
  } else {
    return outputs_taken<F, Argument..., Output>();
  }
}

// What the body of a loop over single variables gives: a tensor, or a vector, tuple or array.
template <class Results>
std::vector<Output> loop_results(const Results& results) {
  if constexpr (std::same_as<Results, std::vector<Output>>) {
    return results;
  } else if constexpr (BecomesTensor<const Results&>) {
    return {as_tensor(results)};
  } else {
    return std::apply(
        [](const auto&... result) { return std::vector<Output>{as_tensor(result)...}; }, results);
  }
}

template <class F>
concept LoopsOverOutputs = !std::constructible_from<LoopCondFn, F&> &&
                           !std::constructible_from<LoopBodyFn, F&> && (outputs_taken<F>() > 0);

// Loop variables one by one: a single one gives a tensor, several an array.
//
//   Output i = while_loop([](Output i) { return i < 10; }, [](Output i) { return i + 1; }, {0});
//   auto [n, sum] = while_loop([](Output n, Output sum) { return n < 10; },
//                              [](Output n, Output sum) { return std::tuple(n + 1, sum + n); },
//                              {0, 0});
template <LoopsOverOutputs Cond, LoopsOverOutputs Body>
requires(outputs_taken<Cond>() == outputs_taken<Body>()) auto while_loop(
    Cond&& cond, Body&& body, const Inputs& loop_vars, const WhileLoopOptions& options = {},
    std::source_location at = std::source_location::current()) {
  constexpr std::size_t count = outputs_taken<Cond>();
  require(loop_vars.size() == count, "cond and body take ", count,
          " loop variables, but there are ", loop_vars.size());
  const auto call = [](auto& function, const std::vector<Output>& vars) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) { return function(vars[i]...); }
    (std::make_index_sequence<count>());
  };
  const std::vector<Output> last = while_loop(
      LoopCondFn([&](const std::vector<Output>& vars) { return as_tensor(call(cond, vars)); }),
      LoopBodyFn([&](const std::vector<Output>& vars) { return loop_results(call(body, vars)); }),
      loop_vars, options, at);
  if constexpr (count == 1) {
    return last.front();
  } else {
    return [&]<std::size_t... i>(std::index_sequence<i...>) { return std::array{last[i]...}; }
    (std::make_index_sequence<count>());
  }
}
template <class Cond, class Body>
requires(!(std::constructible_from<LoopCondFn, Cond&> &&
           std::constructible_from<LoopBodyFn, Body&>)&&!(LoopsOverOutputs<Cond> &&
                                                          LoopsOverOutputs<Body>))
    __attribute__((
        unavailable("cond and body of while_loop take the loop variables, as tf::Outputs "
                    "or as a std::vector<tf::Output>; cond gives a tensor, body as many "
                    "tensors as it takes"))) void while_loop(Cond&&, Body&&, const Inputs&,
                                                             const WhileLoopOptions& = {}) {}
template <LoopsOverOutputs Cond, LoopsOverOutputs Body>
requires(outputs_taken<Cond>() != outputs_taken<Body>())
    __attribute__((unavailable("cond and body of while_loop take different numbers of loop "
                               "variables"))) void while_loop(Cond&&, Body&&, const Inputs&,
                                                              const WhileLoopOptions& = {}) {}

// --- errors of one line --------------------------------------------------------------------------
// Arguments in braces have no type of their own and take the default of the parameter.

template <class F>
concept MapsElements = std::constructible_from<MapFn, F&> ||
    std::constructible_from<std::function<Output(Output)>, F&>;
template <class F, class Elems = Inputs>
requires(!MapsElements<F>) __attribute__((unavailable(
    "the function of map_fn takes a tf::Output and gives a tensor, or "
    "takes and gives a std::vector<tf::Output>"))) void map_fn(F&&, const Elems&,
                                                               const MapFnOptions& = {}) {}

template <class F>
concept FoldsElements = std::constructible_from<FoldFn, F&> ||
    std::constructible_from<std::function<Output(Output, Output)>, F&>;
#define RILL_FOLDS(function, Options)                                                           \
  template <class F, class Elems = Inputs>                                                      \
  requires(!FoldsElements<F>)                                                                   \
      __attribute__((unavailable("the function of " #function                                   \
                                 " takes what there is so far and an element, both tf::Output " \
                                 "or both std::vector<tf::Output>, and gives the same"))) void  \
      function(F&&, const Elems&, const Options& = {}) {}
RILL_FOLDS(foldl, FoldOptions)
RILL_FOLDS(foldr, FoldOptions)
RILL_FOLDS(scan, ScanOptions)
#undef RILL_FOLDS

#define RILL_HOST_FUNCTION(function, Function, what)                                           \
  template <class F, class Args = Inputs, class Types = std::vector<DType>>                    \
  requires(!std::constructible_from<Function, F>)                                              \
      __attribute__((unavailable("the function of " #function " takes and gives " what))) void \
      function(F&&, const Args&, const Types&) {}
RILL_HOST_FUNCTION(host_function, HostFunction, "a std::vector<tf::Tensor>")
RILL_HOST_FUNCTION(py_func, HostFunction, "a std::vector<tf::Tensor>")
RILL_HOST_FUNCTION(recorded_function, RecordedFunction,
                   "tf::Outputs: a std::span of them, and a std::vector")
RILL_HOST_FUNCTION(py_function, RecordedFunction,
                   "tf::Outputs: a std::span of them, and a std::vector")
#undef RILL_HOST_FUNCTION

template <class F, class Args = Inputs>
requires(
    !std::constructible_from<std::function<WithGradient(const std::vector<Output>& arguments)>, F&>)
    __attribute__((
        unavailable("the function of custom_gradient takes a std::vector<tf::Output> and "
                    "gives a tf::WithGradient"))) void custom_gradient(F&&, const Args& = {}) {}

}  // namespace rill
