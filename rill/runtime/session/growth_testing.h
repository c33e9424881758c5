#pragma once

// Work whose cost must grow no faster than what it is done to; for tests and benchmarks alone.
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "rill/graph/function_define.h"
#include "rill/graph/graph_def.h"
#include "rill/runtime/executor/loop_testing.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill::growth {

using Work = std::function<void()>;

// A case for n things: `prepare` makes what is there before and returns the work to measure, which
// is done once.
struct Case {
  const char* name;
  int largest;  // of n
  Work (*prepare)(int n);
};

// Everything happens on the caller's thread, where it is counted.
inline SessionOptions inline_session() { return {.intra_op_threads = 1, .inter_op_threads = -1}; }

struct Program : LoopProgram {
  Output x = placeholder(DType::f32, PartialShape::scalar(), "x");
  std::unique_ptr<Session> session;

  Output chain(int n) {
    Output y = x;
    for (int i = 0; i < n; ++i) y = op("AddV2", {y, x});
    return y;
  }
  Node& group(const std::vector<Node*>& nodes) { return scope.with_control(nodes).add("NoOp", {}); }
  Output variable(int i) {
    return op("VarHandleOp", {},
              {{"dtype", DType::f32},
               {"shape", PartialShape{2}},
               {"shared_name", "v" + std::to_string(i)}});
  }
  // n variables that have values; what `make` adds for each is run together.
  template <class Make>
  Work for_variables(int n, bool initialised, Make make) {
    std::vector<Node*> assigned, made;
    const Output start = scope.constant(Tensor::vector<float>({1, 2}));
    for (int i = 0; i < n; ++i) {
      const Output handle = variable(i);
      assigned.push_back(&scope.add("AssignVariableOp", {handle, start}));
      if (initialised) made.push_back(make(handle));
    }
    Node* const first = &group(assigned);
    Node* const work = initialised ? &group(made) : first;
    session = std::make_unique<Session>(graph, inline_session());
    if (initialised) session->run(*first);
    return [this, work] { session->run(*work); };
  }
};

inline std::shared_ptr<Program> new_program() { return std::make_shared<Program>(); }

inline Work add_nodes(int n) {
  return [n] { Program().chain(n); };
}

inline Work import_nodes(int n) {
  Program p;
  p.chain(n);
  return [def = export_graph_def(*p.graph)] {
    Graph fresh(standard_ops());
    import_graph_def(fresh, def);
  };
}

// Compiles the step and runs it.
inline Work first_run(int n) {
  const auto p = new_program();
  const Output y = p->chain(n);
  p->session = std::make_unique<Session>(p->graph, inline_session());
  return [p, y] { p->session->run(y, {{p->x, Tensor::scalar(1.0f)}}); };
}

inline Work warm_run(int n) {
  const Work run = first_run(n);
  run();
  run();
  return run;
}

inline Work feeds(int n) {
  const auto p = new_program();
  std::vector<Feed> given;
  std::vector<Input> inputs;
  for (int i = 0; i < n; ++i) {
    const Output place = p->placeholder(DType::f32, PartialShape::scalar(), "f");
    given.push_back({place, Tensor::scalar(1.0f)});
    inputs.push_back(place);
  }
  const Output sum = p->op("AddN", {inputs});
  p->session = std::make_unique<Session>(p->graph, inline_session());
  const Work run = [p, sum, given] { p->session->run(sum, given); };
  run();
  return run;
}

inline Work fetches(int n) {
  const auto p = new_program();
  std::vector<Output> wanted;
  for (int i = 0; i < n; ++i) wanted.push_back(p->op("AddV2", {p->x, static_cast<float>(i)}));
  p->session = std::make_unique<Session>(p->graph, inline_session());
  const Work run = [p, wanted] { p->session->run(wanted, {{p->x, Tensor::scalar(1.0f)}}); };
  run();
  return run;
}

inline Work initialise_variables(int n) {
  const auto p = new_program();
  return [p, run = p->for_variables(n, false, [](Output) -> Node* { return nullptr; })] { run(); };
}

inline Work train_variables(int n) {
  const auto p = new_program();
  const Output gradient = p->scope.constant(Tensor::vector<float>({0.1f, 0.2f}));
  const Work run = p->for_variables(n, true, [&](Output handle) {
    return &p->scope.add("ResourceApplyGradientDescent", {handle, 0.5f, gradient});
  });
  run();
  return [p, run] { run(); };
}

inline Work save_variables(int n) {
  const auto p = new_program();
  std::vector<Input> values;
  std::vector<std::string> names;
  const Work read = p->for_variables(n, true, [&](Output handle) {
    const Output value = p->op("ReadVariableOp", {handle}, {{"dtype", DType::f32}});
    names.push_back("v" + std::to_string(names.size()));
    values.push_back(value);
    return value.node;
  });
  read();
  const std::string folder =
      (std::filesystem::temp_directory_path() / ("rill_growth" + std::to_string(::getpid())))
          .string();
  const Tensor slices(DType::string, Shape({n}));
  Node* const save =
      &p->scope.add("SaveV2", {folder + "/model",
                               Tensor::of<std::string>({n}, std::span<const std::string>(names)),
                               slices, values});
  const Work run = [p, save] { p->session->run(*save); };
  std::filesystem::create_directories(folder);
  run();
  return [run, folder] {
    run();
    std::filesystem::remove_all(folder);
  };
}

// A node is added and run, n times; each costs the same however many there are.
inline Work extensions(int n) {
  const auto p = new_program();
  p->session = std::make_unique<Session>(p->graph, inline_session());
  return [p, n] {
    for (int i = 0; i < n; ++i)
      p->session->run(p->op("Neg", {p->x}), {{p->x, Tensor::scalar(1.0f)}});
  };
}

inline Work loop_iterations(int n) {
  const auto p = new_program();
  const Output limit = p->placeholder(DType::i32, PartialShape::scalar(), "limit");
  const Output i = p->loop(
      "loop", {p->scope.constant(Tensor::scalar<std::int32_t>(0))},
      [&](const Program::Values& v) {
        return p->op("Less", {v[0], v[1]});
      },
      [&](const Program::Values& v) {
        return Program::Values{p->op("AddV2", {v[0], 1})};
      },
      {.invariants = {limit}})[0];
  p->session = std::make_unique<Session>(p->graph, inline_session());
  const auto run = [p, i, limit](int iterations) {
    p->session->run(i, {{limit, Tensor::scalar<std::int32_t>(iterations)}});
  };
  run(2);
  return [run, n] { run(n); };
}

// n functions, each called once.
inline Work functions(int n) {
  return [n] {
    Program p;
    Output y = p.x;
    for (int i = 0; i < n; ++i) {
      FunctionBuilder builder(*p.graph);
      const Output a = builder.add_argument(DType::f32, "a");
      Scope inner(*builder.body());
      const std::string name = "AddOne" + std::to_string(i);
      define_function(*p.graph, builder.finish({inner.add("AddV2", {a, 1.0f}).output()},
                                               {.name = name, .attrs = {}}));
      y = p.scope.add(name, {y}).output();
    }
    Session session(p.graph, inline_session());
    session.run(y, {{p.x, Tensor::scalar(1.0f)}});
  };
}

inline constexpr Case kCases[] = {
    {"add_nodes", 100'000, add_nodes},
    {"import_nodes", 100'000, import_nodes},
    {"first_run", 100'000, first_run},
    {"warm_run", 100'000, warm_run},
    {"feeds", 10'000, feeds},
    {"fetches", 10'000, fetches},
    {"initialise_variables", 10'000, initialise_variables},
    {"train_variables", 10'000, train_variables},
    {"save_variables", 10'000, save_variables},
    {"extensions", 10'000, extensions},
    {"loop_rounds", 100'000, loop_iterations},
    {"functions", 10'000, functions},
};

}  // namespace rill::growth
