#pragma once

#include <concepts>
#include <initializer_list>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "rill/graph/scope.h"

namespace rill {

// A variable is fetched and fed through the tensor that stands for it.
template <class T>
concept HasSnapshot = requires(const T& variable) {
  { variable.snapshot() } -> std::convertible_to<Output>;
};

// A tensor of the graph and what takes its place in one run. Values are tensors, numbers, lists in
// braces or vectors; what is no Tensor yet takes the type of its target.
//
//   session.run(loss, {{x, images}, {labels, {1, 0, 2}}, {rate, 0.5}});
struct Feed {
  Feed() = default;
  Feed(Output target, Tensor value) : target(std::move(target)), value(std::move(value)) {}
  // Throws InvalidArgument for a value that the target's type cannot hold, and for a tensor of the
  // graph, which has no value yet.
  Feed(Output target, const Input& value);
  template <HasSnapshot T, class Value>
  requires std::constructible_from<Feed, Output, const Value&> Feed(const T& variable,
                                                                    const Value& value)
      : Feed(variable.snapshot(), value) {}
  template <HasSnapshot T>
  Feed(const T& variable, std::initializer_list<Input> value)
      : Feed(variable.snapshot(), Input(value)) {}

  Output target;
  Tensor value;
};
using Feeds = std::vector<Feed>;

// One thing that a run is asked for: a tensor or variable, whose value it gives, or an operation,
// which is run, and gives a Tensor that holds nothing.
class Fetch {
 public:
  Fetch(const Output& tensor) : tensor_(tensor) {}
  Fetch(Node& operation) : operation_(&operation) {}
  Fetch(Node* operation) : operation_(operation) {}
  template <HasSnapshot T>
  Fetch(const T& variable) : tensor_(variable.snapshot()) {}

  const Output& tensor() const { return tensor_; }
  Node* operation() const { return operation_; }  // nullptr: it is a tensor

 private:
  Output tensor_;
  Node* operation_ = nullptr;
};

// How the values of fetches are given back: in the structure in which they were asked for. Single
// fetches give a Tensor, vectors a vector, tuples and pairs a tuple, maps a map.
template <class T>
struct FetchForm;  // of what cannot be fetched there is none

template <class T>
concept Fetchable = requires {
  typename FetchForm<T>::Result;
};

template <class T>
requires std::constructible_from<Fetch, T&>
struct FetchForm<T> {
  using Result = Tensor;
  static void collect(T& fetch, std::vector<Fetch>& all) { all.emplace_back(fetch); }
  static Tensor take(T&, std::vector<Tensor>::iterator& next) { return std::move(*next++); }
};
template <Fetchable T>
struct FetchForm<const std::vector<T>> {
  using Item = FetchForm<T>;
  using Result = std::vector<typename Item::Result>;
  static void collect(const std::vector<T>& fetches, std::vector<Fetch>& all) {
    for (const T& fetch : fetches) Item::collect(const_cast<T&>(fetch), all);
  }
  static Result take(const std::vector<T>& fetches, std::vector<Tensor>::iterator& next) {
    Result results;
    for (const T& fetch : fetches) results.push_back(Item::take(const_cast<T&>(fetch), next));
    return results;
  }
};

template <class Key, Fetchable T>
struct FetchForm<const std::map<Key, T>> {
  using Item = FetchForm<T>;
  using Result = std::map<Key, typename Item::Result>;
  static void collect(const std::map<Key, T>& fetches, std::vector<Fetch>& all) {
    for (const auto& [key, fetch] : fetches) Item::collect(const_cast<T&>(fetch), all);
  }
  static Result take(const std::map<Key, T>& fetches, std::vector<Tensor>::iterator& next) {
    Result results;
    for (const auto& [key, fetch] : fetches)
      results.emplace(key, Item::take(const_cast<T&>(fetch), next));
    return results;
  }
};

template <class... T>
requires(Fetchable<std::remove_reference_t<T>>&&...) struct FetchForm<const std::tuple<T...>> {
  using Result = std::tuple<typename FetchForm<std::remove_reference_t<T>>::Result...>;
  static void collect(const std::tuple<T...>& fetches, std::vector<Fetch>& all) {
    std::apply([&](auto&... fetch) { (collect_one(fetch, all), ...); }, fetches);
  }
  static Result take(const std::tuple<T...>& fetches, std::vector<Tensor>::iterator& next) {
    // Braces, because their order is that of the text.
    return std::apply([&](auto&... fetch) { return Result{take_one(fetch, next)...}; }, fetches);
  }

 private:
  template <class U>
  static void collect_one(const U& fetch, std::vector<Fetch>& all) {
    FetchForm<U>::collect(const_cast<U&>(fetch), all);
  }
  template <class U>
  static auto take_one(const U& fetch, std::vector<Tensor>::iterator& next) {
    return FetchForm<U>::take(const_cast<U&>(fetch), next);
  }
};
template <class A, class B>
requires(Fetchable<A>&& Fetchable<B>) struct FetchForm<const std::pair<A, B>> {
  using Tuple = FetchForm<const std::tuple<A, B>>;
  using Result = typename Tuple::Result;
  static void collect(const std::pair<A, B>& fetches, std::vector<Fetch>& all) {
    Tuple::collect(fetches, all);
  }
  static Result take(const std::pair<A, B>& fetches, std::vector<Tensor>::iterator& next) {
    return Tuple::take(fetches, next);
  }
};
template <Fetchable T>
struct FetchForm<std::vector<T>> : FetchForm<const std::vector<T>> {};
template <class Key, Fetchable T>
struct FetchForm<std::map<Key, T>> : FetchForm<const std::map<Key, T>> {};
template <class... T>
requires(Fetchable<std::remove_reference_t<T>>&&...) struct FetchForm<std::tuple<T...>>
    : FetchForm<const std::tuple<T...>> {
};
template <class A, class B>
requires(Fetchable<A>&& Fetchable<B>) struct FetchForm<std::pair<A, B>>
    : FetchForm<const std::pair<A, B>> {
};

// run() as programs write it, for whatever has run_fetches().
//
//   Tensor value = session.run(loss, {{x, images}});
//   session.run(train_op, {{x, images}});
//   auto values = session.run({train_op, loss, weights});      // a Tensor for each
//   auto [a, b] = session.run(std::tuple(loss, accuracy));     // whatever stands in it, nested too
template <class Self>
class RunForms {
 public:
  template <class T>
  requires Fetchable<std::remove_reference_t<T>> &&
      (!std::same_as<std::remove_cvref_t<T>, Node>)auto run(T&& fetch, const Feeds& feeds = {}) {
    using Form = FetchForm<std::remove_reference_t<T>>;
    std::vector<Fetch> all;
    Form::collect(fetch, all);
    std::vector<Tensor> values = self().run_fetches(all, feeds);
    auto next = values.begin();
    return Form::take(fetch, next);
  }
  template <std::same_as<Node> Operation>
  void run(Operation& operation, const Feeds& feeds = {}) {
    self().run_fetches({Fetch(operation)}, feeds);
  }
  std::vector<Tensor> run(std::initializer_list<Fetch> fetches, const Feeds& feeds = {}) {
    return self().run_fetches(std::vector<Fetch>(fetches), feeds);
  }

  // Errors of one line. Feeds come first where a session is asked for lists of tensors and
  // operations.
  template <class T>
  requires(!Fetchable<T> && !Fetchable<const T> && !std::convertible_to<const T&, Feeds>)
      __attribute__((unavailable(
          "run is asked for tensors, variables and operations: one, several in braces, "
          "or a vector, map or std::tie of them"))) void run(const T&, const Feeds& = {}) {}
  template <class T, class F>
  requires(Fetchable<T> && !std::convertible_to<const F&, Feeds>) __attribute__((
      unavailable("the feeds of run are pairs of a tensor and its value: {{x, value}, {y, "
                  "3.0f}}"))) void run(const T&, const F&) {}

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace rill
