#include <nanobind/stl/string.h>

#include "class_call.h"
#include "in_place.h"
#include "keep_graph.h"
#include "package.h"
#include "plain_values.h"
#include "rill/api/io/readers.h"
#include "train_inputs.h"

namespace rill::python {
namespace {

Output queue_ref_of(nb::handle queue) {
  if (nb::isinstance<QueueBase>(queue)) return nb::cast<QueueBase&>(queue).queue_ref();
  if (is_tensor(queue)) return tensor_object(queue).output;
  type_error("Expected a queue, got ", repr_of(queue));
}

nb::object key_and_value(const std::vector<nb::object>& arguments, auto read) {
  nb::object list = built(arguments, [&] {
    const auto [key, value] = read();
    return std::vector<Output>{key, value};
  });
  return nb::make_tuple(list[0], list[1]);
}

void bind_reader_methods(nb::class_<ReaderBase>& c) {
  const auto name = [] { return nb::arg("name") = nb::none(); };
  c.def(
      "read",
      [](ReaderBase& self, nb::handle queue, nb::handle name) {
        return key_and_value({give(self.reader_ref())},
                             [&] { return self.read(queue_ref_of(queue), {text_or_empty(name)}); });
      },
      nb::arg("queue"), name());
  c.def(
      "read_up_to",
      [](ReaderBase& self, nb::handle queue, nb::object num_records, nb::handle name) {
        return key_and_value({give(self.reader_ref()), num_records}, [&] {
          return self.read_up_to(queue_ref_of(queue),
                                 input_of(num_records, DType::invalid, "", "num_records"),
                                 {text_or_empty(name)});
        });
      },
      nb::arg("queue"), nb::arg("num_records"), name());
  c.def(
      "restore_state",
      [](ReaderBase& self, nb::object state, nb::handle name) {
        return built({give(self.reader_ref()), state}, [&]() -> Node& {
          return self.restore_state(input_of(state, DType::string, "", "state"),
                                    {text_or_empty(name)});
        });
      },
      nb::arg("state"), name());
  c.def(
      "reset",
      [](ReaderBase& self, nb::handle name) {
        return built({give(self.reader_ref())},
                     [&]() -> Node& { return self.reset({text_or_empty(name)}); });
      },
      name());
}

template <Output (ReaderBase::*ask)(const ReaderOpOptions&, std::source_location) const>
nb::object reader_fact(ReaderBase& self, nb::handle name) {
  return built({give(self.reader_ref())},
               [&] { return (self.*ask)({text_or_empty(name)}, std::source_location::current()); });
}

void bind_reader_facts(nb::class_<ReaderBase>& c) {
  c.def_prop_ro("reader_ref", [](ReaderBase& self) { return give(self.reader_ref()); });
  c.def_prop_ro("supports_serialize", &ReaderBase::supports_serialize);
  c.def("num_records_produced", reader_fact<&ReaderBase::num_records_produced>,
        nb::arg("name") = nb::none());
  c.def("num_work_units_completed", reader_fact<&ReaderBase::num_work_units_completed>,
        nb::arg("name") = nb::none());
  c.def("serialize_state", reader_fact<&ReaderBase::serialize_state>, nb::arg("name") = nb::none());
}

std::int64_t number_or_zero(nb::handle value) { return value.is_none() ? 0 : integer_of(value); }

template <class Reader>
nb::class_<Reader, ReaderBase> plain_reader(nb::module_& m, const char* name) {
  nb::class_<Reader, ReaderBase> c(m, name);
  c.def(
      "__init__",
      [](Reader* self, nb::handle name) {
        constructed([&] { new (self) Reader(ReaderOpOptions{text_or_empty(name)}); });
        keep_graph(self, *self->reader_ref().node);
      },
      nb::arg("name") = nb::none());
  return c;
}

// The options of a TFRecord file as tf.io.TFRecordOptions has them.
io::TFRecordOptions tf_record_options(nb::handle options) {
  nb::object text = package::tf_record_options.get().attr("get_compression_type_string")(options);
  return {.compression_type = compression_named(str_of(text))};
}

void bind_reader_kinds(nb::module_& m) {
  plain_reader<WholeFileReader>(m, "WholeFileReader").doc() = "Whole files as records.";
  plain_reader<IdentityReader>(m, "IdentityReader").doc() = "The work itself as records.";
  nb::class_<LMDBReader, ReaderBase>(m, "LMDBReader")
      .def(
          "__init__",
          [](LMDBReader* self, nb::handle name, nb::handle) {
            constructed([&] { new (self) LMDBReader(ReaderOpOptions{text_or_empty(name)}); });
            keep_graph(self, *self->reader_ref().node);
          },
          nb::arg("name") = nb::none(), nb::arg("options") = nb::none())
      .doc() = "The entries of LMDB databases as records.";
  nb::class_<TextLineReader, ReaderBase>(m, "TextLineReader")
      .def(
          "__init__",
          [](TextLineReader* self, nb::handle skip, nb::handle name) {
            constructed([&] {
              new (self) TextLineReader({number_or_zero(skip), text_or_empty(name)});
            });
            keep_graph(self, *self->reader_ref().node);
          },
          nb::arg("skip_header_lines") = nb::none(), nb::arg("name") = nb::none())
      .doc() = "The lines of text files as records.";
  nb::class_<TFRecordReader, ReaderBase>(m, "TFRecordReader")
      .def(
          "__init__",
          [](TFRecordReader* self, nb::handle name, nb::handle options) {
            constructed([&] {
              new (self) TFRecordReader({tf_record_options(options), text_or_empty(name)});
            });
            keep_graph(self, *self->reader_ref().node);
          },
          nb::arg("name") = nb::none(), nb::arg("options") = nb::none())
      .doc() = "The records of TFRecord files.";
  nb::class_<FixedLengthRecordReader, ReaderBase>(m, "FixedLengthRecordReader")
      .def(
          "__init__",
          [](FixedLengthRecordReader* self, std::int64_t record_bytes, nb::handle header,
             nb::handle footer, nb::handle hop, nb::handle name, nb::handle encoding) {
            constructed([&] {
              new (self) FixedLengthRecordReader(
                  record_bytes,
                  {number_or_zero(header), number_or_zero(footer), number_or_zero(hop),
                   text_or_empty(encoding), text_or_empty(name)});
            });
            keep_graph(self, *self->reader_ref().node);
          },
          nb::arg("record_bytes"), nb::arg("header_bytes") = nb::none(),
          nb::arg("footer_bytes") = nb::none(), nb::arg("hop_bytes") = nb::none(),
          nb::arg("name") = nb::none(), nb::arg("encoding") = nb::none())
      .doc() = "Records of one length.";
}

}  // namespace

void bind_readers(nb::module_& m) {
  nb::class_<ReaderBase> c(m, "ReaderBase", nb::dynamic_attr());
  c.doc() = "Turns work that it takes from a queue into records.";
  c.def(
      "__init__",
      [](ReaderBase* self, nb::handle reader_ref, bool supports_serialize) {
        new (self) ReaderBase(tensor_object(reader_ref).output, supports_serialize);
        keep_graph(self, *self->reader_ref().node);
      },
      nb::arg("reader_ref"), nb::arg("supports_serialize") = false);
  bind_reader_facts(c);
  bind_reader_methods(c);
  bind_reader_kinds(m);
}

}  // namespace rill::python
