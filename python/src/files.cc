#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <mutex>

#include "class_call.h"
#include "errors.h"
#include "interpreter_lock.h"
#include "rill/api/io/gfile.h"
#include "rill/api/io/tf_record.h"
#include "rill/base/durable_files.h"
#include "rill/base/file_system_registry.h"
#include "rill/base/files.h"
#include "train_inputs.h"

namespace rill::python {
namespace {

std::string_view view_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

// Something that waits for a disk or a network, one thread at a time, while other threads go on.
template <class T>
class Waiting {
 public:
  template <class Options>
  Waiting(const std::string& path, const Options& options) : value_(path, options) {}

  template <class F>
  auto operator()(F&& use) {
    const WithoutLock others_run;
    const std::lock_guard lock(mutex_);
    return use(value_);
  }

 private:
  T value_;
  std::mutex mutex_;
};
using File = Waiting<gfile::GFile>;
using Writer = Waiting<io::TFRecordWriter>;
using Records = Waiting<io::TFRecordIterator>;

void bind_gfile(nb::module_& m) {
  const auto quiet = nb::call_guard<WithoutLock>();
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
  m.def("has_atomic_move",
        [](const std::string& path) { return !file_system_of(path).writes_whole_files(); });
  m.def("list_directory", gfile::ListDirectory, quiet);
  m.def("walk_directory", [](const std::string& top) {
    const gfile::WalkedDirectory walked = [&] {
      const WithoutLock others_run;
      return gfile::walk_one(top);
    }();
    return nb::make_tuple(walked.directories, walked.files);
  });
  m.def("write_whole_file", [](const std::string& path, const nb::bytes& bytes) {
    publish_file(path, view_of(bytes));
  });
  nb::class_<FileFacts>(m, "FileStatistics")
      .def_ro("length", &FileFacts::size)
      .def_ro("mtime_nsec", &FileFacts::modified_nanos)
      .def_ro("is_directory", &FileFacts::is_directory);
  m.def("file_statistics", gfile::Stat, quiet);
  using gfile::GFile;
  nb::class_<File>(m, "File")
      .def(nb::init<std::string, std::string>())
      .def("size", [](File& self) { return self([](GFile& file) { return file.size(); }); })
      .def("read",
           [](File& self, std::int64_t count) {
             return bytes_object(self([&](GFile& file) {
               return count < 0 ? file.read() : file.read(static_cast<std::size_t>(count));
             }));
           })
      .def("readline",
           [](File& self) {
             return bytes_object(self([](GFile& file) { return file.readline(); }));
           })
      .def("readlines",
           [](File& self) {
             nb::list lines;
             for (const auto& line : self([](GFile& file) { return file.readlines(); }))
               lines.append(bytes_object(line));
             return lines;
           })
      .def("seek", [](File& self, std::int64_t offset,
                      int whence) { self([&](GFile& file) { file.seek(offset, whence); }); })
      .def("tell", [](File& self) { return self([](GFile& file) { return file.tell(); }); })
      .def("write",
           [](File& self, const nb::bytes& bytes) {
             self([&, text = view_of(bytes)](GFile& file) { file.write(text); });
           })
      .def("flush", [](File& self) { self([](GFile& file) { file.flush(); }); })
      .def("close", [](File& self) { self([](GFile& file) { file.close(); }); });
}

void bind_record_files(nb::module_& m) {
  using io::TFRecordIterator;
  using io::TFRecordWriter;
  nb::class_<Writer>(m, "RecordWriter")
      .def(
          "__init__",
          [](Writer* self, const std::string& path, const std::string& compression,
             nb::handle window_bits, nb::handle level, nb::handle memory, nb::handle strategy,
             nb::handle buffer) {
            const io::TFRecordOptions options{
                compression_named(compression), optional_number<int>(window_bits),
                optional_number<int>(level),    optional_number<int>(memory),
                optional_number<int>(strategy), optional_number<std::size_t>(buffer)};
            const WithoutLock others_run;
            new (self) Writer(path, options);
          },
          nb::arg("path"), nb::arg("compression"), nb::arg("window_bits") = nb::none(),
          nb::arg("level") = nb::none(), nb::arg("mem_level") = nb::none(),
          nb::arg("strategy") = nb::none(), nb::arg("buffer_size") = nb::none())
      .def("write",
           [](Writer& self, const nb::bytes& record) {
             self([&, bytes = view_of(record)](TFRecordWriter& writer) { writer.write(bytes); });
           })
      .def("flush", [](Writer& self) { self([](TFRecordWriter& writer) { writer.flush(); }); })
      .def("close", [](Writer& self) { self([](TFRecordWriter& writer) { writer.close(); }); });
  nb::class_<Records>(m, "RecordIterator")
      .def("__init__",
           [](Records* self, const std::string& path, const std::string& compression) {
             const io::TFRecordOptions options{.compression_type = compression_named(compression)};
             const WithoutLock others_run;
             new (self) Records(path, options);
           })
      .def("__iter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__next__", [](Records& self) {
        std::string record;
        if (!self([&](TFRecordIterator& records) { return records.next(&record); }))
          throw nb::stop_iteration();
        return bytes_object(record);
      });
}

}  // namespace

void bind_files(nb::module_& m) {
  bind_gfile(m);
  bind_record_files(m);
}

}  // namespace rill::python
