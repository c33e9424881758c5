// Lists of tensors: gradients of our own, also through loops, what shape functions know, and values
// that no program should hand over. What the ops compute, tests/golden/control tells.
#include <gtest/gtest.h>

#include <functional>

#include "rill/grad/gradients.h"
#include "rill/graph/flow_builders.h"
#include "rill/ops/functional/rerun.h"
#include "rill/ops/register.h"
#include "rill/runtime/session.h"
#include "rill/tensor/list_value.h"

namespace rill {
namespace {

using Outputs = std::vector<Output>;
using Feeds = std::vector<Feed>;

class ListOps : public testing::Test {
 protected:
  Output op(std::string_view type, std::vector<InputArg> inputs, AttrMap attrs = {}) {
    return scope_.add(type, std::move(inputs), std::move(attrs)).output();
  }
  static Tensor ints(std::initializer_list<std::int32_t> values) {
    return Tensor::vector<std::int32_t>(values);
  }
  static AttrMap of_floats() { return {{"element_dtype", DType::f32}}; }
  Output empty(Tensor shape = Tensor::scalar<std::int32_t>(-1), DType dtype = DType::f32) {
    return op("EmptyTensorList", {std::move(shape), -1}, {{"element_dtype", dtype}});
  }
  Output push(Output list, Output x) { return op("TensorListPushBack", {list, x}); }
  Output stack(Output list) { return op("TensorListStack", {list, ints({2})}, of_floats()); }
  Output rows(Output x) { return op("TensorListFromTensor", {x, ints({2})}); }
  Output item(Output list, Input index) {
    return op("TensorListGetItem", {list, std::move(index), ints({2})}, of_floats());
  }
  Tensor run(Output fetch, const Tensor& x) {
    return Session(graph_).run(Feeds{{x_, x}}, {{fetch}})[0];
  }

  // Compares the gradient of the sum of squares of y with central differences.
  void check_gradient(Output y) {
    const Output loss = op("Sum", {op("Square", {y}), op("Range", {0, op("Rank", {y}), 1})});
    const Output dx = gradients(scope_, {{loss}}, {{x_}}, {})[0].dense();
    Tensor at = Tensor::of<float>({3, 2}, {0.5, -1, 2, 0.25, 1.5, -0.75});
    const Tensor got = run(dx, at);
    ASSERT_EQ(got.shape(), at.shape());
    for (int i = 0; i < 6; ++i) {
      const auto moved = [&](float by) {
        Tensor there = at.clone();
        there.data<float>()[i] += by;
        return run(loss, there).scalar_value<float>();
      };
      const float want = (moved(0.01F) - moved(-0.01F)) / 0.02F;
      EXPECT_NEAR(got.data<float>()[i], want, 1e-2F * (1 + std::abs(want))) << "element " << i;
    }
  }

  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>(standard_ops());
  Scope scope_{*graph_};
  Output x_ = op("Placeholder", {}, {{"dtype", DType::f32}, {"shape", PartialShape{3, 2}}});
};

template <class F>
Error error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error;
  }
  return Error(Code::kOk, "no error was thrown");
}

// --- gradients
// ------------------------------------------------------------------------------------

TEST_F(ListOps, gradient_of_rows) { check_gradient(stack(rows(x_))); }

TEST_F(ListOps, gradient_of_push_and_pop) {
  Output list = rows(x_);
  list = push(list, op("Mul", {item(list, 0), item(list, 2)}));
  Node& popped = scope_.add("TensorListPopBack", {list, ints({2})}, of_floats());
  list = push(popped.output(0), op("Square", {popped.output(1)}));
  check_gradient(stack(list));
}

TEST_F(ListOps, gradient_of_items) {
  const Output list = rows(x_);
  const Output set = op("TensorListSetItem", {list, 1, op("Square", {item(list, 2)})});
  check_gradient(op("Mul", {item(set, 1), item(list, 0)}));
}

TEST_F(ListOps, gradient_of_resize) {
  check_gradient(stack(op("TensorListResize", {rows(x_), 2})));
  check_gradient(stack(op("TensorListResize", {rows(x_), 5})));
}

TEST_F(ListOps, gradient_of_gather_and_scatter) {
  check_gradient(op("TensorListGather", {rows(x_), ints({2, 0}), ints({2})}, of_floats()));
  check_gradient(stack(op("TensorListScatterV2", {x_, ints({4, 0, 1}), ints({2}), 6})));
  check_gradient(stack(op("TensorListScatter", {x_, ints({2, 0, 1}), ints({2})})));
  const Output squares = op("Square", {x_});
  check_gradient(
      stack(op("TensorListScatterIntoExistingList", {rows(x_), squares, ints({0, 2, 1})})));
}

TEST_F(ListOps, gradient_of_split_and_concat) {
  const Output list =
      op("TensorListSplit", {x_, ints({-1, 2}), Tensor::vector<std::int64_t>({1, 0, 2})});
  check_gradient(
      op("TensorListConcatV2", {list, ints({-1, 2}), Tensor(DType::i64, Shape{0})}, of_floats()));
  check_gradient(op("TensorListConcat", {list}, of_floats()));
}

TEST_F(ListOps, gradient_of_sums_of_lists) {
  const Output list = rows(x_), squares = rows(op("Square", {x_}));
  check_gradient(
      stack(op("AddN", {std::vector<Input>{list, squares, op("ZerosLike", {list}), list}})));
}

TEST_F(ListOps, gradient_of_gradient) {
  const Output y = op("Square", {stack(push(rows(x_), item(rows(x_), 1)))});
  check_gradient(gradients(scope_, {{y}}, {{x_}}, {})[0].dense());
}

// --- through loops
// --------------------------------------------------------------------------------

class ListLoops : public ListOps {
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

// The list is the same in every round; what each contributes to its gradient is added up.
TEST_F(ListLoops, reads_of_a_list_from_outside) {
  const Output list = rows(x_);
  const auto reads = [&](Scope& s, const Outputs& now) {
    Node& got = s.add("TensorListGetItem", {list, now[0], ints({2})}, of_floats());
    const Output row = s.add("Reshape", {got, ints({2})}).output();
    return Outputs{s.add("AddV2", {s.add("Square", {now[1]}), row}).output()};
  };
  check_gradient(loop({zero_row()}, reads)[1]);
}

// --- through branches
// -----------------------------------------------------------------------------

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

// --- what is known before anything runs
// -----------------------------------------------------------

TEST_F(ListOps, shapes_are_known_through_handles) {
  const Output list = empty(ints({3, -1}));
  const Output longer = op("Identity", {push(list, op("ZerosLike", {x_}))});
  const auto stack_any = [&](Output l) {
    return op("TensorListStack", {l, -1}, {{"element_dtype", DType::f32}, {"num_elements", 4}});
  };
  EXPECT_EQ(stack_any(longer).shape(), (PartialShape{4, 3, kUnknownDim}));
  EXPECT_EQ(op("TensorListElementShape", {longer}, {{"shape_type", DType::i64}}).shape(),
            (PartialShape{2}));
  EXPECT_EQ(op("TensorListConcat", {longer}, of_floats()).shape(),
            (PartialShape{kUnknownDim, kUnknownDim}));
  EXPECT_EQ(op("TensorListGather", {longer, ints({0, 0}), ints({-1, 5})}, of_floats()).shape(),
            (PartialShape{2, 3, 5}));
  EXPECT_FALSE(stack_any(empty()).shape().has_rank());
  EXPECT_EQ(op("ZerosLike", {longer}).node->output_handle(0)->shape,
            (PartialShape{3, kUnknownDim}));
}

TEST_F(ListOps, wrong_types_are_refused_when_the_graph_is_built) {
  const Output list = empty(ints({2}), DType::i32);
  for (const auto& use : std::vector<std::function<void()>>{
           [&] { push(list, x_); }, [&] { stack(list); }, [&] { item(list, 0); },
           [&] {
             op("TensorListPopBack", {list, ints({2})}, of_floats());
           },
           [&] { op("TensorListConcat", {list}, of_floats()); },
           [&] {
             op("TensorListConcatLists", {list, list}, of_floats());
           },
           [&] {
             op("AddN", {std::vector<Input>{list, empty()}});
           }})
    EXPECT_EQ(error_of(use).code(), Code::kInvalidArgument);
}

// --- hostile values
// -------------------------------------------------------------------------------

class HostileLists : public ListOps {
 protected:
  Error error_for(Output fetch, const Tensor& list) {
    return error_of([&] {
      Session(graph_).run(Feeds{{list_, list}, {x_, Tensor::zeros(DType::f32, {3, 2})}}, {{fetch}});
    });
  }
  Output list_ = op("Placeholder", {}, {{"dtype", DType::variant}});
};

TEST_F(HostileLists, what_is_not_a_list) {
  const Tensor other = Tensor::scalar(Variant("Other", std::make_shared<const int>(3)));
  for (const Output& use :
       {op("TensorListLength", {list_}), push(list_, x_), stack(list_),
        op("TensorListConcatLists", {list_, list_}, of_floats()), item(list_, 0)}) {
    for (const Tensor& bad : {other, Tensor::scalar(Variant())}) {
      const Error error = error_for(use, bad);
      EXPECT_EQ(error.code(), Code::kInvalidArgument) << error.what();
      EXPECT_NE(error.message().find("is not a list"), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(error_for(op("ZerosLike", {list_}), other).code(), Code::kInternal);
  EXPECT_EQ(error_for(op("AddN", {std::vector<Input>{list_, list_}}), other).code(),
            Code::kInternal);
}

TEST_F(HostileLists, elements_of_another_type) {
  auto list = std::make_shared<ListValue>(DType::i32, PartialShape());
  list->push_back(Tensor::scalar(std::int32_t{7}));
  for (const Output& use : {push(list_, x_), stack(list_), item(list_, 0),
                            op("TensorListGather", {list_, ints({0}), -1}, of_floats()),
                            op("TensorListPopBack", {list_, -1}, of_floats())})
    EXPECT_EQ(error_for(use, to_tensor(list)).code(), Code::kInvalidArgument);
}

TEST_F(HostileLists, shapes_that_only_the_kernel_sees) {
  const Output scattered = op("TensorListScatterIntoExistingList", {list_, x_, ints({0, 1, -4})});
  const auto list = std::make_shared<const ListValue>(DType::f32, PartialShape());
  EXPECT_EQ(Session(graph_)
                .run(Feeds{{list_, to_tensor(list)}}, {{op("TensorListLength", {list_})}})
                .size(),
            1u);
  const Error error = error_of([&] {
    Session(graph_).run(Feeds{{list_, to_tensor(list)}, {x_, Tensor::zeros(DType::f32, {3, 2})}},
                        {{scattered}});
  });
  EXPECT_EQ(error.code(), Code::kInvalidArgument) << error.what();
}

TEST_F(ListOps, more_elements_than_memory) {
  const Output many = op("TensorListReserve", {ints({1 << 30}), 2147483647}, of_floats());
  const Error error = error_of([&] {
    Session(graph_).run({}, {{op("TensorListStack", {many, -1}, of_floats())}});
  });
  EXPECT_TRUE(error.code() == Code::kResourceExhausted || error.code() == Code::kInvalidArgument)
      << error.what();
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
      error_of([&] { Session(graph_).run({}, {{op("TensorListLength", {out[1]})}}); });
  EXPECT_EQ(error.code(), Code::kInvalidArgument);
  EXPECT_NE(error.message().find("nested more than"), std::string::npos) << error.what();
}

}  // namespace
}  // namespace rill
