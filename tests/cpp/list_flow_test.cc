// Lists of tensors on their way through loops and branches, and the gradients of that.
#include <functional>

#include "rill/graph/flow_builders.h"
#include "rill/ops/functional/rerun.h"
#include "tests/cpp/list_testing.h"

namespace rill {
namespace {

// --- through loops ------------------------------------------------------------------------------

class ListLoops : public ListFixture {
 protected:
  // Some rounds with a counter as variable 0.
  Outputs loop(Outputs variables, const std::function<Outputs(Scope&, Outputs)>& body,
               int rounds = 3) {
    variables.insert(variables.begin(), scope_.constant(Tensor::scalar<std::int32_t>(0)));
    Scope named = scope_.named("while");
    WhileBuilder builder(named, std::vector<Input>(variables.begin(), variables.end()));
    Scope inside = builder.inside();
    builder.end_condition(inside.add("Less", {builder.begin_condition()[0], rounds}).output());
    const Outputs now = builder.begin_body();
    Outputs next = body(inside, now);
    next.insert(next.begin(), inside.add("AddV2", {now[0], 1}).output());
    return builder.end_body(std::vector<Input>(next.begin(), next.end()));
  }

  Outputs functional_loop(Outputs variables, const std::function<Outputs(Scope&, Outputs)>& body) {
    variables.insert(variables.begin(), scope_.constant(Tensor::scalar<std::int32_t>(0)));
    std::vector<DType> types;
    for (const Output& variable : variables) types.push_back(variable.dtype());
    const FuncName test = define_helper(*graph_, "test", types, [](Scope& s, Outputs now) {
      return Outputs{s.add("Less", {now[0], 3}).output()};
    });
    const FuncName step = define_helper(*graph_, "step", types, [&](Scope& s, Outputs now) {
      Outputs next = body(s, now);
      next.insert(next.begin(), s.add("AddV2", {now[0], 1}).output());
      return next;
    });
    Node& node = scope_.add("While", {as_inputs(variables)}, {{"cond", test}, {"body", step}});
    Outputs outputs;
    for (int i = 0; i < node.output_count(); ++i) outputs.push_back(node.output(i));
    return outputs;
  }

  static Outputs pops(Scope& s, const Outputs& now) {
    Node& popped = s.add("TensorListPopBack", {now[1], ints({2})}, of_floats());
    const Output last = s.add("Reshape", {popped.output(1), ints({2})}).output();
    return {popped.output(0), s.add("AddV2", {s.add("Square", {now[2]}), last}).output()};
  }
  static Outputs pushes(Scope& s, const Outputs& now) {
    const Output next = s.add("Mul", {now[2], now[2]}).output();
    return {s.add("TensorListPushBack", {now[1], now[2]}).output(), next};
  }
  static Outputs sets(Scope& s, const Outputs& now) {
    const Output next = s.add("Mul", {now[2], now[2]}).output();
    return {s.add("TensorListSetItem", {now[1], now[0], now[2]}).output(), next};
  }
  Output half() {
    return op("Mul",
              {op("Reshape", {op("Slice", {x_, ints({0, 0}), ints({1, 2})}), ints({2})}), 0.5F});
  }
  Output zero_row() { return scope_.constant(Tensor::zeros(DType::f32, {2})); }
  Output reserved() { return op("TensorListReserve", {ints({2}), 3}, of_floats()); }
};

TEST_F(ListLoops, pops) { check_gradient(loop({rows(x_), zero_row()}, pops)[2]); }
TEST_F(ListLoops, pushes) { check_gradient(stack(loop({empty(ints({2})), half()}, pushes)[1])); }
TEST_F(ListLoops, sets) { check_gradient(stack(loop({reserved(), half()}, sets)[1])); }
TEST_F(ListLoops, pops_in_functions) {
  check_gradient(functional_loop({rows(x_), zero_row()}, pops)[2]);
}
TEST_F(ListLoops, pushes_in_functions) {
  check_gradient(stack(functional_loop({empty(ints({2})), half()}, pushes)[1]));
}
TEST_F(ListLoops, sets_in_functions) {
  check_gradient(stack(functional_loop({reserved(), half()}, sets)[1]));
}

// The list is the same in every iteration; what each contributes to its gradient is added up.
TEST_F(ListLoops, reads_of_a_list_from_outside) {
  const Output list = rows(x_);
  const auto reads = [&](Scope& s, const Outputs& now) {
    Node& got = s.add("TensorListGetItem", {list, now[0], ints({2})}, of_floats());
    const Output row = s.add("Reshape", {got, ints({2})}).output();
    return Outputs{s.add("AddV2", {s.add("Square", {now[1]}), row}).output()};
  };
  check_gradient(loop({zero_row()}, reads)[1]);
}

// --- through branches ---------------------------------------------------------------------------

class ListBranches : public ListLoops {
 protected:
  using Branch = std::function<Outputs(Scope&)>;

  Outputs branch(Scope& scope, Output condition, const Branch& if_true, const Branch& if_false) {
    CondBuilder builder(scope.named("cond"), condition);
    const auto results = [&](bool taken_if, const Branch& make) {
      Scope inside = builder.branch(taken_if);
      Outputs outputs;
      for (const Output& value : make(inside)) outputs.push_back(builder.result(taken_if, value));
      return outputs;
    };
    const Outputs yes = results(true, if_true), no = results(false, if_false);
    Outputs merged;
    for (std::size_t i = 0; i < yes.size(); ++i) merged.push_back(builder.merge(no[i], yes[i]));
    return merged;
  }
  Output first_is(float bound) {
    const Output first = op(
        "Reshape", {op("Slice", {x_, ints({0, 0}), ints({1, 1})}), Tensor(DType::i32, Shape{0})});
    return op("Greater", {first, bound});
  }
  static Output pushed(Scope& s, Output list, Output x) {
    return s.add("TensorListPushBack", {list, x}).output();
  }
};

TEST_F(ListBranches, one_of_two_lists) {
  for (const float bound : {-100.0F, 100.0F}) {
    const Output list = rows(x_), other = rows(op("Square", {x_}));
    const Output chosen = branch(
        scope_, first_is(bound), [&](Scope& s) { return Outputs{pushed(s, list, half())}; },
        [&](Scope& s) { return Outputs{s.add("Identity", {other}).output()}; })[0];
    check_gradient(stack(chosen));
  }
}

TEST_F(ListBranches, in_a_loop) {
  const auto body = [&](Scope& s, const Outputs& now) {
    const Output odd = s.add("Equal", {now[0], 1}).output();
    const Outputs chosen = branch(
        s, odd, [&](Scope& inner) { return Outputs{pushed(inner, now[1], now[2])}; },
        [&](Scope& inner) { return Outputs{inner.add("Identity", {now[1]}).output()}; });
    return Outputs{chosen[0], s.add("Square", {now[2]}).output()};
  };
  check_gradient(stack(loop({rows(x_), half()}, body)[1]));
}

TEST_F(ListBranches, of_functions) {
  const std::vector<DType> types{DType::variant, DType::f32};
  const FuncName yes = define_helper(*graph_, "yes", types, [](Scope& s, Outputs in) {
    return Outputs{pushed(s, in[0], s.add("Square", {in[1]}).output())};
  });
  const FuncName no = define_helper(*graph_, "no", types, [](Scope& s, Outputs in) {
    return Outputs{s.add("TensorListResize", {in[0], 2}).output()};
  });
  for (const float bound : {-100.0F, 100.0F}) {
    Node& chosen = scope_.add(
        "If", {first_is(bound), std::vector<Input>{rows(x_), half()}},
        {{"Tout", std::vector<DType>{DType::variant}}, {"then_branch", yes}, {"else_branch", no}});
    check_gradient(stack(chosen.output(0)));
  }
}

TEST_F(ListLoops, lists_in_lists_without_end) {
  const Tensor scalar_shape(DType::i32, Shape{0});
  const auto nest = [&](Scope& s, const Outputs& now) {
    const Output around =
        s.add("EmptyTensorList", {scalar_shape, -1}, {{"element_dtype", DType::variant}}).output();
    const Output wrapped = s.add("TensorListPushBack", {around, now[1]}).output();
    return Outputs{wrapped};
  };
  const Outputs out = loop({empty(scalar_shape, DType::variant)}, nest, 100000);
  const Error error =
      thrown_by([&] { Session(graph_).run({}, {{op("TensorListLength", {out[1]})}}); });
  EXPECT_EQ(error.code(), Code::kInvalidArgument);
  EXPECT_NE(error.message().find("nested more than"), std::string::npos) << error.what();
}

}  // namespace
}  // namespace rill
