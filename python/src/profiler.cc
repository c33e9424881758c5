#include "profiler.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "protos.h"
#include "rill/api/profiler/profiler.h"
#include "rill/inspect/profiler/profile_shell.h"
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
  m.def("op_log", op_log, nb::arg("graph"), nb::arg("trainable_variables"),
        nb::arg("metadata").none(), nb::arg("log").none(), nb::arg("add_trace"));
}

}  // namespace rill::python
