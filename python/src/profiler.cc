#include "profiler.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "protos.h"
#include "rill/api/profiler/device_profiles.h"
#include "rill/api/profiler/profile_context.h"
#include "rill/api/profiler/profiler.h"
#include "rill/inspect/profiler/profile_shell.h"
#include "rill/inspect/stat_summary.h"
#include "tensorflow/core/profiler/tfprof_options.pb.h"

namespace rill::python {
namespace {

using namespace rill::profiler;

// A message, or its bytes.
template <class Message>
Message message_or_bytes(nb::handle given) {
  if (!PyBytes_Check(given.ptr())) return read_message<Message>(given);
  return message_in<Message>(
      {PyBytes_AS_STRING(given.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(given.ptr()))});
}

nb::bytes message_of(const ProfiledModel& model, ViewKind kind, const Row& root,
                     const ProfileOptions& options) {
  if (kind == ViewKind::scope || kind == ViewKind::graph) {
    GraphNodeProto proto;
    profiler::to_proto(model, root, options, &proto);
    return bytes_of(proto);
  }
  MultiGraphNodeProto proto;
  profiler::to_proto(model, kind, root, options, &proto);
  return bytes_of(proto);
}

// The report, for standard output, and the view as a message.
nb::tuple look(const ProfiledModel& model, const std::string& command, nb::handle options) {
  const ProfileOptions wanted =
      from_proto(message_or_bytes<tensorflow::tfprof::OptionsProto>(options));
  const ViewKind kind = view_kind(command);
  std::string report;
  const RowPtr root = profile_view(
      model, kind, wanted, [&](const std::string& text) { report = banner_text(wanted, text); });
  return nb::make_tuple(report, message_of(model, kind, *root, wanted));
}

nb::tuple advise_in(const ProfiledModel& model, const std::set<std::string>& checkers) {
  const Advice advice = profiler::advise(model, checkers);
  tensorflow::tfprof::AdviceProto proto;
  for (const auto& [checker, reports] : advice)
    (*proto.mutable_checkers())[checker].mutable_reports()->Add(reports.begin(), reports.end());
  return nb::make_tuple(advice_text(advice), bytes_of(proto));
}

nb::bytes serialized(const ProfiledModel& model) {
  tensorflow::tfprof::ProfileProto proto;
  model.to_proto(&proto);
  return bytes_of(proto);
}

nb::bytes op_log(GraphObject& graph, const std::vector<std::string>& trainable_variables,
                 nb::handle metadata, nb::handle log, bool add_trace) {
  tensorflow::RunMetadata step;
  OpLogProto own;
  if (!metadata.is_none()) step = message_or_bytes<tensorflow::RunMetadata>(metadata);
  if (!log.is_none()) own = message_or_bytes<OpLogProto>(log);
  return bytes_of(op_log_of(*graph.graph, trainable_variables,
                            {.metadata = metadata.is_none() ? nullptr : &step,
                             .log = log.is_none() ? nullptr : &own,
                             .add_trace = add_trace}));
}

// ValueError where an argument makes no sense.
template <class F>
auto with_value_errors(F f) {
  try {
    return f();
  } catch (const Error& error) {
    throw_python(PyExc_ValueError, error.message());
  }
}

nb::dict profiles_of(const ProfileContext& context, const std::string& command) {
  nb::dict found;
  const auto add = [&](const auto& views) {
    for (const auto& [step, view] : views) found[nb::int_(step)] = bytes_of(view);
  };
  with_value_errors([&] {
    if (command == "scope" || command == "graph")
      add(context.trees(command));
    else
      add(context.tables(command));
  });
  return found;
}

void bind_profile_context(nb::module_& m) {
  nb::class_<ProfileContext> c(m, "ProfileContext");
  c.def(
      "__init__",
      [](ProfileContext* self, const std::string& directory,
         const std::optional<std::set<std::int64_t>>& trace_steps,
         const std::optional<std::set<std::int64_t>>& dump_steps) {
        ProfileContextOptions options{.trace_steps = trace_steps};
        if (dump_steps) options.dump_steps = *dump_steps;
        with_value_errors([&] { new (self) ProfileContext(directory, options); });
      },
      nb::arg("directory"), nb::arg("trace_steps").none(), nb::arg("dump_steps").none());
  c.def("add_auto_profiling", [](ProfileContext& self, const std::string& command,
                                 nb::handle options, const std::set<std::int64_t>& steps) {
    with_value_errors([&] {
      self.add_auto_profiling(
          command, from_proto(message_or_bytes<tensorflow::tfprof::OptionsProto>(options)), steps);
    });
  });
  c.def("trace_next_step", &ProfileContext::trace_next_step);
  c.def("dump_next_step", &ProfileContext::dump_next_step);
  c.def("end", &ProfileContext::end);
  c.def("profiles", profiles_of);
  c.def("model", [](const ProfileContext& self) {
    return with_value_errors([&] { return self.profiler().model(); });
  });
}

void bind_device_profiles(nb::module_& m) {
  m.def("device_profiles", [](GraphObject& graph, nb::handle metadata) {
    nb::dict found;
    for (const auto& [device, profile] :
         device_profiles(*graph.graph, message_or_bytes<tensorflow::RunMetadata>(metadata)))
      found[device.c_str()] = bytes_of(profile);
    return found;
  });
  m.def("write_device_profiles",
        [](GraphObject& graph, nb::handle metadata, const std::string& directory) {
          return with_value_errors([&] {
            return write_device_profiles(
                *graph.graph, message_or_bytes<tensorflow::RunMetadata>(metadata), directory);
          });
        });
}

void bind_stat_summary(nb::module_& m) {
  nb::class_<inspect::StatSummary> c(m, "StatSummary");
  c.def(nb::init<>());
  c.def("add", [](inspect::StatSummary& self, nb::handle step) {
    self.add(message_or_bytes<tensorflow::StepStats>(step));
  });
  c.def("text", &inspect::StatSummary::text);
  c.def("by_type", &inspect::StatSummary::by_type);
  c.def("in_short", &inspect::StatSummary::in_short);
}

}  // namespace

void bind_profiled_model(nb::module_& m) {
  nb::class_<ProfiledModel> c(m, "ProfiledModel");
  c.def(nb::init<>());
  c.def("add_graph", [](ProfiledModel& self, nb::handle graph_def) {
    self.add_graph(message_or_bytes<tensorflow::GraphDef>(graph_def));
  });
  c.def("add_op_log", [](ProfiledModel& self, nb::handle log) {
    self.add_op_log(message_or_bytes<OpLogProto>(log));
  });
  c.def("add_step", [](ProfiledModel& self, std::int64_t step, nb::handle metadata) {
    self.add_step(step, message_or_bytes<tensorflow::RunMetadata>(metadata));
  });
  c.def_prop_ro("has_traces", &ProfiledModel::has_traces);
  c.def("look", look);
  c.def("advise", advise_in);
  c.def("serialize", serialized);
  bind_profile_context(m);
  bind_device_profiles(m);
  bind_stat_summary(m);
  m.def("op_log", op_log, nb::arg("graph"), nb::arg("trainable_variables"),
        nb::arg("metadata").none(), nb::arg("log").none(), nb::arg("add_trace"));
}

}  // namespace rill::python
