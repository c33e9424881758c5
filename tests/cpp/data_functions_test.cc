// Input pipelines whose stages apply functions: what these may capture, hold and do.
#include "rill/base/thread_pool.h"
#include "rill/tensor/variant.h"
#include "tests/cpp/data_stage_testing.h"

namespace rill {
namespace {

class DataFunctions : public DataTest {
 protected:
  static DefinedFunction of_two(const Build& build) {
    return function(build, {DType::i64, DType::i64});
  }
  static Output is_even(Output x) { return raw::Equal(raw::FloorMod(x, number(2)), number(0)); }
  static InputArg nothing() { return InputArg(std::vector<Input>()); }
  static AttrValue no_types() { return AttrValue::empty_list(AttrKind::kType); }
};

TEST_F(DataFunctions, filters) {
  const auto even = function([](const Outputs& x) { return Outputs{is_even(x[0])}; });
  EXPECT_EQ(read(applied("FilterDataset", range(7), even, {}, {}, "predicate")), "0 2 4 6 end");
  const auto small = function([](const Outputs& x) { return Outputs{raw::Less(x[0], number(3))}; });
  EXPECT_EQ(read(applied("TakeWhileDataset", range(7), small, {}, {}, "predicate")), "0 1 2 end");
  const auto number_too = function([](const Outputs& x) { return Outputs{x[0]}; });
  EXPECT_EQ(read(applied("FilterDataset", range(2), number_too, {}, {}, "predicate")),
            "!InvalidArgument !InvalidArgument end");
  const auto with_flag = function([](const Outputs& x) { return Outputs{x[0], is_even(x[0])}; });
  const Output pairs = current_scope()
                           .add("MapDataset", {Input(range(5)), nothing()},
                                {{"f", name(with_flag)},
                                 {"Targuments", no_types()},
                                 {"output_types", std::vector<DType>{DType::i64, DType::boolean}},
                                 {"output_shapes", std::vector<PartialShape>(2)}})
                           .output();
  EXPECT_EQ(read(stage("FilterByLastComponentDataset", {Input(pairs)})), "0 2 4 end");
}

TEST_F(DataFunctions, capture_tensors_and_variables) {
  const Output factor = number(5);
  const auto scaled = function([&](const Outputs& x) { return Outputs{raw::Mul(x[0], factor)}; });
  EXPECT_EQ(scaled.captured_inputs().size(), 1u);
  EXPECT_EQ(read(applied("MapDataset", range(3), scaled)), "0 5 10 end");
  EXPECT_EQ(read(parallel_map(range(3), scaled, 2)), "0 5 10 end");

  Scope scope = current_scope();
  const Output variable =
      scope.add("VarHandleOp", {}, {{"dtype", DType::i64}, {"shape", PartialShape(Shape())}})
          .output();
  Node& set = scope.add("AssignVariableOp", {Input(variable), Input(number(100))});
  const auto added = function([&](const Outputs& x) {
    Node& read = current_scope().add("ReadVariableOp", {Input(variable)}, {{"dtype", DType::i64}});
    return Outputs{raw::Add(x[0], read.output())};
  });
  const Reader reader(parallel_map(range(3), added, 2));
  Session session(default_graph());
  session.run({}, {}, std::vector<Node*>{&set});
  start(session, reader);
  EXPECT_EQ(read(session, reader), "100 101 102 end");
}

TEST_F(DataFunctions, scans_and_reduces) {
  const auto sum = of_two([](const Outputs& x) {
    const Output total = raw::Add(x[0], x[1]);
    return Outputs{total, raw::Mul(total, number(10))};
  });
  const auto scan = [&](Output input) {
    return stage("ScanDataset", {Input(input), InputArg(std::vector<Input>{number(1)}), nothing()},
                 {{"f", name(sum)}, {"Targuments", no_types()}});
  };
  EXPECT_EQ(read(scan(range(4))), "10 20 40 70 end");

  const auto add = of_two([](const Outputs& x) { return Outputs{raw::Add(x[0], x[1])}; });
  const auto reduced = [&](Output input) {
    return stage("ReduceDataset",
                 {Input(input), InputArg(std::vector<Input>{number(1)}), nothing()},
                 {{"f", name(add)}, {"Targuments", no_types()}});
  };
  Session session(default_graph());
  const Output total = reduced(range(5));
  EXPECT_EQ(session.run({}, std::vector<Output>{total})[0].scalar_value<std::int64_t>(), 11);

  // Also inside of a function, for each element anew.
  const auto triangle = function([&](const Outputs& x) {
    const Output ones = raw::Fill(raw::ExpandDims(x[0], constant(0)), x[0]);
    return Outputs{reduced(current_scope()
                               .add("TensorSliceDataset", {InputArg(std::vector<Input>{ones})},
                                    {{"output_shapes", std::vector<PartialShape>(1)}})
                               .output())};
  });
  EXPECT_EQ(read(applied("MapDataset", range(4), triangle)), "1 2 5 10 end");
  EXPECT_EQ(read(parallel_map(range(4), triangle, 3)), "1 2 5 10 end");
  EXPECT_TRUE(becomes_quiet());
}

TEST_F(DataFunctions, groups) {
  const auto key =
      function([](const Outputs& x) { return Outputs{raw::Neg(raw::FloorMod(x[0], number(3)))}; });
  const auto batch_of_all =
      define_function({DType::i64, DType::variant}, [](const Outputs& x) { return Outputs{x[1]}; });
  const auto two = function([](const Outputs&) { return Outputs{number(2)}; });
  const Output windows =
      stage("GroupByWindowDataset", {Input(range(10)), nothing(), nothing(), nothing()},
            {{"key_func", name(key)},
             {"reduce_func", name(batch_of_all)},
             {"window_size_func", name(two)},
             {"Tkey_func_other_arguments", no_types()},
             {"Treduce_func_other_arguments", no_types()},
             {"Twindow_size_func_other_arguments", no_types()}});
  EXPECT_EQ(read(windows), "0 3 1 4 2 5 6 9 8 7 end");

  const auto init = function([](const Outputs& x) { return Outputs{x[0]}; });
  const auto add = of_two([](const Outputs& x) { return Outputs{raw::Add(x[0], x[1])}; });
  const Output reduced =
      stage("GroupByReducerDataset", {Input(range(10)), nothing(), nothing(), nothing(), nothing()},
            {{"key_func", name(key)},
             {"init_func", name(init)},
             {"reduce_func", name(add)},
             {"finalize_func", name(init)},
             {"Tkey_func_other_arguments", no_types()},
             {"Tinit_func_other_arguments", no_types()},
             {"Treduce_func_other_arguments", no_types()},
             {"Tfinalize_func_other_arguments", no_types()}});
  EXPECT_EQ(read(reduced), "13 11 18 end");
}

TEST_F(DataFunctions, directed_and_fastest) {
  const Output chosen = stage("DirectedInterleaveDataset",
                              {Input(rows(Tensor::vector<std::int64_t>({0, 1, 1, 1, 0, 5}))),
                               InputArg(std::vector<Input>{range(2), range(9)})});
  EXPECT_EQ(read(chosen), "0 0 1 2 1 !InvalidArgument end");
  const Output fastest =
      stage("ChooseFastestDataset", {InputArg(std::vector<Input>{range(5), range(5)})},
            {{"num_experiments", 2}});
  EXPECT_EQ(read(fastest), "0 1 2 3 4 end");
}

TEST_F(DataFunctions, random_numbers_begin_anew_with_each_walk) {
  const auto random = function([](const Outputs&) {
    return Outputs{current_scope()
                       .add("RandomUniformInt",
                            {Input(constant(Tensor(DType::i32, {0}))), Input(number(0)),
                             Input(number(1'000'000))},
                            {{"seed", 3}, {"seed2", 7}})
                       .output()};
  });
  const Reader reader(applied("MapDataset", range(5), random));
  Session session(default_graph());
  start(session, reader);
  const std::string first = read(session, reader);
  start(session, reader);
  EXPECT_EQ(read(session, reader), first);
  std::istringstream words(first);
  std::set<std::string> different;
  for (std::string word; words >> word;) different.insert(word);
  EXPECT_EQ(different.size(), 6u);
}

TEST_F(DataFunctions, functions_that_only_pass_on) {
  const auto same = function([](const Outputs& x) { return x; });
  EXPECT_EQ(read(applied("MapDataset", range(3), same)), "0 1 2 end");
  const auto fixed = function([](const Outputs&) { return Outputs{number(4)}; });
  EXPECT_EQ(read(parallel_map(range(3), fixed, 2)), "4 4 4 end");
  const Output captured = number(6);
  const auto other = function([&](const Outputs&) { return Outputs{captured}; });
  EXPECT_EQ(read(applied("MapDataset", range(2), other)), "6 6 end");
}

TEST_F(DataFunctions, an_error_cancels_blocked_calls) {
  // The queue stays empty: only the error ends the wait.
  Scope scope = current_scope();
  const Output queue =
      scope.add("FIFOQueueV2", {}, {{"component_types", std::vector<DType>{DType::i64}}}).output();
  const auto f = function([&](const Outputs& x) {
    Scope inner = current_scope();
    const Output waiting = inner
                               .add("QueueDequeueV2", {Input(queue)},
                                    {{"component_types", std::vector<DType>{DType::i64}}})
                               .output();
    const Output bad = host_function(
        [](const std::vector<Tensor>&) -> std::vector<Tensor> {
          rest(1000);
          raise(Code::kDataLoss, "broken");
        },
        {x[0]}, {DType::i64})[0];
    return Outputs{raw::Add(waiting, bad)};
  });
  EXPECT_EQ(read(applied("MapDataset", range(2), f)), "!DataLoss !DataLoss end");
  EXPECT_EQ(read(parallel_map(range(3), f, 2)), "!DataLoss !DataLoss !DataLoss end");
}

TEST_F(DataFunctions, map_defun) {
  const auto f = of_two([](const Outputs& x) { return Outputs{raw::Mul(x[0], x[1])}; });
  const Output rows =
      current_scope()
          .add("MapDefun",
               {InputArg(std::vector<Input>{constant(Tensor::vector<std::int64_t>({1, 2, 3}))}),
                InputArg(std::vector<Input>{number(7)})},
               {{"f", name(f)},
                {"output_types", std::vector<DType>{DType::i64}},
                {"output_shapes", std::vector<PartialShape>{PartialShape(Shape())}}})
          .output();
  EXPECT_EQ(to_text(rows.shape()), "[3]");
  Session session(default_graph());
  EXPECT_EQ(shown(session.run({}, std::vector<Output>{rows})[0]), "[7 14 21]");
}

TEST_F(DataFunctions, statistics) {
  Scope scope = current_scope();
  const Output aggregator = scope.add("StatsAggregatorHandle", {}).output();
  const Output measured =
      stage("BytesProducedStatsDataset",
            {Input(range(3)), Input(constant(Tensor::scalar(std::string("bytes"))))});
  const Output set =
      stage("SetStatsAggregatorDataset", {Input(measured), Input(aggregator),
                                          Input(constant(Tensor::scalar(std::string("train")))),
                                          Input(constant(Tensor::scalar(std::string())))});
  const Output summary = scope.add("StatsAggregatorSummary", {Input(aggregator)}).output();
  const Reader reader(set);
  Session session(default_graph());
  start(session, reader);
  EXPECT_EQ(read(session, reader), "0 1 2 end");
  const Tensor bytes = session.run({}, std::vector<Output>{summary})[0];
  EXPECT_NE(bytes.scalar_value<std::string>().find("train::bytes"), std::string::npos);
}

TEST_F(DataFunctions, settings_pass_through) {
  const Output pool = current_scope()
                          .add("ThreadPoolHandle", {}, {{"num_threads", 2}, {"display_name", "p"}})
                          .output();
  InFlight calls;
  const auto f = hosted([&](std::int64_t x) {
    const InFlight::Call call(calls);
    rest(500);
    return x;
  });
  const Output open = parallel_map(range(30), f, -1);
  const std::string wanted = numbers(30, [](std::int64_t i) { return str_cat(i); });
  EXPECT_EQ(read(stage("ThreadPoolDataset", {Input(open), Input(pool)})), wanted);
  EXPECT_EQ(calls.most, 2);
  EXPECT_EQ(read(stage("PrivateThreadPoolDataset", {Input(open), Input(number(3))})), wanted);
  EXPECT_LE(calls.most, 3);
  EXPECT_EQ(read(stage("ModelDataset", {Input(range(2))})), "0 1 end");
  EXPECT_EQ(read(stage("MaxIntraOpParallelismDataset", {Input(range(2)), Input(number(1))})),
            "0 1 end");
}

TEST_F(DataFunctions, ops_inside_take_no_more_threads_than_allowed) {
  std::size_t most = 0;  // threads of one call
  const auto f = hosted([&](std::int64_t x) {
    std::mutex mutex;
    std::set<std::thread::id> threads;
    shared_pool().parallel_for(8, 1, [&](std::size_t, std::size_t) {
      rest(3000);
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
    most = std::max(most, threads.size());
    return x;
  });
  const Output mapped = applied("MapDataset", range(3), f);
  EXPECT_EQ(read(stage("MaxIntraOpParallelismDataset", {Input(mapped), Input(number(1))})),
            "0 1 2 end");
  EXPECT_EQ(most, 1u);
  if (shared_pool().thread_count() == 1) return;
  EXPECT_EQ(read(stage("MaxIntraOpParallelismDataset", {Input(mapped), Input(number(0))})),
            "0 1 2 end");
  EXPECT_GT(most, 1u);
}

TEST_F(DataFunctions, the_fastest_branch_continues_after_the_trials) {
  const auto same = define_function({DType::variant}, [](const Outputs& x) { return x; });
  const auto later = define_function({DType::variant}, [](const Outputs& x) {
    const auto slow = hosted([](std::int64_t v) {
      rest(3000);
      return v;
    });
    return Outputs{applied("MapDataset", x[0], slow)};
  });
  const Output chosen = stage("ChooseFastestBranchDataset",
                              {Input(range(12)), Input(number(1)), Input(number(1)), nothing()},
                              {{"branches", std::vector<FuncName>{name(later), name(same)}},
                               {"num_elements_per_branch", 2},
                               {"other_arguments_lengths", std::vector<std::int64_t>{0, 0}},
                               {"Targuments", no_types()}});
  EXPECT_EQ(read(chosen), numbers(12, [](std::int64_t i) { return str_cat(i); }));
}

TEST_F(DataFunctions, twins_do_the_same) {
  const Output text = constant(Tensor::scalar(std::string("t")));
  const auto same = [&](const char* op, std::vector<InputArg> inputs) {
    EXPECT_EQ(read(stage(op, std::move(inputs))), "0 1 end") << op;
  };
  same("ExperimentalPrivateThreadPoolDataset", {Input(range(2)), Input(number(2))});
  same("ExperimentalMaxIntraOpParallelismDataset", {Input(range(2)), Input(number(2))});
  same("ExperimentalLatencyStatsDataset", {Input(range(2)), Input(text)});
  same("LatencyStatsDataset", {Input(range(2)), Input(text)});
  same("OptimizeDataset", {Input(range(2)), Input(constant(Tensor(DType::string, {0})))});
  const auto add = function([](const Outputs& x) { return Outputs{raw::Add(x[0], number(1))}; });
  EXPECT_EQ(read(applied("ExperimentalMapDataset", range(2), add)), "1 2 end");
}

}  // namespace
}  // namespace rill
