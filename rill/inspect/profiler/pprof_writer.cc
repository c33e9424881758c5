#include "rill/inspect/profiler/pprof_writer.h"

#include "rill/base/file_system.h"
#include "rill/base/text.h"
#include "rill/io/zlib_stream.h"

namespace rill::profiler {

using tensorflow::tfprof::pprof::Sample;

std::int64_t PprofWriter::text(const std::string& text) {
  const auto [it, is_new] = texts_.try_emplace(text, static_cast<std::int64_t>(texts_.size()));
  if (is_new) profile_.add_string_table(text);
  return it->second;
}

void PprofWriter::add_type(const std::string& type, const std::string& unit) {
  auto* sample = profile_.add_sample_type();
  sample->set_type(text(type));
  sample->set_unit(text(unit));
}

std::uint64_t PprofWriter::location(const std::string& file, std::int64_t line,
                                    const std::string& function) {
  const auto [it, is_new] =
      locations_.try_emplace(str_cat(file, ":", line, ":", function), locations_.size() + 1);
  if (!is_new) return it->second;
  const auto [known, is_first] =
      functions_.try_emplace(str_cat(file, ":", function), functions_.size() + 1);
  if (is_first) {
    auto* made = profile_.add_function();
    made->set_id(known->second);
    made->set_name(text(function));
    made->set_filename(text(file));
  }
  auto* location = profile_.add_location();
  location->set_id(it->second);
  location->set_address(it->second);
  auto* where = location->add_line();
  where->set_function_id(known->second);
  where->set_line(line);
  return it->second;
}

void PprofWriter::add_label(Sample& sample, const std::string& key, const std::string& value) {
  auto* label = sample.add_label();
  label->set_key(text(key));
  label->set_str(text(value));
}

void PprofWriter::write(const std::string& path) const {
  const auto file =
      packed(file_system_of(path).create(path, WriteMode::truncate), Compression::gzip);
  file->append(profile_.SerializeAsString());
  file->close();
}

}  // namespace rill::profiler
