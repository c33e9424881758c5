// Functions whose callers run on a device with memory of its own: their bodies run there too.
#include "rill/graph/function_define.h"
#include "rill/runtime/placement/stand_in_fixture_testing.h"

namespace rill {
namespace {

class StandInFunctions : public StandInTest {
 protected:
  using Outputs = std::vector<Output>;
  using Build = std::function<Outputs(Scope&, const Outputs&)>;

  FuncName define(const std::string& name, const std::vector<DType>& types, const Build& build) {
    FunctionBuilder builder(*p.graph);
    Outputs arguments;
    for (const DType type : types) arguments.push_back(builder.add_argument(type, "a"));
    Scope inner(*builder.body());
    define_function(*p.graph, builder.finish(build(inner, arguments), {.name = name}));
    return {name, {}};
  }
  static Output op(Scope& s, std::string_view type, std::vector<InputArg> inputs,
                   AttrMap attrs = {}, std::string_view name = {}) {
    return s.add(type, std::move(inputs), std::move(attrs), name).output();
  }
  FuncName define_squash() {
    return define("squash", {DType::f32}, [](Scope& s, const Outputs& a) {
      return Outputs{op(s, "Tanh", {op(s, "Mul", {a[0], Tensor::scalar(0.5f)})}, {}, "squash_it")};
    });
  }
  static bool ends_on(const std::map<std::string, std::string>& devices, const std::string& node,
                      const char* device) {
    return devices.contains(node) && devices.at(node).ends_with(device);
  }
  void expect_the_cpus_bits(const Output& y, const std::vector<Feed>& feeds) {
    for (const bool inlined : {true, false}) {
      Session session(p.graph, {.inline_calls = inlined});
      for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(identical(session.run(y, feeds), on_cpu(y, feeds))) << inlined;
    }
  }
};

TEST_F(StandInFunctions, a_call_runs_on_the_device_of_its_node) {
  define_squash();
  const Output x = placeholder({-1, 4});
  const Output y = p.op("squash", {p.op("Exp", {x})});
  const std::vector<Feed> feeds{{x, numbers(3, 4)}};
  expect_the_cpus_bits(y, feeds);
  Session session(p.graph, {.inline_calls = false});
  const int before = kernels_run();
  EXPECT_TRUE(ends_on(devices_of(session, y, feeds), "squash_it", "STANDIN:0"));
  EXPECT_GE(kernels_run() - before, 3);
  Session inlined(p.graph);
  EXPECT_TRUE(ends_on(devices_of(inlined, y, feeds), "squash/squash_it", "STANDIN:0"));
}

TEST_F(StandInFunctions, what_the_device_has_no_kernels_for_runs_on_the_cpu) {
  define("shown", {DType::f32}, [](Scope& s, const Outputs& a) {
    return Outputs{
        op(s, "StringToNumber", {op(s, "AsString", {op(s, "Tanh", {a[0]})}, {}, "text")})};
  });
  define("outer", {DType::f32}, [](Scope& s, const Outputs& a) {
    return Outputs{op(s, "shown", {op(s, "Neg", {a[0]})})};
  });
  const Output x = placeholder({-1});
  const Output y = p.op("outer", {p.op("Exp", {x})});
  const std::vector<Feed> feeds{{x, Tensor::vector<float>({1, 2})}};
  expect_the_cpus_bits(y, feeds);
  Session session(p.graph, {.inline_calls = false});
  EXPECT_TRUE(ends_on(devices_of(session, y, feeds), "text", "CPU:0"));
  const Output there = on(kFirst, "outer", {x});
  EXPECT_NE(error_of([&] { session.run(there, feeds); }).find("no supported kernel for STANDIN"),
            std::string::npos);
}

TEST_F(StandInFunctions, branches) {
  const FuncName then = define_squash();
  const FuncName otherwise = define("otherwise", {DType::f32}, [](Scope& s, const Outputs& a) {
    return Outputs{op(s, "Neg", {a[0]})};
  });
  const Output x = placeholder({-1, 4});
  const Output total = on(kFirst, "Sum", {x, Tensor::vector<std::int32_t>({0, 1})});
  const Output y = on(kFirst, "If",
                      {on(kFirst, "Greater", {total, Tensor::scalar(0.0f)}), std::vector<Input>{x}},
                      {{"then_branch", then},
                       {"else_branch", otherwise},
                       {"Tout", std::vector<DType>{DType::f32}}});
  for (const int rows : {2, 9}) expect_the_cpus_bits(y, {{x, numbers(rows, 4)}});
}

// The counter is int32 and stays in host memory; the matrix stays on the card.
TEST_F(StandInFunctions, loops) {
  const std::vector<DType> types{DType::i32, DType::f32};
  const FuncName test = define("test", types, [](Scope& s, const Outputs& a) {
    return Outputs{op(s, "Less", {a[0], Tensor::scalar(5)})};
  });
  const FuncName warm = define("warm", types, [](Scope& s, const Outputs& a) {
    const Output sum = op(s, "Sum", {a[1], Tensor::vector<std::int32_t>({0, 1})});
    return Outputs{op(s, "Less", {sum, Tensor::scalar(40.0f)})};
  });
  const FuncName body = define("body", types, [](Scope& s, const Outputs& a) {
    return Outputs{op(s, "AddV2", {a[0], Tensor::scalar(1)}, {}, "count"),
                   op(s, "AddV2", {op(s, "Tanh", {a[1]}, {}, "step"), a[1]})};
  });
  const Output x = placeholder({-1, 4});
  const std::vector<Feed> feeds{{x, numbers(5, 4)}};
  for (const FuncName& condition : {test, warm}) {
    Node& loop = p.scope.on_device(kFirst).add("While", {std::vector<Input>{Tensor::scalar(0), x}},
                                               {{"cond", condition}, {"body", body}});
    expect_the_cpus_bits(loop.output(1), feeds);
    Session session(p.graph);
    const auto devices = devices_of(session, loop.output(1), feeds);
    EXPECT_TRUE(ends_on(devices, "step", "STANDIN:0"));
    const int up = card().counts.up;
    session.run(loop.output(1), feeds);
    EXPECT_EQ(card().counts.up - up, 1);  // iterations bring nothing
  }
  const FuncName times = define("times", types, [](Scope& s, const Outputs& a) {
    const Output i = op(s, "Cast", {a[0]}, {{"SrcT", DType::i32}, {"DstT", DType::f32}});
    return Outputs{op(s, "AddV2", {a[1], i})};
  });
  Node& counted = p.scope.on_device(kFirst).add(
      "For", {Tensor::scalar(0), Tensor::scalar(4), Tensor::scalar(1), std::vector<Input>{x}},
      {{"body", times}});
  expect_the_cpus_bits(counted.output(), feeds);
}

TEST_F(StandInFunctions, a_variable_that_is_given_to_one_lies_on_the_card) {
  const FuncName grow =
      define("grow", {DType::resource, DType::f32}, [](Scope& s, const Outputs& a) {
        Node& add = s.add("AssignAddVariableOp", {a[0], a[1]}, {{"dtype", DType::f32}});
        Node* nodes[] = {&add};
        Scope after = s.with_control(nodes);
        return Outputs{op(after, "ReadVariableOp", {a[0]}, {{"dtype", DType::f32}})};
      });
  const AttrMap of{{"dtype", DType::f32}, {"shape", PartialShape{2, 2}}};
  const Output handle = p.op("VarHandleOp", {}, of, "v");
  const Tensor start = numbers(2, 2);
  Node& init = p.scope.add("AssignVariableOp", {handle, start}, {{"dtype", DType::f32}});
  const Output grown = p.op("PartitionedCall", {std::vector<Input>{handle, start}},
                            {{"f", grow}, {"Tout", std::vector<DType>{DType::f32}}});
  for (const bool inlined : {true, false}) {
    Session session(p.graph, {.inline_calls = inlined});
    session.run(init);
    session.run(grown);
    const Tensor value = session.run(grown);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(value.flat<float>()[i], start.flat<float>()[i] * 2 + start.flat<float>()[i]);
    for (const auto& resource : session.resources().all()) {
      const auto* variable = dynamic_cast<const VariableResource*>(resource.get());
      if (variable == nullptr) continue;
      EXPECT_EQ(variable->read().memory_kind(), MemoryKind::device);
    }
  }
}

TEST_F(StandInFunctions, arguments_and_constants_that_are_passed_on) {
  define("pass", {DType::f32, DType::i32}, [](Scope& s, const Outputs& a) {
    return Outputs{a[1], a[0], s.constant(Tensor::scalar(7.0f))};
  });
  const Output x = placeholder({-1}), n = placeholder({}, "n", DType::i32);
  Node& call = p.scope.add("pass", {p.op("Neg", {x}), n});
  const Output sum = p.op("AddV2", {call.output(1), call.output(2)});
  const std::vector<Feed> feeds{{x, Tensor::vector<float>({1, 2})}, {n, Tensor::scalar(3)}};
  expect_the_cpus_bits(sum, feeds);
  expect_the_cpus_bits(call.output(0), feeds);
}

TEST_F(StandInFunctions, late_errors_and_lost_cards_name_what_failed) {
  define("pick", {DType::f32, DType::i64}, [](Scope& s, const Outputs& a) {
    return Outputs{op(s, "Gather", {a[0], a[1]}, {}, "picked")};
  });
  const Output x = placeholder({-1}), i = placeholder({}, "i", DType::i64);
  const Output y = on(kFirst, "pick", {x, i}, {}, "caller");
  const auto feeds = [&](std::int64_t at) {
    return std::vector<Feed>{{x, Tensor::vector<float>({4, 5})}, {i, Tensor::scalar(at)}};
  };
  for (const bool inlined : {true, false}) {
    Session session(p.graph, {.inline_calls = inlined});
    const std::string error = error_of([&] { session.run(y, feeds(9)); });
    for (const char* part : {"picked", "9", "STANDIN:0"})
      EXPECT_NE(error.find(part), std::string::npos) << error;
    card().lose();
    EXPECT_NE(error_of([&] { session.run(y, feeds(1)); }).find("STANDIN:0 was lost"),
              std::string::npos);
    card().find_again();
    EXPECT_EQ(session.run(y, feeds(1)).scalar_value<float>(), 5);
  }
}

// A value inside of a loop on the card may be fed: it goes up once.
TEST_F(StandInFunctions, a_feed_inside_of_a_loop) {
  Scope outer = p.scope;
  p.scope = p.scope.on_device(kFirst);
  const Output x = placeholder({});
  Output inner;
  const auto left = p.loop(
      "frame", {x},
      [&](const auto& v) {
        return p.op("Less", {v[0], Tensor::scalar(50.0f)});
      },
      [&](const auto& v) {
        inner = p.op("Mul", {v[0], Tensor::scalar(2.0f)}, {}, "inner");
        return LoopProgram::Values{p.op("AddV2", {v[0], inner})};
      });
  p.scope = outer;
  const std::vector<Feed> feeds{{x, Tensor::scalar(1.0f)}, {inner, Tensor::scalar(3.0f)}};
  Session session(p.graph);
  EXPECT_EQ(session.run(left[0], feeds).scalar_value<float>(), 52);
  const int up = card().counts.up;
  EXPECT_EQ(session.run(left[0], feeds).scalar_value<float>(), 52);
  EXPECT_EQ(card().counts.up - up, 2);
}

TEST_F(StandInFunctions, memory_is_counted_by_device) {
  const Output x = placeholder({-1, 8});
  const Output y = on(kFirst, "Tanh", {on(kFirst, "Tanh", {x})});
  const Output most = on(kFirst, "MaxBytesInUse", {});
  const Output limit = on(kFirst, "BytesLimit", {}), used = on(kFirst, "BytesInUse", {});
  const Output other = on(kSecond, "MaxBytesInUse", {});
  Session session(p.graph);
  session.run(y, std::vector<Feed>{{x, numbers(512, 8)}});
  EXPECT_GE(session.run(most).scalar_value<std::int64_t>(), 512 * 8 * 4);
  EXPECT_LT(session.run(used).scalar_value<std::int64_t>(),
            session.run(most).scalar_value<std::int64_t>() + 1);
  EXPECT_EQ(session.run(other).scalar_value<std::int64_t>(), 0);
  card().set_limit(1 << 20);
  EXPECT_EQ(session.run(limit).scalar_value<std::int64_t>(), 1 << 20);
  EXPECT_GT(session.run(on("/cpu:0", "MaxBytesInUse", {})).scalar_value<std::int64_t>(), 0);
}

}  // namespace
}  // namespace rill
