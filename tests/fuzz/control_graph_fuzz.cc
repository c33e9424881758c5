// Random programs of branches, loops and functions, some of them well formed, some not. Whatever
// the passes and the executor make of a graph, what succeeds one way must do so every way; errors
// are fine; crashes, hangs and leaks are not.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <thread>

#include "rill/base/error.h"
#include "rill/graph/function_define.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/register_kernels.h"
#include "rill/runtime/executor/loop_testing.h"

namespace {

using namespace rill;
using Values = LoopProgram::Values;

constexpr int kMaxNodes = 400;
constexpr std::int64_t kMillis = 100, kLongMillis = 20'000;  // the latter for what must end
constexpr int kMaxDepth = 3;

constexpr OpDecl kLater{
    .name = "FuzzLater",
    .doc = "An asynchronous nothing: a step that has one goes the executor's general way.",
    .traits = kStateful,
};

void later(KernelCall&, Done done) {
  std::thread([done] { done(nullptr); }).detach();
}

void register_ops() {
  static const bool once = [] {
    standard_ops().add(kLater);
    standard_kernels().add("FuzzLater", "CPU",
                           {.op = &kLater, .run_async = later, .allocates = true});
    return true;
  }();
  (void)once;
}

class ProgramMaker {
 public:
  ProgramMaker(const std::uint8_t* data, std::size_t size)
      : data_(data), size_(size), well_formed_(byte() % 4 != 0) {}

  LoopProgram p;
  bool well_formed() const { return well_formed_; }

  // Values of the step itself, to be fetched.
  Values make() {
    Values values{p.scope.constant(Tensor::scalar<std::int32_t>(3)),
                  p.placeholder(DType::i32, {}, "x")};
    statements(values, kMaxDepth);
    return values;
  }

 private:
  int byte() { return position_ < size_ ? data_[position_++] : 0; }
  bool full() const { return position_ >= size_ || p.graph->node_count() > kMaxNodes; }
  Output pick(const Values& values) {
    return values[static_cast<std::size_t>(byte()) % values.size()];
  }

  void statements(Values& values, int depth) {
    const int count = 1 + byte() % 6;
    for (int i = 0; i < count && !full(); ++i) statement(values, depth);
  }

  void statement(Values& values, int depth) {
    switch (byte() % (well_formed_ ? 14 : 15)) {
      case 0:
        return values.push_back(p.scope.constant(Tensor::scalar<std::int32_t>(byte() % 8)));
      case 1:
      case 2:
        return values.push_back(p.op("AddV2", {pick(values), pick(values)}));
      case 3:
        return values.push_back(p.op("Sub", {pick(values), byte() % 4}));
      case 4:
        return values.push_back(p.op("Mul", {pick(values), pick(values)}));
      case 5:
        return values.push_back(p.op("Identity", {pick(values)}));
      case 6:
        return values.push_back(p.after(pick(values), [&] {
          return p.op("Maximum", {pick(values), 1});
        }));
      case 7:
      case 8:
        return depth > 0 ? branch(values, depth - 1) : void();
      case 9:
      case 10:
        return depth > 0 ? loop(values, depth - 1) : void();
      case 11:
        return depth > 0 ? call(values, depth - 1) : void();
      case 12:
        return depth > 0 ? choice(values, depth - 1) : void();
      case 13:
        return depth > 0 ? repeat(values, depth - 1) : void();
      default:
        return raw(values);
    }
  }

  Output pred(const Values& values) { return p.op("Less", {pick(values), pick(values)}); }

  void branch(Values& values, int depth) {
    const auto side = [&](Output x) {
      Values inner{x};
      statements(inner, depth);
      return pick(inner);
    };
    values.push_back(p.cond(pred(values), pick(values), side, side));
  }

  void loop(Values& values, int depth) {
    const int rounds = byte() % 4;
    const int variables = 1 + byte() % 3;
    Values start{p.op("Mul", {pick(values), 0})};
    for (int i = 0; i < variables; ++i) start.push_back(pick(values));
    LoopProgram::Options options{.parallel = 1 + byte() % 12};
    for (int i = byte() % 3; i > 0; --i) options.invariants.push_back(pick(values));
    const Values out = p.loop(
        "loop" + std::to_string(loops_++), start,
        [&](const Values& v) {
          return p.op("Less", {v[0], rounds});
        },
        [&](const Values& v) {
          Values inner = v;
          statements(inner, depth);
          Values next{p.op("AddV2", {v[0], 1})};
          // An invariant itself would be there in every round, and so there would be a next one.
          for (int i = 0; i < variables; ++i) next.push_back(p.op("Identity", {pick(inner)}));
          return next;
        },
        options);
    values.insert(values.end(), out.begin(), out.end());
  }

  // A function of int32 scalars and what it captures.
  struct Defined {
    std::string name;
    Values captured;
  };
  template <class Build>
  Defined define(int arguments, Build build) {
    const Scope outer = p.scope;
    FunctionBuilder builder(outer.graph());
    Values inner;
    for (int i = 0; i < arguments; ++i) inner.push_back(builder.add_argument(DType::i32, "a"));
    p.scope = Scope(*builder.body());
    const Values results = build(inner, builder);
    p.scope = outer;
    DefineOptions options{.name = "f" + std::to_string(functions_++)};
    if (byte() % 4 == 0) options.attrs.emplace("_noinline", true);
    define_function(outer.graph(), builder.finish(results, options));
    return {options.name, builder.captured()};
  }
  // Statements on the arguments and perhaps on something from outside.
  Defined define_some(const Values& outside, int depth) {
    return define(1, [&](Values inner, FunctionBuilder& builder) {
      if (byte() % 2 == 0) inner.push_back(builder.capture(pick(outside)));
      statements(inner, depth);
      return Values{pick(inner)};
    });
  }

  void call(Values& values, int depth) {
    const Defined f = define_some(values, depth);
    std::vector<Input> inputs{pick(values)};
    for (const Output& captured : f.captured) inputs.emplace_back(captured);
    if (byte() % 2 == 0) {
      std::vector<InputArg> arguments(inputs.begin(), inputs.end());
      return values.push_back(p.op(f.name, arguments));
    }
    values.push_back(p.op("StatefulPartitionedCall", {inputs},
                          {{"Tout", std::vector{DType::i32}}, {"f", FuncName{f.name, {}}}}));
  }

  void choice(Values& values, int depth) {
    const Output from_outside = pick(values);
    const auto side = [&] {
      return define(2,
                    [&](Values inner, FunctionBuilder&) {
                      statements(inner, depth);
                      return Values{pick(inner)};
                    })
          .name;
    };
    const FuncName yes{side(), {}}, no{side(), {}};
    const std::vector<Input> inputs{pick(values), from_outside};
    const AttrMap attrs{
        {"Tout", std::vector{DType::i32}}, {"then_branch", yes}, {"else_branch", no}};
    if (byte() % 2 == 0) return values.push_back(p.op("If", {pred(values), inputs}, attrs));
    values.push_back(
        p.op("Case", {pick(values), inputs},
             {{"Tout", std::vector{DType::i32}}, {"branches", std::vector<FuncName>{yes, no}}}));
  }

  void repeat(Values& values, int depth) {
    const int rounds = byte() % 4;
    const FuncName test{define(2,
                               [&](const Values& v, FunctionBuilder&) {
                                 return Values{p.op("Less", {v[0], rounds})};
                               })
                            .name,
                        {}};
    const FuncName body{define(2,
                               [&](Values v, FunctionBuilder&) {
                                 const Output next = p.op("AddV2", {v[0], 1});
                                 statements(v, depth);
                                 return Values{next, pick(v)};
                               })
                            .name,
                        {}};
    const std::vector<Input> start{p.op("Mul", {pick(values), 0}), pick(values)};
    Node& loop = p.scope.add("While", {start}, {{"cond", test}, {"body", body}});
    values.push_back(loop.output(0));
    values.push_back(loop.output(1));
  }

  // Control flow that no client would build.
  void raw(Values& values) {
    const Output a = pick(values), b = pick(values);
    switch (byte() % 6) {
      case 0: {
        const Output split = p.op("Switch", {a, pred(values)});
        values.push_back(split);
        return values.push_back(LoopProgram::second(split));
      }
      case 1:
        merges_.push_back(p.op("Merge", {std::vector<Input>{a, b}}));
        return values.push_back(merges_.back());
      case 2:
        return values.push_back(p.enter(a, "raw" + std::to_string(byte() % 3), byte() % 2 == 0));
      case 3:
        return values.push_back(p.op("Exit", {a}));
      case 4: {
        const Output next = p.op("NextIteration", {a});
        if (!merges_.empty())
          p.graph->set_input(*merges_[static_cast<std::size_t>(byte()) % merges_.size()].node,
                             byte() % 2, next);
        return values.push_back(next);
      }
      default:
        p.graph->add_control_input(*a.node, *b.node);
    }
  }

  const std::uint8_t* data_;
  std::size_t size_, position_ = 0;
  const bool well_formed_;
  int loops_ = 0, functions_ = 0;
  Values merges_;
};

using Result = std::optional<std::vector<Tensor>>;

Result run(const LoopProgram& p, const SessionOptions& options, Output fetch,
           const std::vector<Node*>& targets, std::int64_t timeout_ms) {
  try {
    Session session(p.graph, options);
    const std::vector<Feed> feeds{{p.graph->tensor("x:0"), Tensor::scalar<std::int32_t>(2)}};
    return session.run(feeds, {{fetch}}, targets, {.timeout_ms = timeout_ms});
  } catch (const Error& error) {
    if (timeout_ms > kMillis) std::fprintf(stderr, "%s\n", error.what());
    return std::nullopt;
  }
}

// Neighbours on different devices.
void scatter(Graph& graph) {
  for (Node* node : graph.nodes())
    graph.set_device(*node, "/cpu:" + std::to_string((node->id() * 7 + node->id() / 5) % 3));
}

// What succeeds once always does, and gives the same.
void compare(const std::vector<Tensor>& expected, const Result& got, const Output& fetch,
             const char* how) {
  if (got && identical(expected[0], got->at(0))) return;
  std::fprintf(stderr, "%s is %s, %s %s\n", fetch.name().c_str(), print(expected[0]).c_str(), how,
               got ? print(got->at(0)).c_str() : "an error");
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  register_ops();
  ProgramMaker maker(data, size);
  Values values;
  try {
    values = maker.make();
  } catch (const Error&) {
    return 0;
  }
  const std::vector<Node*> general{&maker.p.scope.add("FuzzLater", {})};
  const SessionOptions passes{.intra_op_threads = 2};
  const SessionOptions plain{.intra_op_threads = 2,
                             .fold = false,
                             .share = false,
                             .simplify = false,
                             .inline_calls = false};
  const std::size_t count = std::min<std::size_t>(values.size(), 4);
  std::vector<Result> results;
  for (const Output& fetch : std::span(values).last(count)) {
    const Result expected =
        run(maker.p, plain, fetch, {}, maker.well_formed() ? kLongMillis : kMillis);
    if (!expected && maker.well_formed()) std::abort();
    results.push_back(expected);
    if (!expected) continue;
    compare(*expected, run(maker.p, passes, fetch, {}, kLongMillis), fetch, "with passes");
    compare(*expected, run(maker.p, plain, fetch, general, kLongMillis), fetch, "the general way");
    compare(*expected, run(maker.p, passes, fetch, general, kLongMillis), fetch, "both");
  }
  scatter(*maker.p.graph);
  for (std::size_t i = 0; i < count; ++i) {
    const Output fetch = values[values.size() - count + i];
    for (SessionOptions options : {plain, passes}) {
      options.device_count["CPU"] = 3;
      const Result got =
          run(maker.p, options, fetch, {}, maker.well_formed() ? kLongMillis : kMillis);
      if (maker.well_formed()) compare(*results[i], got, fetch, "on several devices");
    }
  }
  return 0;
}
