#include <algorithm>
#include <map>

#include "rill/api/describe/describe.h"
#include "rill/api/describe/record_compression.h"
#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/base/text.h"
#include "rill/io/event_scan.h"
#include "rill/io/parse_message.h"
#include "rill/io/record_reader.h"
#include "tensorflow/core/example/example.pb.h"
#include "tensorflow/core/util/event.pb.h"

namespace rill::describe {
namespace {

struct Tag {
  std::string kind;
  std::int64_t count = 0, first_step = 0, last_step = 0;
  float last = 0;
};

void note(const tensorflow::Event& event, std::map<std::string, Tag>& tags) {
  for (const auto& value : event.summary().value()) {
    Tag& tag = tags[value.tag()];
    const auto* field = value.GetReflection()->GetOneofFieldDescriptor(
        value, value.GetDescriptor()->FindOneofByName("value"));
    tag.kind = field != nullptr ? field->name() : "nothing";
    if (tag.count++ == 0) tag.first_step = event.step();
    tag.last_step = event.step();
    if (value.has_simple_value()) tag.last = value.simple_value();
  }
}

const char* feature_kind(const tensorflow::Feature& feature) {
  if (feature.has_bytes_list()) return "bytes";
  if (feature.has_float_list()) return "float";
  return feature.has_int64_list() ? "int64" : "empty";
}

int feature_size(const tensorflow::Feature& feature) {
  return feature.bytes_list().value_size() + feature.float_list().value_size() +
         feature.int64_list().value_size();
}

struct Feature {
  std::string kind;
  std::int64_t count = 0;
  int least = 0, most = 0;
};

void note(const tensorflow::Example& example, std::map<std::string, Feature>& features) {
  for (const auto& [name, value] : example.features().feature()) {
    Feature& feature = features[name];
    const int size = feature_size(value);
    feature.kind = feature_kind(value);
    feature.least = feature.count == 0 ? size : std::min(feature.least, size);
    feature.most = std::max(feature.most, size);
    ++feature.count;
  }
}

std::string where_it_ends(const std::string& path, const std::string& damage) {
  if (damage.empty()) return "";
  return str_cat("  what follows cannot be read: ", damage, ", of ",
                 file_system_of(path).facts(path).size, " bytes\n");
}

}  // namespace

std::optional<Compression> record_compression(const std::string& path) {
  for (const Compression packed : {Compression::none, Compression::gzip, Compression::zlib}) {
    try {
      std::string record;
      if (RecordReader(path, {.compression = packed}).read(&record)) return packed;
    } catch (const Error&) {  // not packed in this way
    }
  }
  return std::nullopt;
}

std::string events(const std::string& path, const Options&) {
  std::map<std::string, Tag> tags;
  std::int64_t count = 0, graphs = 0;
  const std::string damage = scan_events(path, [&](const tensorflow::Event& event) {
    ++count;
    graphs += event.has_graph_def() || event.has_meta_graph_def();
    note(event, tags);
  });
  std::string text = str_cat("An event file of ", count, " events");
  if (graphs > 0) text += str_cat(", ", graphs, " of them graphs");
  text += "\n";
  for (const auto& [name, tag] : tags) {
    text += str_cat("  ", name, "  ", tag.kind, ", ", tag.count, " times, steps ", tag.first_step,
                    " to ", tag.last_step);
    if (tag.kind == "simple_value") text += str_cat(", last ", tag.last);
    text += "\n";
  }
  return text + where_it_ends(path, damage);
}

std::string records(const std::string& path, const Options&) {
  const Compression packed = record_compression(path).value_or(Compression::none);
  RecordReader reader(path, {.compression = packed});
  std::string record;
  std::int64_t count = 0, bytes = 0, examples = 0;
  std::map<std::string, Feature> features;
  const std::string damage = read_until_damage([&] {
    if (!reader.read(&record)) return false;
    ++count;
    bytes += static_cast<std::int64_t>(record.size());
    tensorflow::Example example;
    if (!parse_message(record, &example) || example.features().feature().empty()) return true;
    ++examples;
    note(example, features);
    return true;
  });
  std::string text =
      str_cat("A record file of ", count, " records, ", bytes, " bytes",
              packed == Compression::none ? "; " : ", packed; ", examples, " are Examples\n");
  for (const auto& [name, feature] : features) {
    text += str_cat("  ", name, "  ", feature.kind, ", in ", feature.count, ", ", feature.least);
    if (feature.most != feature.least) text += str_cat(" to ", feature.most);
    text += " values\n";
  }
  return text + where_it_ends(path, damage);
}

}  // namespace rill::describe
