// Takes any bytes as the record of an event file, after as many good ones as the first byte says,
// and as a whole event file.
#include <google/protobuf/stubs/logging.h>

#include <cstdint>

#include "rill/base/error.h"
#include "rill/base/files.h"
#include "rill/io/event_reader.h"
#include "rill/io/record_writer.h"
#include "tensorflow/core/util/event.pb.h"

namespace {

constexpr const char* kPath = "ram://fuzz_event";

void read_all() {
  try {
    rill::EventReader reader(kPath);
    tensorflow::Event event;
    while (reader.read(&event)) (void)event.summary().value_size();
  } catch (const rill::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const google::protobuf::LogSilencer no_words_about_bad_utf8;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  rill::write_file(kPath, input);
  read_all();
  if (input.empty()) return 0;
  rill::RecordWriter writer(kPath);
  tensorflow::Event event;
  event.set_file_version("brain.Event:2");
  for (int i = 0; i < data[0] % 4; ++i) writer.write(event.SerializeAsString());
  writer.write(input.substr(1));
  writer.close();
  read_all();
  return 0;
}
