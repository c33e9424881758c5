#include "summary_functions.h"

#include <nanobind/stl/string.h>

#include "call.h"
#include "class_call.h"
#include "errors.h"
#include "keep_graph.h"
#include "kept.h"
#include "protos.h"
#include "rill/api/summary/recorded.h"
#include "rill/api/summary/summary.h"
#include "tensorflow/core/framework/node_def.pb.h"
#include "tensorflow/core/framework/summary.pb.h"

namespace rill::python {
namespace {

constexpr const char* kSummaryProto = "tensorflow/core/framework/summary.proto";

std::optional<std::vector<std::string>> summary_collections(const Call& c) {
  if (!c.has("collections")) return {};
  std::vector<std::string> names;
  for (nb::handle name : c["collections"]) names.push_back(str_of(name));
  return names;
}

summaries::SummaryOptions summary_options(const Call& c) {
  return {summary_collections(c), c.text("family")};
}
summaries::MediaOptions media_options(const Call& c) {
  return {c.integer("max_outputs"), summary_collections(c), c.text("family")};
}

std::string required_name(const Call& c) {
  if (!c.has("name"))
    value_error("At least one of name (None) and default_name (None) must be provided.");
  return c.name();
}

void require_graph() {
  if (executing_eagerly())
    throw_python(PyExc_RuntimeError,
                 "Merging tf.summary.* ops is not compatible with eager execution. Use "
                 "tf.contrib.summary instead.");
}

nb::object tensor_summary(const Call& c) {
  summaries::TensorSummaryOptions options{.summary_description = c.text("summary_description"),
                                          .collections = summary_collections(c),
                                          .family = c.text("family"),
                                          .display_name = c.text("display_name")};
  if (c.has("summary_metadata")) options.summary_metadata = bytes_of_message(c["summary_metadata"]);
  return give(summaries::tensor_summary(required_name(c), c.input("tensor"), options));
}

nb::object merge_summaries(const Call& c) {
  require_graph();
  return give(summaries::merge(c.inputs("inputs"), {.collections = summary_collections(c).value_or(
                                                        std::vector<std::string>()),
                                                    .name = c.name()}));
}

nb::object merge_all(const Call& c) {
  require_graph();
  const auto merged = summaries::merge_all(c.text("key"), {c.text("scope"), c.name()});
  return merged ? give(*merged) : nb::none();
}

nb::object description(const Call& c) {
  const auto found =
      summaries::get_summary_description(read_message<tensorflow::NodeDef>(c["node_def"]));
  return message_from_bytes(kSummaryProto, "SummaryDescription", found.SerializeAsString());
}

constexpr Function kSummaries[] = {
    {"summary.scalar(name, tensor, collections=None, family=None)",
     [](const Call& c) {
       return give(summaries::scalar(required_name(c), c.input("tensor"), summary_options(c)));
     },
     "A summary of a number."},
    {"summary.histogram(name, values, collections=None, family=None)",
     [](const Call& c) {
       return give(summaries::histogram(c.name(), c.input("values"), summary_options(c)));
     },
     "A summary of how values are distributed."},
    {"summary.image(name, tensor, max_outputs=3, collections=None, family=None)",
     [](const Call& c) {
       return give(summaries::image(required_name(c), c.input("tensor"), media_options(c)));
     },
     "A summary of the first pictures of a batch."},
    {"summary.audio(name, tensor, sample_rate, max_outputs=3, collections=None, family=None)",
     [](const Call& c) {
       return give(summaries::audio(required_name(c), c.input("tensor"), c.input("sample_rate"),
                                    media_options(c)));
     },
     "A summary of the first sounds of a batch."},
    {"summary.text(name, tensor, collections=None)",
     [](const Call& c) {
       return give(summaries::text(required_name(c), c.input("tensor"), {summary_collections(c)}));
     },
     "A summary of texts."},
    {"summary.tensor_summary(name, tensor, summary_description=None, collections=None, "
     "summary_metadata=None, family=None, display_name=None)",
     tensor_summary, "A summary of any tensor."},
    {"summary.merge(inputs, collections=None, name=None)", merge_summaries,
     "Several summaries as one."},
    {"summary.merge_all(key='summaries', scope=None, name=None)", merge_all,
     "All summaries of the graph as one, or None."},
    {"summary.get_summary_description(node_def)", description,
     "What a TensorSummary node says of itself."},
    {"summary.all_v2_summary_ops()", [](const Call&) { return give(summaries::all_summary_ops()); },
     "What the functions of tf.contrib.summary made."},
};

// What writes, as a tensor that tells whether it did, or as an operation.
nb::object give_write(Node& write) {
  return write.output_count() > 0 ? give(write.output(0)) : give(write);
}

summaries::RecordOptions summary_record_options(const Call& c) {
  return {c.text("family"), c.optional_input("step")};
}

OptionalInput metadata_of(const Call& c) {
  const nb::handle metadata = c["metadata"];
  if (!metadata.is_none() && nb::hasattr(metadata, "SerializeToString"))
    return Input(bytes_of_message(metadata));
  return c.optional_input("metadata");
}

constexpr Function kRecorded[] = {
    {"contrib.summary.scalar(name, tensor, family=None, step=None)",
     [](const Call& c) {
       return give_write(
           summaries::record_scalar(c.name(), c.input("tensor"), summary_record_options(c)));
     },
     "Writes a number where summaries are recorded."},
    {"contrib.summary.histogram(name, tensor, family=None, step=None)",
     [](const Call& c) {
       return give_write(
           summaries::record_histogram(c.name(), c.input("tensor"), summary_record_options(c)));
     },
     "Writes how values are distributed where summaries are recorded."},
    {"contrib.summary.generic(name, tensor, metadata=None, family=None, step=None)",
     [](const Call& c) {
       return give_write(summaries::record_tensor(c.name(), c.input("tensor"), metadata_of(c),
                                                  summary_record_options(c)));
     },
     "Writes a tensor where summaries are recorded."},
    {"contrib.summary.image(name, tensor, bad_color=None, max_images=3, family=None, step=None)",
     [](const Call& c) {
       return give_write(summaries::record_image(c.name(), c.input("tensor"),
                                                 {.bad_color = c.optional_input("bad_color"),
                                                  .max_images = c.integer("max_images"),
                                                  .family = c.text("family"),
                                                  .step = c.optional_input("step")}));
     },
     "Writes pictures where summaries are recorded."},
    {"contrib.summary.audio(name, tensor, sample_rate, max_outputs, family=None, step=None)",
     [](const Call& c) {
       return give_write(summaries::record_audio(c.name(), c.input("tensor"),
                                                 c.input("sample_rate"), c.integer("max_outputs"),
                                                 summary_record_options(c)));
     },
     "Writes sounds where summaries are recorded."},
    {"contrib.summary.graph(param, step=None, name=None)",
     [](const Call& c) {
       if (!is_tensor(c["param"]))
         type_error("graph() needs a tf.Tensor (e.g. tf.placeholder) in graph mode, but got: ",
                    type_name_of(c["param"]));
       return give_write(
           summaries::record_graph(c.input("param"), c.optional_input("step"), c.name()));
     },
     "Writes a graph, serialised in a tensor."},
    {"contrib.summary.import_event(tensor, name=None)",
     [](const Call& c) { return give_write(summaries::import_event(c.input("tensor"), c.name())); },
     "Writes an Event that is serialised in a tensor."},
    {"contrib.summary.should_record_summaries()",
     [](const Call&) { return give(summaries::should_record_summaries()); },
     "Whether summaries are recorded, as a tensor."},
    {"contrib.summary.summary_writer_initializer_op()",
     [](const Call&) -> nb::object {
       nb::list list;
       for (Node* node : summaries::summary_writer_initializer_op()) list.append(give(*node));
       return list;
     },
     "The operations that all summary writers begin with."},
};

using summaries::SummaryWriter;

SummaryWriter create_writer(const std::string& logdir, nb::handle max_queue,
                            nb::handle flush_millis, nb::handle suffix, nb::handle name) {
  const InCallersPlace place({});
  const auto input = [](nb::handle value, const char* what) -> OptionalInput {
    if (value.is_none()) return {};
    return input_of(value, DType::invalid, "", what);
  };
  return building([&] {
    return summaries::create_file_writer(logdir,
                                         {.max_queue = input(max_queue, "max_queue"),
                                          .flush_millis = input(flush_millis, "flush_millis"),
                                          .filename_suffix = input(suffix, "filename_suffix"),
                                          .name = text_or_empty(name)});
  });
}

// None, a truth value, a tensor or a function that returns one of these.
summaries::RecordCondition condition_of(nb::handle condition) {
  if (condition.is_none()) return {};
  return [held = keep(condition)] {
    nb::object value = kept(held);
    if (PyCallable_Check(value.ptr())) value = value();
    if (value.is_none()) return Input(false);
    return input_of(value, DType::boolean, "", "condition");
  };
}

}  // namespace

void bind_summary(nb::module_& m) {
  add_functions(kSummaries);
  add_functions(kRecorded);
  nb::class_<SummaryWriter>(m, "SummaryWriterCore", nb::dynamic_attr())
      .def(
          "__init__",
          [](SummaryWriter* self, const std::string& logdir, nb::handle max_queue,
             nb::handle flush_millis, nb::handle suffix, nb::handle name) {
            new (self) SummaryWriter(create_writer(logdir, max_queue, flush_millis, suffix, name));
            keep_graph(self, *self->resource().node);
          },
          nb::arg("logdir"), nb::arg("max_queue").none(), nb::arg("flush_millis").none(),
          nb::arg("filename_suffix").none(), nb::arg("name").none())
      .def_prop_ro("resource", [](SummaryWriter& self) { return give(self.resource()); })
      .def("init",
           [](SummaryWriter& self) {
             return built({give(self.resource())}, [&]() -> Node& { return self.init(); });
           })
      .def("flush",
           [](SummaryWriter& self) {
             return built({give(self.resource())}, [&]() -> Node& { return self.flush(); });
           })
      .def("close", [](SummaryWriter& self) {
        return built({give(self.resource())}, [&]() -> Node& { return self.close(); });
      });
  m.def(
      "set_summary_writer",
      [](SummaryWriter* writer) {
        summaries::recording_state().writer = writer == nullptr ? SummaryWriter() : *writer;
      },
      nb::arg("writer").none());
  m.def(
      "set_record_condition",
      [](nb::handle condition) {
        summaries::recording_state().condition = condition_of(condition);
      },
      nb::arg("condition").none());
}

}  // namespace rill::python
