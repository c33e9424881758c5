#include <nanobind/stl/shared_ptr.h>

#include "call.h"
#include "errors.h"
#include "feeds.h"
#include "fetches.h"
#include "hooks.h"
#include "kept.h"
#include "numpy.h"
#include "package.h"
#include "plain_values.h"
#include "program_error.h"
#include "protos.h"
#include "rill/runtime/session/config.h"
#include "session.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "train_inputs.h"

namespace rill::python {
namespace {

using train::SessionRunArgs;
using train::SessionRunContext;
using train::SessionRunHook;
using train::SessionRunValues;

constexpr const char* kConfigPath = "tensorflow/core/protobuf/config.proto";

GraphObject& session_graph(Session& session) {
  return graph_object(python_session(session).attr("graph"));
}

// What a hook of the program asked for, kept until its values are there.
std::shared_ptr<void> kept_fetches(Fetches fetches) {
  return {new Fetches(std::move(fetches)),
          [](void* held) { if_interpreter_lives([&] { delete static_cast<Fetches*>(held); }); }};
}

void add_feeds(GraphObject& graph, nb::handle feed_dict, SessionRunArgs& args) {
  for (const FedValue& fed : feed_pairs(graph, feed_dict))
    args.feed_dict.push_back({fed.target, feed_value(fed.target, fed.given)});
}

nb::object results_of(Session& session, const SessionRunValues& values) {
  if (!values.form) return nb::none();
  Fetches fetches = *static_cast<Fetches*>(values.form.get());
  const auto count = static_cast<std::ptrdiff_t>(fetches.tensors().size());
  std::vector<Tensor> tensors(values.results.begin(), values.results.begin() + count);
  for (Tensor& tensor : tensors) tensor = tensor.clone();
  return fetches.build(python_values(session, fetches.tensors(), std::move(tensors)));
}

// Passes on that the program wants to stop.
template <class Call>
nb::object with_context(SessionRunContext& context, Call call) {
  nb::object shown = give(context);
  nb::object result = call(shown);
  if (truth_of(shown.attr("stop_requested"))) context.request_stop();
  return result;
}

// A hook whose methods are the program's.
class ProgramHook : public SessionRunHook {
 public:
  explicit ProgramHook(nb::handle hook) : hook_(keep(hook)) {}

  void begin() override {
    in_program([&] { hook().attr("begin")(); });
  }
  void after_create_session(Session& session, train::Coordinator& coord) override {
    in_program([&] {
      hook().attr("after_create_session")(python_session(session), python_coordinator(coord));
    });
  }
  std::optional<SessionRunArgs> before_run(SessionRunContext& context) override {
    return in_program([&]() -> std::optional<SessionRunArgs> {
      nb::object request =
          with_context(context, [&](nb::handle shown) { return hook().attr("before_run")(shown); });
      if (request.is_none()) return {};
      return run_args_of(request, context.session());
    });
  }
  void after_run(SessionRunContext& context, const SessionRunValues& values) override {
    in_program([&] {
      nb::object shown_values = give(context.session(), values);
      with_context(context,
                   [&](nb::handle shown) { return hook().attr("after_run")(shown, shown_values); });
    });
  }
  void end(Session& session) override {
    in_program([&] { hook().attr("end")(python_session(session)); });
  }

 private:
  nb::object hook() const { return kept(hook_); }
  std::shared_ptr<void> hook_;
};

// --- hooks of C++ called by programs
// --------------------------------------------------------------

// A step as a program tells a hook of it. The hook sees what the program's own run asked for.
struct ToldStep {
  explicit ToldStep(nb::handle context)
      : shown(nb::borrow(context)),
        session(session_of(context.attr("session"))),
        context_(original, *session) {
    nb::object args = context.attr("original_args");
    if (!args.is_none()) original = run_args_of(args, *session);
    context_.form() = keep(context);
  }
  // Calls the hook, and tells the program where it wants to stop.
  template <class F>
  auto call(F f) {
    auto result = without_lock([&] { return f(context_); });
    if (context_.stop_requested()) shown.attr("request_stop")();
    return result;
  }

  nb::object shown;
  std::shared_ptr<Session> session;
  SessionRunArgs original;
  SessionRunContext context_;
};

nb::object core_before_run(SessionRunHook& self, nb::handle context) {
  ToldStep step(context);
  const auto args = step.call([&](SessionRunContext& c) { return self.before_run(c); });
  return args ? give(*args) : nb::none();
}

// The arrays of a structure, in order.
void add_results(nb::handle value, std::vector<Tensor>& results) {
  if (value.is_none()) {
    results.emplace_back();
  } else if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) {
    for (nb::handle item : value) add_results(item, results);
  } else if (PyDict_Check(value.ptr())) {
    for (const auto& [key, item] : nb::borrow<nb::dict>(value)) add_results(item, results);
  } else {
    results.push_back(tensor_from_value(value, DType::invalid));
  }
}

bool core_after_run(SessionRunHook& self, nb::handle context, nb::handle shown) {
  ToldStep step(context);
  SessionRunValues values;
  if (nb::object results = shown.attr("results"); !results.is_none())
    add_results(results, values.results);
  if (nb::object options = shown.attr("options"); !options.is_none())
    values.options = run_options(read_message<tensorflow::RunOptions>(options));
  return step.call([&](SessionRunContext& c) {
    self.after_run(c, values);
    return true;
  });
}

}  // namespace

train::HookRef hook_of(nb::handle hook) {
  nb::object core = package::hook_core(hook);
  if (core.is_none()) return std::make_shared<ProgramHook>(hook);
  // The hook asks its object of Python for what it needs, so that one lives as long.
  struct Both {
    std::shared_ptr<void> object;
    train::HookRef core;
  };
  auto both = std::make_shared<Both>(keep(hook), nb::cast<train::HookRef>(core));
  return train::HookRef(both, both->core.get());
}

std::vector<train::HookRef> hooks_of(nb::handle hooks) {
  std::vector<train::HookRef> list;
  if (!hooks.is_none())
    for (nb::handle hook : hooks) list.push_back(hook_of(hook));
  return list;
}

nb::object run_options_object(const RunOptions& options) {
  nb::object message = message_class(kConfigPath, "RunOptions")();
  if (options.timeout_ms != 0) message.attr("timeout_in_ms") = options.timeout_ms;
  if (options.trace)
    message.attr("trace_level") = static_cast<int>(tensorflow::RunOptions::FULL_TRACE);
  if (options.output_partition_graphs) message.attr("output_partition_graphs") = true;
  if (options.inter_op_thread_pool != 0)
    message.attr("inter_op_thread_pool") = options.inter_op_thread_pool;
  return message;
}

nb::object run_metadata_object(const StepStats& stats) {
  tensorflow::RunMetadata message;
  to_proto(stats, &message);
  return message_from_bytes(kConfigPath, "RunMetadata", message.SerializeAsString());
}

nb::object give(const SessionRunArgs& args) {
  nb::list fetches;
  for (const train::Runnable& fetch : args.fetches) fetches.append(give(fetch));
  nb::object feeds = nb::none();
  if (!args.feed_dict.empty()) {
    feeds = nb::dict();
    for (const Feed& feed : args.feed_dict)
      feeds[give(feed.target)] = numpy_from_tensor(feed.value.clone());
  }
  return package::session_run_args(fetches, feeds,
                                   args.options ? run_options_object(*args.options) : nb::none());
}

SessionRunArgs run_args_of(nb::handle given, Session& session) {
  GraphObject& graph = session_graph(session);
  SessionRunArgs args;
  if (nb::object structure = given.attr("fetches"); !structure.is_none()) {
    Fetches fetches(graph, structure);
    for (const Output& tensor : fetches.tensors()) args.fetches.push_back(tensor);
    for (Node* operation : fetches.operations()) args.fetches.push_back(*operation);
    args.form = kept_fetches(std::move(fetches));
  }
  add_feeds(graph, given.attr("feed_dict"), args);
  if (nb::object options = given.attr("options"); !options.is_none())
    args.options = run_options(read_message<tensorflow::RunOptions>(options));
  return args;
}

nb::object give(SessionRunContext& context) {
  if (!context.form()) {
    // The program's own run keeps its fetches and feeds as a tuple.
    nb::object original = nb::none();
    if (context.original_args().form)
      original =
          package::session_run_args(*nb::borrow<nb::tuple>(kept(context.original_args().form)));
    else
      original = give(context.original_args());
    context.form() =
        keep(package::session_run_context(original, python_session(context.session())));
  }
  return kept(context.form());
}

nb::object give(Session& session, const SessionRunValues& values) {
  return package::session_run_values(
      results_of(session, values), run_options_object(values.options),
      values.run_metadata != nullptr ? run_metadata_object(*values.run_metadata)
                                     : message_class(kConfigPath, "RunMetadata")());
}

nb::object python_coordinator(train::Coordinator& coord) {
  nb::object object = nb::find(coord);
  if (!object.is_valid())
    throw_python(PyExc_RuntimeError, "the coordinator was not made by this program");
  return object;
}

void bind_hooks(nb::module_& m) {
  // What the built-in hooks have as `_core`; subclasses are bound as nb::class_<X, SessionRunHook>.
  nb::class_<SessionRunHook> c(m, "SessionRunHookCore");
  c.def("begin", [](SessionRunHook& self) {
    const InCallersPlace place({});
    building([&] { self.begin(); });
  });
  c.def("after_create_session", [](SessionRunHook& self, nb::handle session, nb::handle coord) {
    const auto opened = session_of(session);
    auto& coordinator = nb::cast<train::Coordinator&>(coord);
    without_lock([&] { self.after_create_session(*opened, coordinator); });
  });
  c.def("before_run", core_before_run);
  c.def("after_run", [](SessionRunHook& self, nb::handle context, nb::handle values) {
    core_after_run(self, context, values);
  });
  c.def("end", [](SessionRunHook& self, nb::handle session) {
    const auto opened = session_of(session);
    without_lock([&] { self.end(*opened); });
  });
}

}  // namespace rill::python
