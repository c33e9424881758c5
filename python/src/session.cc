#include "session.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <algorithm>

#include <memory>
#include <unordered_map>

#include "contexts.h"
#include "dtypes.h"
#include "errors.h"
#include "feeds.h"
#include "fetches.h"
#include "kept.h"
#include "numpy.h"
#include "objects.h"
#include "package.h"
#include "protos.h"
#include "rill/api/config/config.h"
#include "rill/api/config/session_options.h"
#include "rill/api/core/captured_values.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/training/session_face.h"
#include "rill/base/background.h"
#include "rill/base/forks.h"
#include "rill/runtime/function/session_background.h"
#include "rill/runtime/plan/plan_count.h"
#include "rill/runtime/session/config.h"
#include "rill/runtime/session/session.h"
#include "run_request.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace rill::python {
namespace {

struct SessionObject;

// Which object a session that C++ holds belongs to.
std::unordered_map<const Session*, SessionObject*>& known_sessions() {
  static auto& known = *new std::unordered_map<const Session*, SessionObject*>;
  return known;
}

struct SessionObject {
  SessionObject(nb::object of_graph, const SessionOptions& options)
      : graph_object(std::move(of_graph)),
        graph(&python::graph_object(graph_object)),
        session(std::make_unique<Session>(graph->graph, options)),
        target(options.target) {
    known_sessions()[session.get()] = this;
  }

  nb::object graph_object;
  GraphObject* graph = nullptr;
  std::unique_ptr<Session> session;
  const int opened_after = fork_count();
  std::string target;
  nb::object config = nb::none();  // as the program gave it
  bool closed = false;
  std::vector<std::unique_ptr<AsDefault>> entered;

  // Worker threads may need the GIL to let a fed array go before they end. In a child of fork the
  // session is left as it is: its threads and their locks are the parent's. So it is at the end of
  // the program where functions of the program are still under way: they may never return.
  ~SessionObject() {
    known_sessions().erase(session.get());
    const bool ends = Py_IsInitialized() == 0 && background_tasks() > 0;
    if (ends || opened_after != fork_count()) {
      (void)session.release();
      return;
    }
    WithoutLock release;
    session.reset();
  }
};

PyTypeObject* session_type = nullptr;

SessionObject& session_object(nb::handle h) {
  return held_object<SessionObject>(h, session_type, "Session");
}

int traverse_session(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (PyObject** dict = _PyObject_GetDictPtr(self)) Py_VISIT(*dict);
  if (nb::inst_ready(self)) Py_VISIT(session_object(self).graph_object.ptr());
  return 0;
}

int clear_session(PyObject* self) {
  if (PyObject** dict = _PyObject_GetDictPtr(self)) Py_CLEAR(*dict);
  return 0;
}

PyType_Slot session_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_session)},
                               {Py_tp_clear, reinterpret_cast<void*>(clear_session)},
                               {0, nullptr}};

std::vector<nb::object>& default_sessions() {
  thread_local auto& stack = *new std::vector<nb::object>;
  return stack;
}

// --- opening -----------------------------------------------------------------------------------

void open_session(SessionObject* self, nb::handle target, nb::handle graph, nb::handle config,
                  int finalize_after) {
  if (!target.is_none() && !PyUnicode_Check(target.ptr()) && !PyBytes_Check(target.ptr()))
    type_error("Argument `target` must be a string, but got \"", type_name_of(target), "\"");
  if (!graph.is_none() && !is_graph(graph))
    type_error("Argument `graph` must be a tf.Graph, but got \"", type_name_of(graph), "\"");
  const std::string text = PyUnicode_Check(target.ptr()) ? str_of(target) : "";
  SessionOptions options = session_options_of(config, text);
  options.finalize_after = finalize_after;
  const auto otherwise = [] {  // in eager execution there is nothing to run
    return executing_eagerly() ? new_graph_object(make_graph()) : wrap(default_graph());
  };
  new (self) SessionObject(graph.is_none() ? otherwise() : nb::borrow(graph), options);
  self->config = nb::borrow(config);
}

nb::object new_session(const SessionOptions& options) {
  nb::object object = nb::inst_alloc(nb::type<SessionObject>());
  new (nb::inst_ptr<SessionObject>(object)) SessionObject(wrap(default_graph()), options);
  nb::inst_mark_ready(object);
  return object;
}

void close_session(SessionObject& self) {
  self.closed = true;
  if (self.opened_after != fork_count()) return;
  WithoutLock release;
  self.session->close();
}

void check_open(const SessionObject& self) {
  if (self.closed || self.session->closed())
    throw_python(PyExc_RuntimeError, "Attempted to use a closed Session.");
}

// --- running -----------------------------------------------------------------------------------

// Options and statistics of one run, where the program gave such.
struct RunExtras {
  RunOptions options;
  StepStats stats;
  StepStats* wanted_stats = nullptr;
};

RunExtras extras_of(nb::handle options) {
  RunExtras extras;
  if (!options.is_none())
    extras.options = run_options(read_message<tensorflow::RunOptions>(options));
  return extras;
}

void store_metadata(const RunExtras& extras, nb::handle metadata) {
  const std::string bytes = run_metadata_bytes(extras.stats);
  metadata.attr("ParseFromString")(nb::bytes(bytes.data(), bytes.size()));
}

// What the program feeds, and what its graph has captured.
std::vector<Feed> all_feeds(const SessionObject& self, std::span<const Feed> given) {
  std::vector<Feed> feeds(given.begin(), given.end());
  for (Feed& captured : captured_feeds(*self.graph->graph)) feeds.push_back(std::move(captured));
  return feeds;
}

template <class F>
std::vector<Tensor> run_without_gil(SessionObject& self, F run) {
  try {
    WithoutLock release;
    return run();
  } catch (const Error& error) {
    throw_run_error(error, self.graph);
  }
}

std::vector<nb::object> to_python(std::vector<Tensor> tensors) {
  std::vector<nb::object> values;
  values.reserve(tensors.size());
  for (Tensor& tensor : tensors) values.push_back(numpy_from_tensor(std::move(tensor)));
  return values;
}

bool is_handle(const Output& output) {
  return output.node->op().name.starts_with("GetSessionHandle");
}

// What a session keeps is shown as an object that can be asked for the value.
nb::object shown_value(SessionObject& self, const Output& output, nb::object value) {
  if (!is_handle(output)) return value;
  return package::tensor_handle(value, dtype_object(base_type(output.node->input(0).dtype())),
                                nb::find(self));
}

std::vector<nb::object> to_python(SessionObject& self, const std::vector<Output>& outputs,
                                  std::vector<Tensor> tensors) {
  std::vector<nb::object> values = to_python(std::move(tensors));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = shown_value(self, outputs[i], std::move(values[i]));
  return values;
}

// A single operation or tensor without feeds looks nothing up and builds nothing.
nb::object run_single(SessionObject& self, nb::handle fetch) {
  const auto& element = *nb::inst_ptr<ElementObject>(fetch);
  if (element.output.index == kOperation) {
    Node* target = element.output.node;
    run_without_gil(self, [&] { return self.session->run({}, {}, {&target, 1}); });
    return nb::none();
  }
  const Output output = element.output;
  auto results = run_without_gil(self, [&] { return self.session->run({}, {&output, 1}); });
  return shown_value(self, output, numpy_from_tensor(std::move(results[0])));
}

nb::object run_general(SessionObject& self, nb::handle fetch_structure, nb::handle feed_dict,
                       nb::handle options, nb::handle metadata) {
  if (self.graph->graph->node_count() == 0)
    throw_python(PyExc_RuntimeError,
                 "The Session graph is empty. Add operations to the graph before calling run().");
  RunRequest request(*self.graph, fetch_structure, feed_dict);
  if (self.graph->graph->capture) request.feeds = all_feeds(self, request.feeds);
  Fetches& fetches = request.fetches;
  RunExtras extras = extras_of(options);
  if (!metadata.is_none()) extras.wanted_stats = &extras.stats;
  if (fetches.tensors().empty() && fetches.operations().empty()) return fetches.build({});
  auto results = run_without_gil(self, [&] {
    return self.session->run(request.feeds, fetches.tensors(), fetches.operations(), extras.options,
                             extras.wanted_stats);
  });
  request.feeds.clear();  // gives the borrowed arrays back before anything else may fail
  if (!metadata.is_none()) store_metadata(extras, metadata);
  return fetches.build(to_python(self, fetches.tensors(), std::move(results)));
}

nb::object run_fetches(SessionObject& self, nb::handle fetches, nb::handle feed_dict,
                       nb::handle options, nb::handle metadata) {
  check_open(self);
  const bool is_plain =
      feed_dict.is_none() && options.is_none() && metadata.is_none() && !self.graph->graph->capture;
  if (is_plain && (is_operation(fetches) || is_tensor(fetches)) &&
      nb::inst_ptr<ElementObject>(fetches)->graph == self.graph &&
      nb::inst_ptr<ElementObject>(fetches)->node().is_fetchable())
    return run_single(self, fetches);
  return run_general(self, fetches, feed_dict, options, metadata);
}

// --- partial runs ------------------------------------------------------------------------------

nb::object partial_run_setup(SessionObject& self, nb::handle fetch_structure, nb::handle feeds) {
  check_open(self);
  const Fetches fetches(*self.graph, fetch_structure);
  std::vector<Output> fed;
  if (!feeds.is_none())
    for (nb::handle item : feeds) {
      nb::object targets =
          is_tensor(item) || PyUnicode_Check(item.ptr()) ? nb::none() : package::feed_targets(item);
      if (targets.is_none()) {
        fed.push_back(graph_element(*self.graph, item, true, false));
      } else {
        for (nb::handle target : targets)
          fed.push_back(graph_element(*self.graph, target, true, false));
      }
    }
  try {
    return nb::cast(self.session->partial_run_setup(fed, fetches.tensors(), fetches.operations()));
  } catch (const Error& error) {
    throw_run_error(error, self.graph);
  }
}

nb::object partial_run(SessionObject& self, const std::string& handle, nb::handle fetch_structure,
                       nb::handle feed_dict) {
  check_open(self);
  Fetches fetches(*self.graph, fetch_structure);
  if (!fetches.operations().empty())
    throw_python(PyExc_RuntimeError, str_cat("partial_run() requires empty `target_list`. Received "
                                             "the operation '",
                                             fetches.operations()[0]->name(), "'"));
  std::vector<Feed> feeds;
  for (const FedValue& fed : feed_pairs(*self.graph, feed_dict))
    feeds.push_back({fed.target, feed_value(fed.target, fed.given)});
  auto results = run_without_gil(
      self, [&] { return self.session->partial_run(handle, feeds, fetches.tensors()); });
  feeds.clear();
  return fetches.build(to_python(std::move(results)));
}

// --- callables ---------------------------------------------------------------------------------

// What make_callable returns: the signature is compiled, a call only converts and runs.
struct CallableObject {
  nb::object session_object;
  SessionObject* session;
  Fetches fetches;
  std::vector<Output> feeds;
  Callable callable;
  bool accepts_options;
};

nb::object make_callable(nb::object session, nb::handle structure, nb::handle feed_list,
                         bool accept_options) {
  SessionObject& self = session_object(session);
  check_open(self);
  Fetches fetches(*self.graph, structure);
  std::vector<Output> feeds;
  if (!feed_list.is_none()) {
    if (!PyList_Check(feed_list.ptr()) && !PyTuple_Check(feed_list.ptr()))
      type_error("Argument `feed_list` must be a list or tuple. Received: feed_list=",
                 str_of(feed_list));
    for (nb::handle item : feed_list)
      feeds.push_back(graph_element(*self.graph, item, true, false));
  }
  Callable callable;
  try {
    callable = self.session->make_callable(feeds, fetches.tensors(), fetches.operations());
  } catch (const Error& error) {
    throw_run_error(error, self.graph);
  }
  return nb::cast(CallableObject{std::move(session), &self, std::move(fetches), std::move(feeds),
                                 std::move(callable), accept_options});
}

nb::object run_callable(CallableObject& self, const nb::args& args, const nb::kwargs& kwargs) {
  check_open(*self.session);
  if (args.size() != self.feeds.size())
    throw_run_error(Error(Code::kInvalidArgument, str_cat("Expected ", self.feeds.size(),
                                                          " feed tensors, but got ", args.size())),
                    nullptr);
  if (kwargs.size() > 0 && !self.accepts_options)
    type_error("a callable made without accept_options takes no keyword arguments");
  const auto keyword = [&](const char* name) {
    PyObject* value = PyDict_GetItemString(kwargs.ptr(), name);
    return nb::handle(value == nullptr ? Py_None : value);
  };
  nb::handle metadata = keyword("run_metadata");
  RunExtras extras = extras_of(keyword("options"));
  if (!metadata.is_none()) extras.wanted_stats = &extras.stats;
  std::vector<Tensor> values;
  for (std::size_t i = 0; i < self.feeds.size(); ++i)
    values.push_back(feed_value(self.feeds[i], args[i]));
  auto results = run_without_gil(
      *self.session, [&] { return self.callable(values, extras.options, extras.wanted_stats); });
  if (!metadata.is_none()) store_metadata(extras, metadata);
  return self.fetches.build(to_python(std::move(results)));
}

// --- defaults ----------------------------------------------------------------------------------

// Sessions may be left in another order than they were entered in.
void leave_default(const nb::object& self) {
  std::vector<nb::object>& sessions = default_sessions();
  const auto last = std::find_if(sessions.rbegin(), sessions.rend(),
                                 [&](const nb::object& session) { return session.is(self); });
  if (last != sessions.rend()) sessions.erase(std::next(last).base());
}

nb::object session_as_default(nb::object self) {
  return make_context(
      [self] {
        default_sessions().push_back(self);
        return self;
      },
      [self] { leave_default(self); });
}

nb::object enter(nb::object self) {
  SessionObject& session = session_object(self);
  session.entered.push_back(std::make_unique<AsDefault>(session.graph->graph));
  default_sessions().push_back(self);
  return self;
}

void leave(nb::object self) {
  SessionObject& session = session_object(self);
  if (session.entered.empty())
    throw_python(PyExc_RuntimeError, "a session was left that had not been entered");
  session.entered.pop_back();
  leave_default(self);
  close_session(session);
}

nb::list list_devices(SessionObject& self) {
  nb::object type = package::device_attributes.get();
  nb::list list;
  for (const DeviceInfo& device : self.session->list_devices())
    list.append(type(device.name, device.type, device.memory_limit, device.incarnation));
  return list;
}

}  // namespace

nb::object run_in_default_session(nb::handle fetch, nb::handle feeds, nb::handle session,
                                  const char* what) {
  nb::object used = nb::borrow(session);
  const auto& element = *nb::inst_ptr<ElementObject>(fetch);
  if (session.is_none()) {
    if (default_sessions().empty())
      value_error("Cannot ", what, ": No default session is registered. Use `with ",
                  "sess.as_default()` or pass an explicit session to `",
                  is_tensor(fetch) ? "eval" : "run", "(session=sess)`");
    used = default_sessions().back();
    if (!used.attr("graph").is(element.graph_object))
      value_error("Cannot use the default session to ", what,
                  ": the tensor's graph is different from the session's graph. Pass an explicit ",
                  "session to `", is_tensor(fetch) ? "eval" : "run", "(session=sess)`.");
  } else if (!used.attr("graph").is(element.graph_object)) {
    value_error("Cannot use the given session to ", what,
                ": the tensor's graph is different from the session's graph.");
  }
  return used.attr("run")(nb::borrow(fetch), nb::borrow(feeds));
}

std::vector<Tensor> run_step(nb::handle session, std::span<const Feed> feeds,
                             std::span<const Output> fetches, std::span<Node* const> targets) {
  SessionObject& self = session_object(session);
  check_open(self);
  if (!self.graph->graph->capture)
    return run_without_gil(self, [&] { return self.session->run(feeds, fetches, targets); });
  const std::vector<Feed> all = all_feeds(self, feeds);
  return run_without_gil(self, [&] { return self.session->run(all, fetches, targets); });
}

SessionOptions session_options_of(nb::handle config, const std::string& target) {
  if (config.is_none()) {
    SessionOptions options = config::session_options();
    options.target = target;
    const auto asked = config::get_optimizer_experimental_options();
    for (const char* name : {"auto_mixed_precision_mkl", "auto_mixed_precision_onednn_bfloat16"})
      if (const auto it = asked.find(name); it != asked.end() && it->second)
        options.rewrites_on.insert("lower_precision");
    return options;
  }
  if (!nb::hasattr(config, "SerializeToString") || !nb::hasattr(config, "device_count"))
    type_error("Argument `config` must be a tf.ConfigProto, but got \"", type_name_of(config),
               "\"");
  return session_options(read_message<tensorflow::ConfigProto>(config), target);
}

std::shared_ptr<Session> session_of(nb::handle session) {
  if (PyObject_TypeCheck(session.ptr(), session_type) == 0) {
    if (!nb::hasattr(session, "_tf_sess"))
      type_error("sess must be a `tf.Session` object. Given class: ", str_of(session.type()));
    return session_of(session.attr("_tf_sess")());
  }
  return {keep(session), session_object(session).session.get()};
}

nb::object python_session(Session& session) {
  const auto found = known_sessions().find(&session);
  if (found == known_sessions().end())
    throw_python(PyExc_RuntimeError, "the session was not opened by this program");
  return nb::find(*found->second);
}

std::function<std::shared_ptr<Session>(const SessionOptions&)> python_opener() {
  return [](const SessionOptions& options) {
    const WithLock gil;
    return session_of(new_session(options));
  };
}

std::vector<nb::object> python_values(Session& session, const std::vector<Output>& outputs,
                                      std::vector<Tensor> tensors) {
  SessionObject& self = *known_sessions().at(&session);
  return to_python(self, outputs, std::move(tensors));
}

void bind_session(nb::module_& m) {
  nb::class_<CallableObject>(m, "SessionCallable").def("__call__", run_callable);

  nb::class_<SessionObject> c(m, "Session", nb::type_slots(session_slots), nb::dynamic_attr(),
                              nb::is_weak_referenceable());
  session_type = reinterpret_cast<PyTypeObject*>(c.ptr());
  c.def("__init__", open_session, nb::arg("target") = "", nb::arg("graph") = nb::none(),
        nb::arg("config") = nb::none(), nb::kw_only(), nb::arg("finalize_after") = 0);
  c.def("partial_run_setup", partial_run_setup, nb::arg("fetches").none(),
        nb::arg("feeds") = nb::none());
  c.def("partial_run", partial_run, nb::arg("handle"), nb::arg("fetches").none(),
        nb::arg("feed_dict") = nb::none());
  c.def("run", run_fetches, nb::arg("fetches").none(), nb::arg("feed_dict") = nb::none(),
        nb::arg("options") = nb::none(), nb::arg("run_metadata") = nb::none());
  c.def("make_callable", make_callable, nb::arg("fetches").none(),
        nb::arg("feed_list") = nb::none(), nb::arg("accept_options") = false);
  c.def("close", close_session);
  c.def("list_devices", list_devices);
  c.def("as_default", session_as_default);
  m.def("default_session_context", session_as_default);
  c.def("__enter__", enter);
  c.def("__exit__", [](nb::object self, nb::args) { leave(std::move(self)); });
  c.def_prop_ro("graph", [](SessionObject& s) { return s.graph_object; });
  c.def_prop_ro("graph_def",
                [](SessionObject& s) { return s.graph_object.attr("as_graph_def")(); });
  c.def_prop_ro("_config", [](SessionObject& s) { return s.config; });
  c.def_prop_ro("sess_str", [](SessionObject& s) { return nb::bytes(s.target.c_str()); });
  c.def_static(
      "reset",
      [](const std::string& target, nb::handle containers, nb::handle config) {
        std::vector<std::string> names;
        if (!containers.is_none()) names = nb::cast<std::vector<std::string>>(containers);
        const SessionOptions options = session_options_of(config, target);
        const WithoutLock release;
        Session::reset(options, names);
      },
      nb::arg("target"), nb::arg("containers") = nb::none(), nb::arg("config") = nb::none());

  train::session_face().open = python_opener();
  nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
    const WithoutLock release;
    end_background_calls();
  }));
  m.def("compiled_plan_count", compiled_plan_count);
  m.def("get_default_session",
        [] { return default_sessions().empty() ? nb::none() : default_sessions().back(); });
}

}  // namespace rill::python
