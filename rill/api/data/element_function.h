#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rill/api/data/element.h"
#include "rill/graph/attr.h"
#include "rill/graph/held_functions.h"

namespace rill::data {

// Makes an element of another while a graph is built. Any function will do that takes the parts as
// Components, as std::vector<Output> or one by one as Outputs, and returns one part, Components,
// std::vector<Output> or a Dataset: [](Output x, Output y) { return x + y; }.
//
// A function over Outputs throws InvalidArgument when it is applied to elements of another number
// of parts, or to parts that are no tensors.
class ElementFunction {
 public:
  struct Result {
    Components parts;
    std::shared_ptr<void> form = {};  // as in ElementSpec
  };
  using Call = std::function<Result(const Components&)>;

  template <class F>
  requires(!std::is_same_v<std::decay_t<F>, ElementFunction>) ElementFunction(F f)
      : call_(adapted(std::move(f))) {}
  ElementFunction(std::string name, Call call) : name_(std::move(name)), call_(std::move(call)) {}

  const std::string& name() const { return name_; }
  Result operator()(const Components& parts) const { return call_(parts); }

 private:
  static std::vector<Output> tensors(const Components& parts) {
    std::vector<Output> result;
    for (const Component& part : parts) result.push_back(part.tensor());
    return result;
  }
  template <class R>
  static Result result_of(R&& result) {
    using Plain = std::decay_t<R>;
    if constexpr (std::is_same_v<Plain, Components>) {
      return {std::forward<R>(result)};
    } else if constexpr (std::is_same_v<Plain, std::vector<Output>>) {
      return {Components(result.begin(), result.end())};
    } else {
      return {{Component(std::forward<R>(result))}};
    }
  }
  static void check_count(std::size_t wanted, std::size_t given);

  template <class F>
  static Call adapted(F f) {
    if constexpr (std::is_invocable_v<F, const Components&>) {
      return [f](const Components& x) { return result_of(f(x)); };
    } else if constexpr (std::is_invocable_v<F, std::vector<Output>>) {
      return [f](const Components& x) { return result_of(f(tensors(x))); };
    } else {
      return one_by_one<F, Output>(std::move(f));
    }
  }
  template <class F, class... Arg>
  static Call one_by_one(F f) {
    static_assert(sizeof...(Arg) <= 8, "takes neither Components nor a number of Outputs");
    if constexpr (std::is_invocable_v<F, Arg...>) {
      return [f](const Components& x) {
        check_count(sizeof...(Arg), x.size());
        const std::vector<Output> all = tensors(x);
        return with(f, all, std::index_sequence_for<Arg...>());
      };
    } else {
      return one_by_one<F, Arg..., Output>(std::move(f));
    }
  }
  template <class F, std::size_t... i>
  static Result with(const F& f, const std::vector<Output>& all, std::index_sequence<i...>) {
    return result_of(f(all[i]...));
  }

  std::string name_ = "lambda";
  Call call_;
};

// A function of the default graph, ready for the attribute of a dataset.
struct TracedFunction {
  FuncName name = {};
  std::vector<Input> captured = {};  // tensors of the graph around that it reads
  ElementSpec result = {};
  FunctionHold hold = {};  // in eager execution: the function goes with its holders
};

// Calls `f` with what stands for elements of `arguments`, in a graph of its own, which becomes a
// function of the default graph. `transformation` ("Dataset_map") begins its name. With `legacy`,
// effects inside are not put in order. Throws what `f` throws.
TracedFunction trace(std::string_view transformation, const ElementFunction& f,
                     const ElementSpec& arguments, bool legacy = false);

}  // namespace rill::data
