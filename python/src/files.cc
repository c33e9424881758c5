#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.h"
#include "rill/api/io/gfile.h"
#include "rill/api/io/tf_record.h"
#include "rill/base/file_system_registry.h"
#include "rill/base/files.h"
#include "train_inputs.h"

namespace rill::python {
namespace {

nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

std::string_view view_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

void bind_gfile(nb::module_& m) {
  const auto quiet = nb::call_guard<nb::gil_scoped_release>();
  m.def("file_exists", gfile::Exists, quiet);
  m.def("is_directory", gfile::IsDirectory, quiet);
  m.def("remove_file", gfile::Remove, quiet);
  m.def("make_directory", gfile::MkDir, quiet);
  m.def("make_directories", gfile::MakeDirs, quiet);
  m.def("remove_tree", gfile::DeleteRecursively, quiet);
  m.def("copy_file", gfile::Copy, quiet);
  m.def("rename_file", gfile::Rename, quiet);
  m.def("matching_files", gfile::Glob, quiet);
  m.def("file_system_schemes", file_system_schemes);
  m.def("list_directory", gfile::ListDirectory, quiet);
  m.def("walk_directory", [](const std::string& top) {
    const gfile::WalkedDirectory walked = gfile::walk_one(top);
    return nb::make_tuple(walked.directories, walked.files);
  });
  m.def("write_whole_file",
        [](const std::string& path, const nb::bytes& bytes) { write_file(path, view_of(bytes)); });
  nb::class_<FileFacts>(m, "FileStatistics")
      .def_ro("length", &FileFacts::size)
      .def_ro("mtime_nsec", &FileFacts::modified_nanos)
      .def_ro("is_directory", &FileFacts::is_directory);
  m.def("file_statistics", gfile::Stat, quiet);
  using gfile::GFile;
  nb::class_<GFile>(m, "File")
      .def(nb::init<std::string, std::string>())
      .def("size", &GFile::size, quiet)
      .def("read",
           [](GFile& self, std::int64_t count) {
             return bytes_of(count < 0 ? self.read() : self.read(static_cast<std::size_t>(count)));
           })
      .def("readline", [](GFile& self) { return bytes_of(self.readline()); })
      .def("readlines",
           [](GFile& self) {
             nb::list lines;
             for (const std::string& line : self.readlines()) lines.append(bytes_of(line));
             return lines;
           })
      .def("seek", &GFile::seek)
      .def("tell", &GFile::tell)
      .def("write", [](GFile& self, const nb::bytes& bytes) { self.write(view_of(bytes)); })
      .def("flush", &GFile::flush, quiet)
      .def("close", &GFile::close, quiet);
}

template <class T>
std::optional<T> optional_number(nb::handle value) {
  if (value.is_none()) return {};
  return nb::cast<T>(value);
}

void bind_records(nb::module_& m) {
  nb::class_<io::TFRecordWriter>(m, "RecordWriter")
      .def(
          "__init__",
          [](io::TFRecordWriter* self, const std::string& path, const std::string& compression,
             nb::handle window_bits, nb::handle level, nb::handle memory, nb::handle strategy,
             nb::handle buffer) {
            new (self) io::TFRecordWriter(
                path, {compression_named(compression), optional_number<int>(window_bits),
                       optional_number<int>(level), optional_number<int>(memory),
                       optional_number<int>(strategy), optional_number<std::size_t>(buffer)});
          },
          nb::arg("path"), nb::arg("compression"), nb::arg("window_bits") = nb::none(),
          nb::arg("level") = nb::none(), nb::arg("mem_level") = nb::none(),
          nb::arg("strategy") = nb::none(), nb::arg("buffer_size") = nb::none())
      .def("write",
           [](io::TFRecordWriter& self, const nb::bytes& record) { self.write(view_of(record)); })
      .def("flush", [](io::TFRecordWriter& self) { self.flush(); })
      .def("close", [](io::TFRecordWriter& self) { self.close(); });
  nb::class_<io::TFRecordIterator>(m, "RecordIterator")
      .def("__init__",
           [](io::TFRecordIterator* self, const std::string& path, const std::string& compression) {
             new (self)
                 io::TFRecordIterator(path, {.compression_type = compression_named(compression)});
           })
      .def("__iter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__next__", [](io::TFRecordIterator& self) {
        std::string record;
        if (!self.next(&record)) throw nb::stop_iteration();
        return bytes_of(record);
      });
}

}  // namespace

void bind_files(nb::module_& m) {
  bind_gfile(m);
  bind_records(m);
}

}  // namespace rill::python
