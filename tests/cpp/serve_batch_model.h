#pragma once

// For tests of joined requests alone: steps that tell how many rows they were run with.
#include <gtest/gtest.h>

#include <future>

#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/serve/batch/batching.h"

namespace rill::serve {

// A step that gives its input times two and, in every row, how many rows there were; one whose
// output has no rows; one that gives strings as they are.
class BatchModel {
 public:
  struct Result {
    std::vector<Tensor> values;
    std::optional<Error> error;

    std::string message() const { return error ? error->what() : ""; }
    std::vector<float> floats() const {
      const auto values_of = values.at(0).flat<float>();
      return {values_of.begin(), values_of.end()};
    }
    std::vector<int> step_rows() const {  // of the step that each row was in
      const auto counts = values.at(1).flat<std::int32_t>();
      return {counts.begin(), counts.end()};
    }
  };

  BatchModel() {
    Scope scope(*graph_);
    Node& x = scope.add("Placeholder", {}, {{"dtype", DType::f32}});
    Node& doubled = scope.add("Add", {x.output(0), x.output(0)});
    Node& shape = scope.add("Shape", {x.output(0)});
    const Tensor zero = Tensor::vector<std::int32_t>({0}), one = Tensor::vector<std::int32_t>({1});
    Node& rows =
        scope.add("StridedSlice", {shape.output(0), zero, one, one}, {{"shrink_axis_mask", 1}});
    Node& list = scope.add("StridedSlice", {shape.output(0), zero, one, one});
    Node& counts = scope.add("Fill", {list.output(0), rows.output(0)});
    Node& text = scope.add("Placeholder", {}, {{"dtype", DType::string}});
    Node& same = scope.add("Identity", {text.output(0)});
    doubles = step({x.output(0)}, {doubled.output(0), counts.output(0)});
    no_rows = step({x.output(0)}, {rows.output(0)});
    texts = step({text.output(0)}, {same.output(0)});
  }

  static std::future<Result> start(StepRunner& runner, const CompiledStepRef& step, Tensor feed,
                                   const RequestLimits& limits = {}) {
    auto promise = std::make_shared<std::promise<Result>>();
    auto future = promise->get_future();
    runner.run(step, {std::move(feed)}, limits,
               [promise](std::vector<Tensor> values, std::optional<Error> error) {
                 promise->set_value({std::move(values), std::move(error)});
               });
    return future;
  }
  static Tensor column(std::initializer_list<float> values) {
    return Tensor::of<float>({static_cast<std::int64_t>(values.size()), 1}, values);
  }

  CompiledStepRef doubles, no_rows, texts;

 private:
  CompiledStepRef step(std::vector<Output> feeds, std::vector<Output> fetches) {
    auto made = std::make_shared<CompiledStep>();
    made->callable = session_.make_callable(feeds, fetches);
    return made;
  }

  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>(standard_ops());
  Session session_{graph_};
};

// Keeps the thread that runs it busy until it is opened: threads ask a request whether anybody
// still waits for it.
class Gate {
 public:
  Gate() : opened_(open_.get_future().share()) {}
  RequestLimits limits() {
    return net::CallLimits{.is_gone = [this] {
      if (!std::exchange(is_reached_, true)) reached_.set_value();
      opened_.wait();
      return false;
    }};
  }
  void await() { reached_.get_future().wait(); }  // that a thread has come
  void open() { open_.set_value(); }

 private:
  std::promise<void> open_, reached_;
  std::shared_future<void> opened_;
  bool is_reached_ = false;
};

}  // namespace rill::serve
