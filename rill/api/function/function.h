#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/api/variables/variable.h"

namespace rill {

class ConcreteFunction;

// The type and shape of an argument.
struct ArgumentSpec {
  DType dtype = DType::f32;
  PartialShape shape = {};
};

struct TraceOptions {
  std::string name = "function";
  // Not empty: the function is built for these alone, and takes whatever fits them.
  std::vector<ArgumentSpec> input_signature = {};
  bool relax_shapes = false;  // shapes that differ from earlier ones leave dimensions open
};

// The concrete functions of a function of the program, by the signatures of its calls. Safe from
// several threads.
class TracedFunctionCore {
 public:
  // What the program's function computes of tensors; `key` stands for its other arguments.
  using Build = std::function<std::vector<Output>(const std::vector<Output>&)>;
  explicit TracedFunctionCore(TraceOptions options);
  ~TracedFunctionCore();

  std::vector<Output> call(const std::vector<Output>& arguments, const std::string& key,
                           const Build& build, std::source_location at);
  std::shared_ptr<const ConcreteFunction> concrete(const std::vector<ArgumentSpec>& specs,
                                                   const std::string& key, const Build& build);
  int trace_count() const;  // how often the function was built

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

namespace traced {

inline void add(std::vector<Output>& tensors, std::string&, const Output& x) {
  tensors.push_back(x);
}
inline void add(std::vector<Output>& tensors, std::string& key, const std::vector<Output>& list) {
  key += str_cat("[", list.size(), "]");
  tensors.insert(tensors.end(), list.begin(), list.end());
}
inline void add(std::vector<Output>&, std::string& key, const std::string& text) {
  key += str_cat(text.size(), ":", text, ",");
}
template <class T>
requires std::is_arithmetic_v<T>
void add(std::vector<Output>&, std::string& key, T value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
  key += ',';
}

// Takes back from the tensors of a body what add() put there.
inline Output take(const Output&, const std::vector<Output>& tensors, std::size_t& next) {
  return tensors.at(next++);
}
inline std::vector<Output> take(const std::vector<Output>& model,
                                const std::vector<Output>& tensors, std::size_t& next) {
  std::vector<Output> list;
  for (std::size_t i = 0; i < model.size(); ++i) list.push_back(tensors.at(next++));
  return list;
}
template <class T>
requires(!std::same_as<T, Output> && !std::same_as<T, std::vector<Output>>) const T& take(
    const T& value, const std::vector<Output>&, std::size_t&) {
  return value;
}

}  // namespace traced

// A function of the program that was made part of the graph: built once for each signature of its
// arguments, called from then on. A signature is the types and shapes of tensors and the values of
// numbers and texts. Effects happen in the order in which they are written; gradients go through
// calls; variables are made by the first call or outside.
//
//   auto step = function([&](Output x, Output y) {
//     GradientTape tape; ...
//     return loss;
//   });
//   Output loss = step(x, y);
//
// `F` takes Outputs, vectors of them, numbers and texts, and returns an Output, a vector of them,
// or nothing.
template <class F>
class GraphFunction {
 public:
  GraphFunction(F build, TraceOptions options)
      : build_(std::move(build)), core_(std::make_shared<TracedFunctionCore>(std::move(options))) {}

  template <class... Arg>
  auto operator()(const Arg&... arguments) const {
    return call(std::source_location::current(), as_argument(arguments)...);
  }
  int trace_count() const { return core_->trace_count(); }

 private:
  static const Output& as_argument(const Output& x) { return x; }
  static const std::vector<Output>& as_argument(const std::vector<Output>& x) { return x; }
  static std::string as_argument(const char* text) { return text; }
  template <class T>
  static const T& as_argument(const T& value) {
    return value;
  }

  template <class... Arg>
  auto call(std::source_location at, const Arg&... arguments) const {
    using Result =
        std::invoke_result_t<const F&, decltype(traced::take(arguments, {},
                                                             std::declval<std::size_t&>()))...>;
    std::vector<Output> tensors;
    std::string key;
    (traced::add(tensors, key, arguments), ...);
    const TracedFunctionCore::Build build = [&](const std::vector<Output>& given) {
      std::size_t next = 0;
      const auto in_order = [&](auto... taken) {  // braces evaluate from left to right
        return listed<Result>(taken...);
      };
      struct Taken {
        std::tuple<decltype(traced::take(arguments, given, next))...> all;
      };
      const Taken taken{{traced::take(arguments, given, next)...}};
      return std::apply(in_order, taken.all);
    };
    return as_result<Result>(core_->call(tensors, key, build, at));
  }

  template <class Result, class... Taken>
  std::vector<Output> listed(const Taken&... taken) const {
    if constexpr (std::is_void_v<Result>) {
      build_(taken...);
      return {};
    } else if constexpr (std::same_as<Result, Output>) {
      return {build_(taken...)};
    } else {
      return build_(taken...);
    }
  }
  template <class Result>
  static Result as_result(std::vector<Output> results) {
    if constexpr (std::same_as<Result, Output>)
      return results.at(0);
    else if constexpr (!std::is_void_v<Result>)
      return results;
  }

  F build_;
  std::shared_ptr<TracedFunctionCore> core_;
};

template <class F>
GraphFunction<F> function(F build, TraceOptions options = {}) {
  return GraphFunction<F>(std::move(build), std::move(options));
}

}  // namespace rill
