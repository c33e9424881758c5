// A card that is lost at every single point of a step: the step ends with an error that names it,
// and once the card is back the session goes on.
#include <thread>

#include "rill/graph/function_define.h"
#include "rill/runtime/placement/stand_in_fixture_testing.h"

namespace rill {
namespace {

class StandInFaults : public StandInTest {
 protected:
  using Values = LoopProgram::Values;

  // Loses the first card at its first, second, third, ... event of each kind, until a step does not
  // get that far. The number of losses.
  int lose_everywhere(Session& session, const Output& y, const std::vector<Feed>& feeds) {
    const Tensor wanted = on_cpu(y, feeds);
    EXPECT_TRUE(identical(session.run(y, feeds), wanted));
    int losses = 0;
    for (const StandInEvent event :
         {StandInEvent::kernel, StandInEvent::copy, StandInEvent::allocation})
      for (int count = 1;; ++count) {
        card().lose_at(event, count);
        const std::string error = error_of([&] { session.run(y, feeds); });
        card().find_again();
        EXPECT_TRUE(identical(session.run(y, feeds), wanted)) << count;
        if (error == "none") break;
        EXPECT_NE(error.find("STANDIN:0 was lost"), std::string::npos) << error;
        ++losses;
      }
    return losses;
  }
  FuncName define(const std::string& name, const std::vector<DType>& types,
                  const std::function<Values(Scope&, const Values&)>& build) {
    FunctionBuilder builder(*p.graph);
    Values arguments;
    for (const DType type : types) arguments.push_back(builder.add_argument(type, "a"));
    Scope inner(*builder.body());
    define_function(*p.graph, builder.finish(build(inner, arguments), {.name = name}));
    return {name, {}};
  }
};

TEST_F(StandInFaults, in_a_step_over_three_devices) {
  const Output x = placeholder({-1, 4});
  Output y = on(kFirst, "MatMul", {x, p.scope.constant(numbers(4, 4))});
  y = on(kSecond, "Tanh", {on(kFirst, "Exp", {on("/cpu:0", "Neg", {y})})});
  y = on(kFirst, "Mul", {y, on(kFirst, "Neg", {x})});
  const std::vector<Feed> feeds{{x, numbers(3, 4)}};
  Session session(p.graph);
  EXPECT_GE(lose_everywhere(session, y, feeds), 6);
}

TEST_F(StandInFaults, in_a_loop_whose_condition_comes_from_the_card) {
  const Output x = placeholder({});
  for (const bool spans : {false, true}) {
    const Scope outer = p.scope;
    p.scope = p.scope.on_device(kFirst);
    const auto left = p.loop(
        spans ? "spanning" : "frame", {x, x},
        [&](const auto& v) {
          return p.op("Less", {v[0], Tensor::scalar(20.0f)});
        },
        [&](const auto& v) {
          const Output there = spans ? on(kSecond, "Exp", {v[1]}) : p.op("Exp", {v[1]});
          return Values{p.op("AddV2", {v[0], there}), p.op("Mul", {v[1], Tensor::scalar(0.5f)})};
        });
    const Output y = p.op("AddV2", {left[0], left[1]});
    p.scope = outer;
    const std::vector<Feed> feeds{{x, Tensor::scalar(2.0f)}};
    Session session(p.graph);
    EXPECT_GE(lose_everywhere(session, y, feeds), 20);
  }
}

TEST_F(StandInFaults, in_functions_that_loop_and_choose) {
  const std::vector<DType> types{DType::i32, DType::f32};
  const FuncName condition = define("condition", types, [](Scope& s, const Values& a) {
    return Values{s.add("Less", {a[0], Tensor::scalar(3)}).output()};
  });
  const FuncName then = define("then", {DType::f32}, [](Scope& s, const Values& a) {
    return Values{s.add("Tanh", {s.add("Exp", {a[0]}).output()}).output()};
  });
  const FuncName otherwise = define("otherwise", {DType::f32}, [](Scope& s, const Values& a) {
    return Values{s.add("Neg", {a[0]}).output()};
  });
  const FuncName body = define("body", types, [&](Scope& s, const Values& a) {
    const Output sum = s.add("Sum", {a[1], Tensor::vector<std::int32_t>({0, 1})}).output();
    Node& choice = s.add(
        "If", {s.add("Greater", {sum, Tensor::scalar(0.0f)}).output(), std::vector<Input>{a[1]}},
        {{"then_branch", then},
         {"else_branch", otherwise},
         {"Tout", std::vector<DType>{DType::f32}}});
    return Values{s.add("AddV2", {a[0], Tensor::scalar(1)}).output(), choice.output()};
  });
  const Output x = placeholder({-1, 4});
  Node& loop = p.scope.on_device(kFirst).add("While", {std::vector<Input>{Tensor::scalar(0), x}},
                                             {{"cond", condition}, {"body", body}});
  const std::vector<Feed> feeds{{x, numbers(2, 4)}};
  for (const bool inlined : {true, false}) {
    Session session(p.graph, {.inline_calls = inlined});
    EXPECT_GE(lose_everywhere(session, loop.output(1), feeds), 12);
  }
}

// What a variable was before a step that failed, or what the step made of it: nothing else.
TEST_F(StandInFaults, while_variables_change) {
  const Scope outer = p.scope;
  p.scope = p.scope.on_device(kFirst);
  const AttrMap of{{"dtype", DType::f32}, {"shape", PartialShape{2}}};
  const Output handle = p.op("VarHandleOp", {}, of, "v");
  Node& init = p.scope.add("AssignVariableOp", {handle, Tensor::vector<float>({0, 0})});
  Node& add = p.scope.add("AssignAddVariableOp",
                          {handle, p.op("Exp", {p.scope.constant(Tensor::vector<float>({0, 0}))})});
  const Output read = p.op("ReadVariableOp", {handle}, {{"dtype", DType::f32}});
  p.scope = outer;
  SessionOptions options;
  options.fold = false;
  Session session(p.graph, options);
  session.run(init);
  float before = 0;
  for (const StandInEvent event :
       {StandInEvent::kernel, StandInEvent::copy, StandInEvent::allocation})
    for (int count = 1; count < 5; ++count) {
      card().lose_at(event, count);
      const std::string error = error_of([&] { session.run(add); });
      card().find_again();
      const Tensor now = session.run(read);
      const float value = now.flat<float>()[0];
      EXPECT_EQ(value, now.flat<float>()[1]);
      EXPECT_TRUE(value == before + 1 || (value == before && error != "none")) << error;
      before = value;
    }
}

// A step with feeds and fetches in between, over CPU and card.
TEST_F(StandInFaults, in_partial_runs) {
  const Output x = placeholder({-1}, "x"), z = placeholder({-1}, "z");
  const Output first = on(kFirst, "Exp", {x});
  const Output second = on(kFirst, "Mul", {on("/cpu:0", "Neg", {first}), on(kFirst, "Tanh", {z})});
  const Tensor fed = Tensor::vector<float>({1, 2});
  const std::vector<Feed> feeds{{x, fed}, {z, fed}};
  const Tensor wanted_first = on_cpu(first, feeds), wanted_second = on_cpu(second, feeds);
  Session session(p.graph);
  const auto run = [&] {
    const std::string handle =
        session.partial_run_setup(std::vector{x, z}, std::vector{first, second});
    EXPECT_TRUE(
        identical(session.partial_run(handle, std::vector<Feed>{{x, fed}}, std::vector{first})[0],
                  wanted_first));
    EXPECT_TRUE(
        identical(session.partial_run(handle, std::vector<Feed>{{z, fed}}, std::vector{second})[0],
                  wanted_second));
  };
  run();
  int losses = 0;
  for (const StandInEvent event :
       {StandInEvent::kernel, StandInEvent::copy, StandInEvent::allocation})
    for (int count = 1;; ++count) {
      card().lose_at(event, count);
      const std::string error = error_of(run);
      card().find_again();
      run();
      if (error == "none") break;
      EXPECT_NE(error.find("STANDIN:0 was lost"), std::string::npos) << error;
      ++losses;
    }
  EXPECT_GE(losses, 6);
}

}  // namespace
}  // namespace rill
