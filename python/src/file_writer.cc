#include "rill/api/summary/file_writer.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "call.h"
#include "errors.h"
#include "kept.h"
#include "package.h"
#include "protos.h"
#include "rill/api/saver/meta_graph.h"
#include "rill/api/summary/projector.h"
#include "rill/graph/graph_def.h"
#include "rill/io/event_reader.h"
#include "summary_functions.h"
#include "tensorflow/contrib/tensorboard/plugins/projector/projector_config.pb.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/protobuf/config.pb.h"
#include "tensorflow/core/protobuf/meta_graph.pb.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::python {
namespace {

using summaries::FileWriter;

// Writing may wait for a disk, or run a session, while other threads go on.
template <class F>
void without_gil(F write) {
  const WithoutLock others_run;
  write();
}

// `run(operation, tensor or None, event)` runs in the program's session.
summaries::RunEvent run_by(nb::handle run) {
  return [held = keep(run)](Node& operation, Output fed, const std::string& event) {
    const WithLock gil;
    kept(held)(give(operation), fed.node ? give(fed) : nb::none(), bytes_object(event));
  };
}

void make_writer(FileWriter* self, const std::string& logdir, std::int64_t max_queue,
                 double flush_secs, const std::string& suffix, nb::handle run) {
  const summaries::FileWriterOptions options{
      .max_queue = max_queue, .flush_secs = flush_secs, .filename_suffix = suffix};
  if (run.is_none()) {
    new (self) FileWriter(logdir, options);
    return;
  }
  const InCallersPlace place({});
  new (self) FileWriter(logdir, summaries::event_ops(logdir, options, run_by(run)));
}

// Messages come as Python's; `add` writes them as C++'s.
template <class Message, auto add>
void add_message(FileWriter& self, nb::handle message, FileWriter::GlobalStep step) {
  const Message read = read_message<Message>(message);
  without_gil([&] { (self.*add)(read, step); });
}

void add_summary(FileWriter& self, nb::handle summary, FileWriter::GlobalStep step) {
  const std::string bytes =
      PyBytes_Check(summary.ptr())
          ? std::string(PyBytes_AS_STRING(summary.ptr()),
                        static_cast<std::size_t>(PyBytes_GET_SIZE(summary.ptr())))
          : bytes_of_message(summary);
  without_gil([&] { self.add_summary(bytes, step); });
}

nb::object read_event(EventReader& self) {
  tensorflow::Event event;
  if (!self.read(&event)) return nb::none();
  return message_from_bytes("tensorflow/core/util/event.proto", "Event", event.SerializeAsString());
}

nb::object meta_graph(nb::handle graph_def) {
  const auto made =
      train::export_meta_graph({.graph_def = read_message<tensorflow::GraphDef>(graph_def)});
  return message_from_bytes("tensorflow/core/protobuf/meta_graph.proto", "MetaGraphDef",
                            made.SerializeAsString());
}

// Graphs are written as C++ exports them: no message of Python's is made.
void add_whole_graph(FileWriter& self, GraphObject& graph, FileWriter::GlobalStep step) {
  const auto def = building([&] { return export_graph_def(*graph.graph, {.add_shapes = true}); });
  without_gil([&] { self.add_graph(def, step); });
}
void add_meta_graph_of(FileWriter& self, GraphObject& graph) {
  const InCallersPlace place({});
  const auto def = building([&] {
    return train::export_meta_graph(
        {.graph_def = export_graph_def(*graph.graph, {.add_shapes = true})});
  });
  without_gil([&] { self.add_meta_graph(def, {}); });
}

constexpr Function kIterator[] = {
    {"train.summary_iterator(path)",
     [](const Call& c) -> nb::object { return package::summary_iterator(c["path"]); },
     "The events of a file, one after the other."},
};

}  // namespace

void bind_file_writer(nb::module_& m) {
  add_functions(kIterator);
  using AddGraph = void (FileWriter::*)(const tensorflow::GraphDef&, FileWriter::GlobalStep);
  constexpr AddGraph add_graph = &FileWriter::add_graph;
  nb::class_<FileWriter>(m, "FileWriterCore")
      .def("__init__", make_writer, nb::arg("logdir"), nb::arg("max_queue"), nb::arg("flush_secs"),
           nb::arg("filename_suffix"), nb::arg("run").none())
      .def("add_summary", add_summary, nb::arg("summary"), nb::arg("step").none())
      .def("add_graph", add_message<tensorflow::GraphDef, add_graph>, nb::arg("graph_def"),
           nb::arg("step").none())
      .def("add_whole_graph", add_whole_graph, nb::arg("graph"), nb::arg("step").none())
      .def("add_meta_graph_of", add_meta_graph_of, nb::arg("graph"))
      .def("add_meta_graph", add_message<tensorflow::MetaGraphDef, &FileWriter::add_meta_graph>,
           nb::arg("meta_graph_def"), nb::arg("step").none())
      .def("add_session_log", add_message<tensorflow::SessionLog, &FileWriter::add_session_log>,
           nb::arg("session_log"), nb::arg("step").none())
      .def(
          "add_run_metadata",
          [](FileWriter& self, nb::handle metadata, const std::string& tag,
             FileWriter::GlobalStep step) {
            const auto read = read_message<tensorflow::RunMetadata>(metadata);
            building([&] { without_gil([&] { self.add_run_metadata(read, tag, step); }); });
          },
          nb::arg("run_metadata"), nb::arg("tag"), nb::arg("step").none())
      .def("add_event",
           [](FileWriter& self, nb::handle event) {
             const auto read = read_message<tensorflow::Event>(event);
             without_gil([&] { self.add_event(read); });
           })
      .def("flush", [](FileWriter& self) { without_gil([&] { self.flush(); }); })
      .def("close", [](FileWriter& self) { without_gil([&] { self.close(); }); })
      .def("reopen", [](FileWriter& self) { without_gil([&] { self.reopen(); }); });
  nb::class_<EventReader>(m, "EventReader")
      .def(nb::init<const std::string&>())
      .def("read", read_event);
  m.def("cached_file_writer", [](const std::string& logdir) {
    const InCallersPlace place({});
    return building([&] { return summaries::FileWriterCache::get(logdir); });
  });
  m.def("clear_file_writers", [] { without_gil(summaries::FileWriterCache::clear); });
  m.def("meta_graph_of", meta_graph);
  m.def("visualize_embeddings", [](const std::string& logdir, nb::handle config) {
    const auto read = read_message<projector::ProjectorConfig>(config);
    building([&] { without_gil([&] { projector::visualize_embeddings(logdir, read); }); });
  });
}

}  // namespace rill::python
