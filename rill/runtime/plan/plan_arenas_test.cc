// Steps whose values lie in an arena: the same results as without, values that outlive steps, and
// how little is asked of the allocator.
#include "rill/runtime/plan/plan_arenas.h"

#include <gtest/gtest.h>

#include <thread>

#include "rill/grad/gradients.h"
#include "rill/graph/scope.h"
#include "rill/kernel/host_functions.h"
#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"
#include "rill/runtime/compile/compile.h"
#include "rill/runtime/executor/run_plan.h"
#include "rill/runtime/memory/cpu_device.h"
#include "rill/runtime/session/config.h"
#include "rill/runtime/session/session.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow/core/protobuf/rewriter_config.pb.h"

namespace rill {
namespace {

Tensor ramp(Shape shape) {
  Tensor t(DType::f32, std::move(shape));
  int i = 0;
  for (float& value : t.flat<float>()) value = static_cast<float>(i++ * 37 % 100) / 500 - 0.1f;
  return t;
}

// A residual network: layers with a way around each, trained by gradient descent.
struct Net {
  static constexpr int kLayers = 10, kWidth = 64;
  std::shared_ptr<Graph> graph = std::make_shared<Graph>(standard_ops());
  Scope scope{*graph};
  Output x, middle, last, loss;
  Node *init, *train;

  Output op(std::string_view type, std::vector<InputArg> inputs, AttrMap attrs = {}) {
    return scope.add(type, std::move(inputs), std::move(attrs)).output();
  }

  Net() {
    x = op("Placeholder", {}, {{"dtype", DType::f32}, {"shape", PartialShape{-1, kWidth}}});
    std::vector<Output> weights;
    std::vector<Node*> inits, updates;
    Output h = x;
    for (int i = 0; i < kLayers; ++i) {
      weights.push_back(
          op("VariableV2", {}, {{"dtype", DType::f32}, {"shape", PartialShape{kWidth, kWidth}}}));
      inits.push_back(&scope.add("Assign", {weights.back(), ramp({kWidth, kWidth})}));
      const Output around = h;
      h = op("Tanh", {op("MatMul", {h, weights.back()})});
      h = op("Softplus", {op("MatMul", {h, weights.back()}, {{"transpose_b", true}})});
      h = op("AddV2", {h, around});
      if (i == kLayers / 2) middle = h;
    }
    last = op("Reshape", {h, Tensor::vector<std::int32_t>({-1})});
    loss = op("Mean", {op("Square", {h}), Tensor::vector<std::int32_t>({0, 1})});
    const auto slopes = gradients(scope, std::vector{loss}, weights);
    for (std::size_t i = 0; i < weights.size(); ++i)
      updates.push_back(&scope.add("ApplyGradientDescent", {weights[i], 0.01f, slopes[i].dense()}));
    init = &scope.with_control(inits).add("NoOp", {});
    train = &scope.with_control(updates).add("NoOp", {});
  }

  std::unique_ptr<Session> session(SessionOptions options = {.intra_op_threads = 1}) const {
    auto made = std::make_unique<Session>(graph, options);
    made->run(*init);
    return made;
  }
  std::unique_ptr<Session> without_arena(SessionOptions options = {.intra_op_threads = 1}) const {
    options.rewrites_off.insert("arena");
    return session(options);
  }
  std::vector<Tensor> step(Session& session, std::int64_t batch) const {
    return session.run(std::vector<Feed>{{x, ramp({batch, kWidth})}}, std::vector{loss},
                       std::vector{train});
  }
};

std::int64_t allocations() { return cpu_allocator().stats().allocation_count; }
std::int64_t live() { return cpu_allocator().stats().live_bytes; }

template <class F>
std::int64_t allocations_of(F f) {
  const std::int64_t before = allocations();
  f();
  return allocations() - before;
}

TEST(PlanArenas, training_gives_the_same_bits_with_and_without) {
  const Net net;
  for (const int threads : {1, 4}) {
    const auto with = net.session({.intra_op_threads = threads});
    const auto without = net.without_arena({.intra_op_threads = 1});
    for (int i = 0; i < 12; ++i)
      EXPECT_TRUE(identical(net.step(*with, 700)[0], net.step(*without, 700)[0]))
          << "step " << i << " with " << threads << " threads";
  }
}

TEST(PlanArenas, a_warm_step_allocates_a_block_and_its_fetches) {
  const Net net;
  const auto with = net.session(), without = net.without_arena();
  for (int i = 0; i < 4; ++i) {
    net.step(*with, 512);
    net.step(*without, 512);
  }
  const std::int64_t fed = 1, fetched = 1, block = 1;
  EXPECT_LE(allocations_of([&] { net.step(*with, 512); }), fed + fetched + block + 2);
  EXPECT_GT(allocations_of([&] { net.step(*without, 512); }), 3 * Net::kLayers);
}

// Fresh memory for a large block takes the system longer than what the block saves in a few steps.
TEST(PlanArenas, a_large_step_gets_its_block_once_it_has_run_often) {
  const auto graph = std::make_shared<Graph>(standard_ops());
  Scope scope(*graph);
  constexpr std::int64_t kCount = 12 << 20;  // 48 MB a value
  const Output fed = scope.add("Placeholder", {}, {{"dtype", DType::f32}}).output();
  Output x = fed, h;
  for (int i = 0; i < 3; ++i) {
    h = scope.add("Fill", {Tensor::vector<std::int64_t>({kCount}), x}, {{"index_type", DType::i64}})
            .output();
    x = scope.add("Max", {scope.add("Cumsum", {h, 0}).output(), 0}).output();
  }
  Session session(graph, {.intra_op_threads = 1});
  const auto step = [&] {
    session.run(std::vector<Feed>{{fed, Tensor::scalar(0.0f)}}, std::vector{x});
  };
  std::vector<std::int64_t> counts;
  for (int i = 0; i < 18; ++i) counts.push_back(allocations_of(step));
  EXPECT_EQ(counts[3], counts[13]);
  EXPECT_LT(counts[17], counts[13]);
}

TEST(PlanArenas, the_block_is_near_the_peak_of_live_bytes) {
  const Net net;
  const auto variables = net.session();
  ThreadPool pool(1);
  CpuDevice device(0, pool);
  KernelCache kernels(standard_kernels(), device);
  const auto plan = compile_plan(*net.graph, std::vector{net.x}, std::vector{net.loss},
                                 std::vector{net.train}, {}, kernels);
  ASSERT_NE(plan->arenas, nullptr);
  const auto workspace = plan->take_workspace();
  StepContext step{.resources = &variables->resources(),
                   .step_resources = &workspace->step_resources,
                   .cancellation = &workspace->cancellation};
  for (int i = 0; i < 4; ++i) {
    workspace->slots[static_cast<std::size_t>(plan->feed_slots[0])].tensor =
        ramp({512, Net::kWidth});
    const std::int64_t before = live();
    run_plan(*plan, *workspace, step, pool, false, {});
    workspace->slots[static_cast<std::size_t>(plan->fetch_slots[0])] = Value();
    if (i > 0) {  // the first step makes what kernels keep
      EXPECT_EQ(live(), before);
    }
  }
  const auto layout = workspace->arena.advice.use.layout;
  ASSERT_NE(layout, nullptr);
  EXPECT_TRUE(workspace->arena.advice.stays);
  EXPECT_GT(layout->min_bytes, 512u * Net::kWidth * 4 * Net::kLayers);
  EXPECT_LE(static_cast<double>(layout->bytes), 1.1 * static_cast<double>(layout->min_bytes));
  EXPECT_EQ(workspace->arena.arena->missed_bytes() + workspace->arena.arena->blocked_bytes(), 0u);
}

TEST(PlanArenas, fetched_values_are_not_overwritten) {
  const Net net;
  for (const int threads : {1, 4}) {
    const auto session = net.session({.intra_op_threads = threads});
    std::vector<Tensor> kept, copies;
    for (int i = 0; i < 10; ++i) {
      for (const Tensor& value : session->run(std::vector<Feed>{{net.x, ramp({512, Net::kWidth})}},
                                              std::vector{net.middle, net.last, net.loss, net.last},
                                              std::vector{net.train})) {
        copies.push_back(value.clone());
        kept.push_back(value);
      }
    }
    for (std::size_t i = 0; i < kept.size(); ++i)
      EXPECT_TRUE(identical(kept[i], copies[i])) << i << " with " << threads << " threads";
    EXPECT_FALSE(identical(kept[0], kept[4]));  // training changes it
  }
}

TEST(PlanArenas, alternating_shapes_keep_their_layouts) {
  const Net net;
  const auto with = net.session(), without = net.without_arena();
  for (int iteration = 0; iteration < 5; ++iteration)
    for (const std::int64_t batch : {512, 100, 333})
      EXPECT_TRUE(identical(net.step(*with, batch)[0], net.step(*without, batch)[0]));
  for (const std::int64_t batch : {512, 100, 333})
    EXPECT_LE(allocations_of([&] { net.step(*with, batch); }), 5);
}

TEST(PlanArenas, many_shapes_leak_no_memory) {
  const Net net;
  const auto session = net.session();
  net.step(*session, 10);
  const std::int64_t before = live();
  for (int iteration = 0; iteration < 3; ++iteration)
    for (std::int64_t batch = 300; batch < 340; ++batch) net.step(*session, batch);
  EXPECT_EQ(live(), before);
  for (int i = 0; i < 40; ++i) net.step(*session, 339);
  EXPECT_LE(allocations_of([&] { net.step(*session, 339); }), 5);
}

TEST(PlanArenas, threads_share_a_session) {
  const Net net;
  const auto session = net.session({.intra_op_threads = 2});
  std::vector<Tensor> expected;
  const std::vector<std::int64_t> batches{400, 500, 500, 600};
  const auto forward = [&](std::int64_t batch) {
    return session->run(std::vector<Feed>{{net.x, ramp({batch, Net::kWidth})}},
                        std::vector{net.last})[0];
  };
  for (const std::int64_t batch : batches) expected.push_back(forward(batch));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < batches.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 30; ++i) wrong += !identical(forward(batches[t]), expected[t]);
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// A program whose function sees a value in the middle of each step.
struct WatchedNet : Net {
  Output result;
  std::string token;
  explicit WatchedNet(HostFunction function) : token(add_host_function(std::move(function))) {
    const Output seen =
        op("PyFunc", {std::vector<Input>{middle}},
           {{"token", token}, {"Tin", std::vector{DType::f32}}, {"Tout", std::vector{DType::f32}}});
    result = op("AddV2", {op("Reshape", {op("Tanh", {op("AddV2", {seen, 1.0f})}),
                                         Tensor::vector<std::int32_t>({-1})}),
                          last});
  }
  ~WatchedNet() { remove_host_function(token); }
  Tensor run(Session& session) const {
    return session.run(std::vector<Feed>{{x, ramp({512, kWidth})}}, std::vector{result})[0];
  }
};

TEST(PlanArenas, a_value_that_is_kept_once_is_not_written_over) {
  std::vector<Tensor> kept, copies;
  int calls = 0;
  const WatchedNet net([&](const std::vector<Tensor>& in) {
    if (++calls > 5 && calls % 3 == 0) {
      kept.push_back(in[0]);
      copies.push_back(in[0].clone());
    }
    return std::vector<Tensor>{in[0]};
  });
  const std::int64_t before = live();
  {
    const auto session = net.session();
    const Tensor expected = net.run(*session);
    for (int i = 0; i < 30; ++i) EXPECT_TRUE(identical(net.run(*session), expected)) << i;
    EXPECT_GT(kept.size(), 5u);
  }
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_TRUE(identical(kept[i], copies[i])) << i;
  kept.clear();
  copies.clear();
  EXPECT_LT(live(), before + (1 << 20));  // the session's block is gone with the last of them
}

TEST(PlanArenas, a_failing_step_leaks_no_memory) {
  int calls = 0;
  const WatchedNet net([&](const std::vector<Tensor>& in) {
    if (++calls % 4 == 0) raise(Code::kInvalidArgument, "the function failed");
    return std::vector<Tensor>{in[0]};
  });
  const auto session = net.session();
  const Tensor expected = net.run(*session);
  const std::int64_t before = live();
  int failed = 0;
  for (int i = 0; i < 20; ++i) {
    try {
      EXPECT_TRUE(identical(net.run(*session), expected)) << i;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kInvalidArgument);
      ++failed;
    }
    EXPECT_EQ(live(), before);
  }
  EXPECT_EQ(failed, 5);
}

TEST(PlanArenas, a_cancelled_step_leaks_no_memory) {
  Session* running = nullptr;
  int calls = 0;
  const WatchedNet net([&](const std::vector<Tensor>& in) {
    if (++calls == 6) running->close();
    return std::vector<Tensor>{in[0]};
  });
  auto session = net.session();
  running = session.get();
  net.run(*session);
  const std::int64_t before = live();
  for (int i = 0; i < 4; ++i) net.run(*session);
  try {
    net.run(*session);
    ADD_FAILURE() << "the step went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kCancelled);
  }
  EXPECT_EQ(live(), before);
}

// What a queue and a variable got from a step is theirs.
TEST(PlanArenas, values_given_to_queues_and_variables_stay) {
  Net net;
  const Output queue =
      net.op("FIFOQueueV2", {},
             {{"component_types", std::vector{DType::f32}}, {"capacity", std::int64_t{100}}});
  const Output doubled = net.op("Mul", {net.middle, 2.0f});
  Node* const enqueue = &net.scope.add("QueueEnqueueV2", {queue, std::vector<Input>{doubled}});
  const Output dequeue =
      net.op("QueueDequeueV2", {queue}, {{"component_types", std::vector{DType::f32}}});
  const Output store =
      net.op("VariableV2", {}, {{"dtype", DType::f32}, {"shape", PartialShape{512, Net::kWidth}}});
  Node* const assign = &net.scope.add("Assign", {store, net.op("Mul", {net.middle, 3.0f})});
  Node* const both =
      &net.scope.with_control(std::vector{enqueue, assign, net.train}).add("NoOp", {});
  for (const int threads : {1, 4}) {
    const auto with = net.session({.intra_op_threads = threads});
    const auto without = net.without_arena();
    for (Session* session : {with.get(), without.get()})
      for (int i = 0; i < 8; ++i)
        session->run(std::vector<Feed>{{net.x, ramp({512, Net::kWidth})}}, {}, std::vector{both});
    EXPECT_TRUE(identical(with->run(store), without->run(store)));
    for (int i = 0; i < 8; ++i)
      EXPECT_TRUE(identical(with->run(dequeue), without->run(dequeue))) << i;
  }
}

// Steps with branches: what is on the branch that was not taken when the step was recorded gets its
// spots later, and shares them with the other branch.
TEST(PlanArenas, branches_get_offsets_when_first_taken) {
  Net net;
  const Output which = net.op("Placeholder", {}, {{"dtype", DType::boolean}});
  Node& gate = net.scope.add("Switch", {net.middle, which});
  const Output taken = net.op("MatMul", {gate.output(1), ramp({Net::kWidth, Net::kWidth})});
  const Output other = net.op("MatMul", {gate.output(0), ramp({Net::kWidth, 2 * Net::kWidth})});
  const Output merged =
      net.op("Merge", {std::vector<Input>{net.op("Softmax", {taken}), net.op("Softmax", {other})}});
  const Output result =
      net.op("Mean", {net.op("Square", {merged}), Tensor::vector<std::int32_t>({0, 1})});
  const auto with = net.session(), without = net.without_arena();
  const auto run = [&](Session& session, bool branch) {
    return session.run(
        std::vector<Feed>{{net.x, ramp({512, Net::kWidth})}, {which, Tensor::scalar(branch)}},
        std::vector{result})[0];
  };
  for (int i = 0; i < 24; ++i)
    EXPECT_TRUE(identical(run(*with, i % 3 == 0), run(*without, i % 3 == 0))) << i;
  for (const bool branch : {true, false})
    EXPECT_LT(2 * allocations_of([&] { run(*with, branch); }),
              allocations_of([&] { run(*without, branch); }));
}

TEST(PlanArenas, a_config_switches_them_off) {
  tensorflow::ConfigProto config;
  EXPECT_FALSE(session_options(config).rewrites_off.contains("arena"));
  config.mutable_graph_options()->mutable_rewrite_options()->set_memory_optimization(
      tensorflow::RewriterConfig::NO_MEM_OPT);
  EXPECT_TRUE(session_options(config).rewrites_off.contains("arena"));
}

TEST(PlanArenas, a_limit_holds_for_the_block_too) {
  const Net net;
  const auto session = net.session();
  for (int i = 0; i < 4; ++i) net.step(*session, 512);
  cpu_allocator().set_limit(live() + (256 << 10));
  try {
    net.step(*session, 512);
    ADD_FAILURE() << "the limit was ignored";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kResourceExhausted);
    EXPECT_NE(error.message().find("OOM when allocating tensor with shape[512,64]"),
              std::string::npos)
        << error.message();
  }
  cpu_allocator().set_limit(0);
  EXPECT_NO_THROW(net.step(*session, 512));
}

}  // namespace
}  // namespace rill
