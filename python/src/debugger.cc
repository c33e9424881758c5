#include "debugger.h"

#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "kept.h"
#include "numpy.h"
#include "objects.h"
#include "program_error.h"
#include "protos.h"
#include "rill/inspect/debugger/command_line_observer.h"
#include "rill/inspect/debugger/publishing_observers.h"
#include "rill/inspect/debugger/run_recorder.h"
#include "session.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::python {
namespace {

using namespace rill::debugger;

constexpr const char* kGraphPath = "tensorflow/core/framework/graph.proto";

// ValueError where an argument makes no sense, as the debugger's functions raise in TensorFlow.
template <class F>
auto checked(F f) {
  try {
    return f();
  } catch (const Error& error) {
    if (error.code() == Code::kInvalidArgument) throw_python(PyExc_ValueError, error.message());
    if (error.code() == Code::kNotFound) throw_python(PyExc_OSError, error.message());
    throw_run_error(error, nullptr);
  }
}

// The array of a dump; or, where there is none, (whether it was initialised, the message's words).
nb::object give_dumped(const DumpedValue& value) {
  if (value.has_value()) return numpy_from_tensor(value.tensor.clone());
  return nb::make_tuple(value.is_initialized, value.proto_text);
}

nb::tuple metadata_of(const CoreMetadata& data) {
  return nb::make_tuple(data.global_step, data.session_run_index, data.executor_step_index,
                        data.input_names, data.output_names, data.target_nodes);
}

template <class Message>
Message message_of(nb::handle given) {
  return read_message<Message>(given);
}

std::vector<tensorflow::GraphDef> graphs_of(nb::handle given) {
  std::vector<tensorflow::GraphDef> graphs;
  if (given.is_none()) return graphs;
  for (nb::handle graph : given) graphs.push_back(message_of<tensorflow::GraphDef>(graph));
  return graphs;
}

nb::object graph_message(const tensorflow::GraphDef& graph) {
  return message_from_bytes(kGraphPath, "GraphDef", graph.SerializeAsString());
}

// A filter of the program: called with a datum and its value as the program sees them.
TensorFilter filter_of(nb::handle function, nb::handle shown_datum) {
  return [function = keep(function), shown = keep(shown_datum)](const DumpDatum& datum,
                                                                const DumpedValue& value) {
    return in_program([&] {
      nb::object wrapped = kept(shown)(nb::cast(datum));
      nb::object passes = kept(function)(wrapped, wrapped.attr("_shown")(give_dumped(value)));
      return PyObject_IsTrue(passes.ptr()) == 1;
    });
  };
}

void bind_datum(nb::module_& m) {
  nb::class_<DumpDatum> c(m, "DumpDatum");
  c.def("__init__", [](DumpDatum* self, const std::string& root, const std::string& path) {
    checked([&] { return new (self) DumpDatum(root, path); });
  });
  c.def_ro("node_name", &DumpDatum::node);
  c.def_ro("output_slot", &DumpDatum::slot);
  c.def_ro("debug_op", &DumpDatum::op);
  c.def_ro("timestamp", &DumpDatum::timestamp);
  c.def_ro("extended_timestamp", &DumpDatum::extended_timestamp);
  c.def_ro("device_name", &DumpDatum::device);
  c.def_ro("file_path", &DumpDatum::file_path);
  c.def_ro("dump_size_bytes", &DumpDatum::file_size);
  c.def("read",
        [](const DumpDatum& self) { return checked([&] { return give_dumped(self.read()); }); });
  c.def("text", [](const DumpDatum& self) { return to_text(self); });
}

std::vector<DumpDatum> copies(const std::vector<const DumpDatum*>& data) {
  std::vector<DumpDatum> all;
  for (const DumpDatum* datum : data) all.push_back(*datum);
  return all;
}

void bind_directory(nb::module_& m) {
  nb::class_<DumpDir> c(m, "DumpDir");
  c.def(
      "__init__",
      [](DumpDir* self, const std::string& root, nb::handle graphs, bool validate) {
        checked([&] { return new (self) DumpDir(root, graphs_of(graphs), validate); });
      },
      nb::arg("root"), nb::arg("graphs").none(), nb::arg("validate"));
  c.def("data", [](const DumpDir& self) { return self.data(); });
  c.def_prop_ro("t0", &DumpDir::t0);
  c.def("devices", &DumpDir::devices);
  c.def("core_metadata", [](const DumpDir& self) {
    nb::list all;
    for (const CoreMetadata& data : self.core_metadata()) all.append(metadata_of(data));
    return all;
  });
  c.def("fetches_info", [](const DumpDir& self) { return self.fetches_info(); });
  c.def("feed_keys_info", [](const DumpDir& self) { return self.feed_keys_info(); });
  c.def("has_graphs", &DumpDir::has_graphs);
  c.def("graphs", [](const DumpDir& self, bool with_watches) {
    nb::dict all;
    for (const auto& graph : self.graphs())
      all[graph->device().c_str()] =
          graph_message(with_watches ? graph->debug_graph() : graph->graph());
    return all;
  });
  c.def("has_node", &DumpDir::has_node);
  c.def("nodes", [](const DumpDir& self, const std::string& device) {
    std::vector<std::string> names;
    for (const auto& graph : self.graphs())
      if (device.empty() || graph->device() == device)
        names.insert(names.end(), graph->names().begin(), graph->names().end());
    return names;
  });
  const auto node = [](const DumpDir& self, const std::string& name, const std::string& device) {
    return checked([&] { return self.node(name, device); });
  };
  c.def("node_op", [node](const DumpDir& self, const std::string& name, const std::string& device) {
    return node(self, name, device).op;
  });
  c.def("node_inputs", [node](const DumpDir& self, const std::string& name, bool control,
                              const std::string& device) {
    return control ? node(self, name, device).controls : node(self, name, device).inputs;
  });
  c.def("node_readers", [node](const DumpDir& self, const std::string& name, bool control,
                               const std::string& device) {
    return control ? node(self, name, device).control_readers : node(self, name, device).readers;
  });
  c.def("node_attributes", [node](const DumpDir& self, const std::string& name,
                                  const std::string& device) {
    nb::dict attributes;
    for (const auto& [key, value] : node(self, name, device).attrs)
      attributes[key.c_str()] = message_from_bytes("tensorflow/core/framework/attr_value.proto",
                                                   "AttrValue", value.SerializeAsString());
    return attributes;
  });
  c.def("transitive_inputs",
        [](const DumpDir& self, const std::string& name, bool control, const std::string& device) {
          return checked([&] { return self.transitive_inputs(name, control, device); });
        });
  c.def("find_path",
        [](const DumpDir& self, const std::string& from, const std::string& to, bool control) {
          return checked([&] { return self.find_path(from, to, control); });
        });
  c.def("watch_keys", &DumpDir::watch_keys);
  c.def("dumps_of", [](const DumpDir& self, const std::string& key, const std::string& device) {
    return copies(self.dumps_of(key, device));
  });
}

// --- watching ------------------------------------------------------------------------------------

WatchOptions watch_options(nb::handle given) {
  WatchOptions options;
  if (given.is_none()) return options;
  const auto text = [&](const char* name) {
    nb::object value = given.attr(name);
    return value.is_none() ? std::string() : nb::cast<std::string>(value);
  };
  nb::object ops = given.attr("debug_ops");
  if (PyUnicode_Check(ops.ptr()))
    options.debug_ops = {nb::cast<std::string>(ops)};
  else if (!ops.is_none())
    options.debug_ops = nb::cast<std::vector<std::string>>(nb::list(ops));
  options.node_name = text("node_name_regex_allowlist");
  options.op_type = text("op_type_regex_allowlist");
  options.tensor_dtype = text("tensor_dtype_regex_allowlist");
  options.tolerates_failures =
      PyObject_IsTrue(given.attr("tolerate_debug_op_creation_failures").ptr()) == 1;
  return options;
}

// What a function of the program wants to be watched, given the names of a run.
WatchFunction watch_function(nb::handle function) {
  if (function.is_none()) return {};
  return [function = keep(function)](const RunDescription& run) {
    return in_program([&] { return watch_options(kept(function)(run.fetches, run.feeds)); });
  };
}

// The watches of a graph: ("node", slot).
std::vector<std::pair<std::string, int>> graph_watches(GraphObject& graph, const std::string& name,
                                                       const std::string& op,
                                                       const std::string& type, bool denies) {
  return checked([&] {
    std::vector<std::pair<std::string, int>> all;
    const DebugOptions debug =
        watch_graph(*graph.graph, {"file:///"},
                    {.node_name = name, .op_type = op, .tensor_dtype = type, .denies = denies});
    for (const TensorWatch& watch : debug.watches) all.emplace_back(watch.node, watch.slot);
    return all;
  });
}

// --- the command line ----------------------------------------------------------------------------

// Reads and writes as Python does, so that what the program has put in place of its standard input
// and output is used.
LineIo python_io() {
  return {
      .read = [](const std::string& prompt) -> std::optional<std::string> {
        return in_program([&]() -> std::optional<std::string> {
          try {
            return nb::cast<std::string>(nb::module_::import_("builtins").attr("input")(prompt));
          } catch (nb::python_error& error) {
            if (error.matches(PyExc_EOFError) || error.matches(PyExc_KeyboardInterrupt)) return {};
            throw;
          }
        });
      },
      .write =
          [](const std::string& text) {
            in_program([&] {
              nb::object out = nb::module_::import_("sys").attr("stdout");
              out.attr("write")(text);
              out.attr("flush")();
            });
          }};
}

// `evaluate` is called with the dumps, the expression, and what was said of how to show it.
std::function<Evaluate(std::shared_ptr<const DumpDir>)> evaluator(nb::handle function) {
  return [function = keep(function)](std::shared_ptr<const DumpDir> dumps) -> Evaluate {
    return [function, dumps](const std::string& expression, const Arguments& given) {
      return in_program([&] {
        nb::object found = kept(function)(dumps, expression);
        const std::string label = "from eval of expression '" + expression + "'";
        if (!nb::hasattr(found, "dtype") || nb::cast<int>(found.attr("ndim")) == 0)
          return RichText({"Tensor \"" + label + "\":", "", repr_of(found)});
        DumpedValue value;
        value.tensor = tensor_from_value(found, DType::invalid);
        return tensor_text(value, label, "", given, true);
      });
    };
  };
}

void leave_program() {
  in_program([&] {
    PyErr_SetObject(PyExc_SystemExit, nb::int_(1).ptr());
    throw nb::python_error();
  });
}

CommandLineOptions command_line_options(const std::string& ui_type, const std::string& dump_root,
                                        const std::string& config_file, nb::handle evaluate) {
  return {.ui_type = ui_type,
          .dump_root = dump_root,
          .config_file = config_file,
          .io = python_io(),
          .evaluate = evaluator(evaluate),
          .exit = leave_program};
}

std::shared_ptr<CommandLineObserver> command_line(const std::string& ui_type,
                                                  const std::string& dump_root,
                                                  const std::string& config_file,
                                                  nb::handle evaluate) {
  return checked([&] {
    return std::make_shared<CommandLineObserver>(
        command_line_options(ui_type, dump_root, config_file, evaluate));
  });
}

std::shared_ptr<RunRecorder> run_recorder(const std::string& ui_type,
                                          const std::string& config_file, std::int64_t runs,
                                          nb::handle evaluate) {
  return checked([&] {
    require(runs > 0, "at least one run has to be kept, but runs is ", runs);
    return std::make_shared<RunRecorder>(
        RecordOptions{.runs = static_cast<std::size_t>(runs),
                      .command_line = command_line_options(ui_type, "", config_file, evaluate)});
  });
}

void bind_recorder(nb::module_& m) {
  nb::class_<RunRecorder, RunObserver> c(m, "RunRecorder");
  c.def("add_tensor_filter",
        [](RunRecorder& self, const std::string& name, nb::handle filter, nb::handle shown) {
          checked([&] {
            self.add_tensor_filter(name, filter_of(filter, shown));
            return 0;
          });
        });
  c.def("look_back", [](RunRecorder& self) {
    const WithoutLock release;
    self.look_back();
  });
  c.def("numbers", [](const RunRecorder& self) {
    std::vector<int> numbers;
    for (const RecordedRun& run : self.runs()) numbers.push_back(run.number);
    return numbers;
  });
  c.def("value_in", [](const RunRecorder& self, int number, const std::string& tensor) {
    return checked([&]() -> nb::object {
      Tensor value;
      {
        const WithoutLock release;
        value = self.value_in(self.at(number), tensor);
      }
      if (!value.has_value()) return nb::none();
      return numpy_from_tensor(std::move(value));
    });
  });
  m.def("run_recorder", run_recorder);
}

// Looks at the dumps of a directory until the user leaves.
void browse(const std::shared_ptr<DumpDir>& dumps, const std::string& ui_type, nb::handle evaluate,
            nb::handle graph) {
  const auto config = std::make_shared<ShellConfig>();
  RunFacts facts;
  if (!graph.is_none()) facts.graph = graph_object(graph).graph;
  Analyzer analyzer(dumps, facts, config);
  analyzer.evaluate_with(evaluator(evaluate)(dumps));
  const WithoutLock release;
  look_at_dumps(analyzer, *make_terminal(ui_type, python_io(), config->mouse_mode), config);
}

void bind_observers(nb::module_& m) {
  nb::class_<RunObserver> observer(m, "RunObserver");
  nb::class_<CommandLineObserver, RunObserver> c(m, "CommandLineObserver");
  c.def("add_tensor_filter", [](CommandLineObserver& self, const std::string& name,
                                nb::handle filter, nb::handle shown) {
    checked([&] {
      self.add_tensor_filter(name, filter_of(filter, shown));
      return 0;
    });
  });
  bind_recorder(m);
  m.def("command_line_observer", command_line);
  m.def(
      "dumping_observer",
      [](const std::string& root, nb::handle watch) {
        return checked([&] { return dumping_observer(root, watch_function(watch)); });
      },
      nb::arg("root"), nb::arg("watch").none());
  m.def(
      "grpc_observer",
      [](const std::vector<std::string>& addresses, nb::handle watch, bool sends) {
        return checked([&] { return grpc_observer(addresses, watch_function(watch), sends); });
      },
      nb::arg("addresses"), nb::arg("watch").none(), nb::arg("sends"));
  m.def("observe_next_run", &observe_next_run, nb::arg("observer").none());
  m.def("observe_main_thread", &observe_main_thread, nb::arg("observer").none());
  m.def(
      "observe_session",
      [](nb::handle session, RunObserverRef observer) {
        observe_session(*session_of(session), std::move(observer));
      },
      nb::arg("session"), nb::arg("observer").none());
  m.def("browse_dumps", browse, nb::arg("dumps"), nb::arg("ui_type"), nb::arg("evaluate"),
        nb::arg("graph").none());
}

}  // namespace

void bind_debugger(nb::module_& m) {
  bind_datum(m);
  bind_directory(m);
  m.def("graph_watches", graph_watches);
  m.def("read_debug_event", [](nb::handle event) {
    return checked([&] { return give_dumped(value_of(message_of<tensorflow::Event>(event))); });
  });
  m.def("without_debug_nodes", [](nb::handle graph) {
    return graph_message(without_debug_nodes(message_of<tensorflow::GraphDef>(graph)));
  });
  bind_observers(m);
}

}  // namespace rill::python
