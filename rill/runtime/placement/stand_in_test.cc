// Sessions with a device whose memory is its own and whose kernels run late: what goes up and down,
// which arguments stay on the host, and how wrong accesses, late errors, full memory and a lost
// card show.
#include <gtest/gtest.h>

#include <thread>

#include "rill/runtime/placement/stand_in_fixture_testing.h"

namespace rill {
namespace {

TEST_F(StandInTest, a_step_gives_the_cpus_bits) {
  const Output x = placeholder({-1, 8});
  const Output w = p.scope.constant(numbers(8, 8));
  Output y = x;
  for (int i = 0; i < 3; ++i) {
    y = on(kFirst, "MatMul", {y, w});
    y = on(kFirst, "BiasAdd", {y, p.scope.constant(numbers(1, 8).reshaped({8}))});
    y = on(kFirst, "Relu", {y});
    y = on(kFirst, "Mul", {y, Tensor::scalar(0.01f)});
  }
  const std::vector<Feed> feeds{{x, numbers(5, 8)}};
  Session session(p.graph);
  for (int i = 0; i < 4; ++i) {
    const int up = card().counts.up, down = card().counts.down, kernels = kernels_run();
    EXPECT_TRUE(identical(session.run(y, feeds), on_cpu(y, feeds)));
    EXPECT_EQ(card().counts.down - down, 1);
    if (i > 0) {
      EXPECT_EQ(card().counts.up - up, 1);  // constants went before
    }
    EXPECT_EQ(kernels_run() - kernels, 12);
    EXPECT_GT(card().counts.late, 0);
  }
}

TEST_F(StandInTest, a_warm_step_asks_for_no_memory) {
  const Output x = placeholder({-1, 8});
  Output y = x;
  for (int i = 0; i < 6; ++i) y = on(kFirst, "Tanh", {y});
  Session session(p.graph);
  const std::vector<Feed> feeds{{x, numbers(4, 8)}};
  const auto run = [&] {
    session.run(y, feeds);
    card().copies().wait_for(card().copies().added());  // and lets go of what it copied
  };
  for (int i = 0; i < 5; ++i) run();
  {  // for when a copy lets go of its memory a moment later than in the steps before
    std::vector<Tensor> spare;
    for (int i = 0; i < 16; ++i) spare.emplace_back(DType::f32, Shape{4, 8}, card());
  }
  const AllocatorStats before = card().stats();
  for (int i = 0; i < 5; ++i) run();
  EXPECT_EQ(card().stats().system_count, before.system_count);
  EXPECT_EQ(card().stats().live_bytes, before.live_bytes);
}

TEST_F(StandInTest, nodes_go_to_the_device_that_has_a_kernel) {
  const Output x = placeholder({-1, 2});
  const Output text = p.op("AsString", {p.op("Square", {x}, {}, "square")}, {}, "text");
  Session session(p.graph);
  const auto found = devices_of(session, text, {{x, numbers(1, 2)}});
  EXPECT_TRUE(found.at("square").ends_with("STANDIN:0"));
  EXPECT_TRUE(found.at("text").ends_with("CPU:0"));
}

TEST_F(StandInTest, a_missing_kernel_is_an_error_unless_placement_is_soft) {
  const Output x = placeholder({-1, 2});
  const Output text = on(kFirst, "AsString", {x}, {}, "text");
  const std::vector<Feed> feeds{{x, numbers(1, 2)}};
  Session strict(p.graph);
  EXPECT_NE(error_of([&] { strict.run(text, feeds); }).find("no supported kernel for STANDIN"),
            std::string::npos);
  SessionOptions options;
  options.allow_soft_placement = true;
  Session soft(p.graph, options);
  EXPECT_EQ(soft.run(text, feeds).element_count(), 2);
}

TEST_F(StandInTest, device_count_and_list_devices) {
  SessionOptions one;
  one.device_count["STANDIN"] = 1;
  EXPECT_EQ(Session(p.graph, one).list_devices().size(), 2u);
  const auto all = Session(p.graph).list_devices();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[2].name, "/job:localhost/replica:0/task:0/device:STANDIN:1");
  EXPECT_EQ(all[2].type, "STANDIN");
  EXPECT_NE(all[2].incarnation, 0u);
}

// Shapes and axes are read on the host, wherever they come from; shapes are computed there.
TEST_F(StandInTest, some_arguments_are_in_host_memory) {
  const Output x = placeholder({-1, -1});
  const Output axis = placeholder({}, "axis", DType::i32);
  const Output shape = on(kFirst, "Shape", {on(kFirst, "Neg", {x})});
  const Output flat =
      on(kFirst, "Reshape",
         {on(kFirst, "Exp", {x}), p.scope.constant(Tensor::vector<std::int32_t>({-1}))});
  const Output again = on(kFirst, "Reshape", {flat, shape});
  const Output sum = on(kFirst, "Sum", {again, axis});
  Session session(p.graph);
  for (const int i : {0, 1}) {
    const std::vector<Feed> feeds{{x, numbers(3, 4)}, {axis, Tensor::scalar(i)}};
    EXPECT_TRUE(identical(session.run(sum, feeds), on_cpu(sum, feeds)));
  }
}

// int32 stays on the host as in TensorFlow; what then computes with it in float is on the device.
TEST_F(StandInTest, values_change_memory_within_a_partition) {
  const Output x = placeholder({-1}, "x", DType::i32);
  const Output y = on(kFirst, "Cast", {on(kFirst, "AddV2", {x, x})},
                      {{"SrcT", DType::i32}, {"DstT", DType::f32}});
  const Output z = on(kFirst, "Sqrt", {y});
  const std::vector<Feed> feeds{{x, Tensor::vector<std::int32_t>({2, 8, 18})}};
  Session session(p.graph);
  EXPECT_TRUE(identical(session.run(z, feeds), on_cpu(z, feeds)));
}

// A variable of int32 lies on the card like others, although such values are in host memory.
TEST_F(StandInTest, a_reference_that_is_passed_on) {
  const Output v =
      on(kFirst, "VariableV2", {}, {{"dtype", DType::i32}, {"shape", PartialShape{2}}}, "v");
  Node& init = p.scope.add("Assign", {v, Tensor::vector<std::int32_t>({5, 7})});
  const Output pred = placeholder({}, "pred", DType::boolean);
  Node& branch = p.scope.on_device(kFirst).add("RefSwitch", {v, pred});
  Node& merged = p.scope.on_device(kFirst).add(
      "Merge", {std::vector<Input>{on(kFirst, "Identity", {branch.output(0)}),
                                   on(kFirst, "Neg", {branch.output(1)})}});
  const Output sum = on(kFirst, "AddV2", {merged.output(0), Tensor::scalar(1)});
  Session session(p.graph);
  session.run(init);
  for (const bool taken : {false, true}) {
    const Tensor result = session.run(sum, std::vector<Feed>{{pred, Tensor::scalar(taken)}});
    EXPECT_EQ(result.flat<std::int32_t>()[1], taken ? -6 : 8);
  }
}

TEST_F(StandInTest, two_cards_exchange_values) {
  const Output x = placeholder({-1, 2});
  Output y = x;
  for (int i = 0; i < 10; ++i) y = on(i % 2 == 0 ? kFirst : kSecond, "Sin", {y});
  const std::vector<Feed> feeds{{x, numbers(6, 2)}};
  Session session(p.graph);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(identical(session.run(y, feeds), on_cpu(y, feeds)));
  EXPECT_GE(card(1).counts.late, 15);
}

TEST_F(StandInTest, branches_and_loops) {
  Scope outer = p.scope;
  p.scope = p.scope.on_device(kFirst);
  const Output x = placeholder({});
  const Output positive = p.op("Greater", {x, Tensor::scalar(0.0f)});
  const Output branch = p.cond(
      positive, x,
      [&](Output v) {
        return p.op("Mul", {v, Tensor::scalar(3.0f)});
      },
      [&](Output v) { return p.op("Neg", {v}); });
  const auto left = p.loop(
      "frame", {branch, x},
      [&](const auto& v) {
        return p.op("Less", {v[0], Tensor::scalar(100.0f)});
      },
      [&](const auto& v) {
        return LoopProgram::Values{p.op("AddV2", {v[0], p.op("Exp", {v[1]})}),
                                   p.op("Mul", {v[1], Tensor::scalar(0.5f)})};
      });
  const Output y = p.op("AddV2", {left[0], left[1]});
  p.scope = outer;
  Session session(p.graph);
  for (const float fed : {2.0f, -1.5f}) {
    const std::vector<Feed> feeds{{x, Tensor::scalar(fed)}};
    EXPECT_TRUE(identical(session.run(y, feeds), on_cpu(y, feeds)));
  }
}

TEST_F(StandInTest, a_variable_lies_on_the_card) {
  Scope outer = p.scope;
  p.scope = p.scope.on_device(kFirst);
  const Output handle =
      p.op("VarHandleOp", {}, {{"dtype", DType::f32}, {"shape", PartialShape{3, 4}}}, "v");
  const Output value = p.scope.constant(numbers(3, 4));
  Node& init = p.scope.add("AssignVariableOp", {handle, value}, {{"dtype", DType::f32}});
  const Output read = p.op("ReadVariableOp", {handle}, {{"dtype", DType::f32}});
  Node& add = p.scope.add("AssignAddVariableOp", {handle, p.op("Mul", {value, value})},
                          {{"dtype", DType::f32}});
  const Output twice = p.op("AddV2", {read, read});
  p.scope = outer;
  Session session(p.graph);
  session.run(init);
  const Tensor before = session.run(twice);
  session.run(add);
  session.run(add);
  const Tensor after = session.run(twice);
  for (int i = 0; i < 12; ++i) {
    const float start = numbers(3, 4).flat<float>()[static_cast<std::size_t>(i)];
    EXPECT_EQ(before.flat<float>()[static_cast<std::size_t>(i)], 2 * start);
    EXPECT_EQ(after.flat<float>()[static_cast<std::size_t>(i)],
              2 * (start + start * start + start * start));
  }
  bool found = false;
  for (const auto& resource : session.resources().all())
    if (const auto* variable = dynamic_cast<const VariableResource*>(resource.get())) {
      found = true;
      EXPECT_EQ(variable->read().memory_kind(), MemoryKind::device);
    }
  EXPECT_TRUE(found);
}

// A copy keeps no kernel waiting: while one is held up, what was enqueued after it runs.
TEST_F(StandInTest, kernels_go_on_beside_a_copy) {
  const Output v =
      on(kFirst, "VariableV2", {}, {{"dtype", DType::f32}, {"shape", PartialShape{2}}}, "v");
  Node& init = p.scope.add("Assign", {v, Tensor::vector<float>({1, 2})});
  const Output y = on(kFirst, "Exp", {v});
  const Output z = on(kFirst, "Neg", {y});
  Session session(p.graph);
  session.run(init);
  const auto run = [&] { return session.run({}, std::vector{y}, std::vector<Node*>{z.node})[0]; };
  const Tensor first = run();
  card().copies().pause(true);
  const int late = card().counts.late;
  std::thread resuming([&] {
    const auto ran = [&] {
      return card().counts.late == late + 2 && card().kernels().done() == card().kernels().added();
    };
    while (!ran() || card().copies().added() == card().copies().done()) std::this_thread::yield();
    card().copies().pause(false);
  });
  EXPECT_TRUE(identical(run(), first));
  resuming.join();
}

// --- wrong accesses ----------------------------------------------------------------------------

TEST_F(StandInTest, the_host_may_not_read_device_memory) {
  const Tensor here = numbers(2, 3);
  const Tensor there = here.copied_to(card());
  EXPECT_EQ(there.memory_kind(), MemoryKind::device);
  EXPECT_NE(error_of([&] { there.flat<float>(); }).find("about to touch"), std::string::npos);
  EXPECT_TRUE(identical(there.on_host(), here));
  EXPECT_TRUE(identical(there.clone().on_host(), here));
  EXPECT_EQ(there.clone().memory_kind(), MemoryKind::device);
  EXPECT_NE(error_of([&] { Tensor(DType::string, {1}, card()); }), "none");
}

TEST_F(StandInTest, reading_it_past_tensors_faults_slow) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const Tensor there = numbers(2, 3).copied_to(card());
  volatile float sink = 0;
  EXPECT_DEATH(sink = *static_cast<const float*>(there.raw_data()), "");
  (void)sink;
}

// A kernel for the device that touches its input on the caller's thread.
TEST_F(StandInTest, a_kernel_that_reads_on_the_host_fails_the_step) {
  static const bool added = [] {
    KernelEntry wrong{.op = nullptr, .run = [](KernelCall& call) {
                        call.set_output(0, Tensor::scalar(call.input<float>(0)[0]));
                      }};
    wrong.allocates = true;
    standard_kernels().add("NthElement", "STANDIN", wrong);
    return true;
  }();
  ASSERT_TRUE(added);
  const Output x = placeholder({-1});
  const Output y =
      on(kFirst, "NthElement", {on(kFirst, "Neg", {x}), Tensor::scalar(0)}, {}, "wrong");
  Session session(p.graph);
  const std::vector<Feed> feeds{{x, Tensor::vector<float>({1, 2})}};
  const std::string error = error_of([&] { session.run(y, feeds); });
  for (const char* part : {"about to touch", "STANDIN:0", "[[node wrong"})
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

// Copies that do not wait for the kernels before them bring something else than the result.
TEST_F(StandInTest, using_a_value_too_early_is_seen) {
  const Output x = placeholder({-1});
  const Output y = on(kFirst, "Exp", {x});
  const std::vector<Feed> feeds{{x, Tensor::vector<float>({1, 2})}};
  Session session(p.graph);
  for (const bool early : {true, false}) {
    card().copy_too_early(early);
    card().kernels().pause(true);
    const int down = card().counts.down;
    std::thread later([&] {
      if (early) {
        while (card().counts.down == down || card().copies().done() < card().copies().added())
          std::this_thread::yield();
      }
      card().kernels().pause(false);
    });
    const Tensor result = session.run(y, feeds);
    later.join();
    EXPECT_EQ(identical(result, on_cpu(y, feeds)), !early);
  }
}

// --- what goes wrong ---------------------------------------------------------------------------

TEST_F(StandInTest, an_error_that_comes_late_names_its_node) {
  const Output x = placeholder({-1}, "x", DType::i32);
  const Output up = on(kFirst, "Cast", {x}, {{"SrcT", DType::i32}, {"DstT", DType::i64}});
  const Output y = p.scope.from(origin_at(std::source_location::current()))
                       .on_device(kFirst)
                       .add("Gather", {p.scope.constant(numbers(4, 2)), up}, {}, "late")
                       .output();
  const Output z = on(kFirst, "Neg", {y});
  Session session(p.graph);
  const std::vector<Feed> wrong{{x, Tensor::vector<std::int32_t>({1, 7})}};
  const std::vector<Feed> right{{x, Tensor::vector<std::int32_t>({1, 3})}};
  for (int i = 0; i < 3; ++i) {
    const std::string error = error_of([&] { session.run(z, wrong); });
    for (const char* part : {"7", "late", "stand_in_test.cc", "STANDIN:0", "float[4,2]"})
      EXPECT_NE(error.find(part), std::string::npos) << part << " in " << error;
    EXPECT_TRUE(identical(session.run(z, right), on_cpu(z, right)));
  }
}

TEST_F(StandInTest, full_memory_is_an_error_and_the_step_can_be_repeated) {
  const Output x = placeholder({-1, 8});
  const Output y = on(kFirst, "Tanh", {on(kFirst, "Tanh", {x})}, {}, "tanh");
  Session session(p.graph);
  card().set_limit(64 << 10);
  const std::string error = error_of([&] {
    session.run(y, std::vector<Feed>{{x, numbers(4096, 8)}});
  });
  EXPECT_NE(error.find("OOM"), std::string::npos) << error;
  EXPECT_NE(error.find("STANDIN"), std::string::npos) << error;
  EXPECT_EQ(session.run(y, std::vector<Feed>{{x, numbers(2, 8)}}).dim(0), 2);
  card().set_limit(0);
  EXPECT_EQ(session.run(y, std::vector<Feed>{{x, numbers(4096, 8)}}).dim(0), 4096);
}

TEST_F(StandInTest, a_card_that_is_lost_in_mid_step_ends_it) {
  const Output x = placeholder({-1});
  const Output y = on(kSecond, "Neg", {on(kFirst, "Exp", {on(kFirst, "Sin", {x})})});
  const std::vector<Feed> feeds{{x, Tensor::vector<float>({1, 2})}};
  Session session(p.graph);
  session.run(y, feeds);
  for (int i = 0; i < 3; ++i) {
    card().kernels().pause(true);
    const std::uint64_t before = card().kernels().added();
    std::thread losing([&] {
      while (card().kernels().added() == before) std::this_thread::yield();
      card().lose();
      card().kernels().pause(false);
    });
    for (int again = 0; again < 2; ++again) {
      const std::string error = error_of([&] { session.run(y, feeds); });
      EXPECT_NE(error.find("STANDIN:0 was lost"), std::string::npos) << error;
    }
    losing.join();
    card().find_again();
    EXPECT_TRUE(identical(session.run(y, feeds), on_cpu(y, feeds)));
  }
}

TEST_F(StandInTest, threads_share_a_card) {
  const Output x = placeholder({});
  const Output y = on(kFirst, "Neg", {on(kSecond, "Square", {on(kFirst, "Neg", {x})})});
  Session session(p.graph);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const float fed = static_cast<float>(t);
      for (int i = 0; i < 20; ++i)
        wrong += session.run(y, {{x, Tensor::scalar(fed)}}).scalar_value<float>() != -fed * fed;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// --- rewrites ----------------------------------------------------------------------------------

// The CPU's fused kernels are not there; no rewrite may need one.
TEST_F(StandInTest, rewrites_ask_for_the_fused_kernel) {
  const auto chain = [&](const char* device) {
    const Output x = placeholder({-1, 8});
    Output y = on(device, "MatMul", {x, p.scope.constant(numbers(8, 8))});
    y = on(device, "BiasAdd", {y, p.scope.constant(numbers(1, 8).reshaped({8}))});
    y = on(device, "Tanh", {on(device, "Exp", {on(device, "Neg", {on(device, "Relu", {y})})})});
    return std::pair(x, y);
  };
  Session session(p.graph);
  for (const auto& [device, is_fused] : {std::pair("/cpu:0", true), std::pair(kFirst, false)}) {
    const auto [x, y] = chain(device);
    const std::vector<Feed> feeds{{x, numbers(3, 8)}};
    StepStats stats;
    session.run(feeds, std::vector{y}, {}, {.trace = true}, &stats);
    const bool fused = std::ranges::any_of(
        stats.nodes, [](const NodeStats& node) { return node.op == "_MatMulEpilogue"; });
    EXPECT_EQ(fused, is_fused) << device;
  }
}

}  // namespace
}  // namespace rill
