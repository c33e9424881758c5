// Takes any bytes as the record of an event file behind some good ones, and as a whole event file,
// and asks for everything that a log may hold.
#include <google/protobuf/stubs/logging.h>

#include <cstdint>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/board/data/markdown.h"
#include "rill/board/data/stored_tensor.h"
#include "rill/board/log/run.h"
#include "rill/io/record_writer.h"
#include "tensorflow/core/util/event.pb.h"

namespace {

constexpr const char* kPath = "ram://fuzz_board/events.out.tfevents.1";

void look(const rill::board::StoredValue& value) {
  try {
    const std::string bytes = rill::board::read_stored(kPath, value);
    (void)rill::board::image_of(value.kind, bytes, 0);
    (void)rill::board::buckets_of(value.kind, bytes);
    for (const std::string& text : rill::board::tensor_of(bytes).texts)
      (void)rill::board::markdown_to_html(text);
  } catch (const rill::Error&) {
  }
}

void read_all() {
  rill::board::Run run("fuzz", "ram://fuzz_board");
  rill::board::LogFile file;
  file.path = kPath;
  file.size = 1;
  run.follow({file});
  std::vector<rill::board::StoredValue> stored;
  run.with_lock([&](const rill::board::Run::Contents& contents) {
    for (const auto& [tag, series] : contents.series)
      stored.insert(stored.end(), series.stored.begin(), series.stored.end());
  });
  for (const auto& value : stored) look(value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const google::protobuf::LogSilencer no_words_about_bad_utf8;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  (void)rill::board::markdown_to_html(input);
  rill::write_file(kPath, input);
  read_all();
  if (input.empty()) return 0;
  rill::RecordWriter writer(kPath);
  tensorflow::Event event;
  event.set_file_version("brain.Event:2");
  writer.write(event.SerializeAsString());
  tensorflow::Event good;
  auto* value = good.mutable_summary()->add_value();
  value->set_tag("loss");
  value->set_simple_value(1);
  for (int i = 0; i < data[0] % 4; ++i) writer.write(good.SerializeAsString());
  writer.write(input.substr(1));
  // The same as the tensor of a value, whose bytes are looked at later.
  auto* tensor = event.mutable_summary()->add_value();
  tensor->set_tag("any");
  tensor->mutable_metadata()->mutable_plugin_data()->set_plugin_name(data[0] % 2 == 0 ? "images"
                                                                                      : "scalars");
  if (tensor->mutable_tensor()->ParsePartialFromArray(data, static_cast<int>(size)))
    writer.write(event.SerializeAsString());
  writer.close();
  read_all();
  return 0;
}
