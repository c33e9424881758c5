// Writes one file of each format into a directory, for TensorFlow to read (tools/interop_files.py).
//
//   rill_write_files DIRECTORY
#include <cstdio>

#include "rill/base/files.h"
#include "rill/io/bundle_writer.h"
#include "rill/io/event_writer.h"
#include "rill/io/record_writer.h"
#include "rill/io/sample_values.h"
#include "tensorflow/core/util/event.pb.h"

namespace {

using namespace rill;

void write_records(const std::string& path, Compression compression) {
  RecordWriter writer(path, {.compression = compression});
  for (const auto& record : sample_records()) writer.write(record);
  writer.close();
}

void write_checkpoint(const std::string& prefix) {
  BundleWriter writer(prefix);
  for (const auto& [name, tensor] : sample_tensors()) writer.add(name, tensor);
  const Tensor rows = counted_floats(10, 4);
  writer.add_slice("rows", {10, 4}, TensorSlice::parse("0,6:0,4"), rows.slice(0, 6));
  writer.add_slice("rows", {10, 4}, TensorSlice::parse("6,4:0,4"), rows.slice(6, 10));
  writer.finish();
}

// So many entries that the index has several blocks.
void write_large_checkpoint(const std::string& prefix) {
  BundleWriter writer(prefix);
  for (int i = 0; i < 12'000; ++i)
    writer.add(str_cat("layer_", i % 100, "/a_rather_long_name_of_a_variable_", i),
               Tensor::scalar<std::int32_t>(i));
  writer.finish();
}

void write_merged_checkpoint(const std::string& prefix) {
  const Tensor rows = counted_floats(10, 4);
  const std::vector<std::string> parts{prefix + "_tmp/part-0", prefix + "_tmp/part-1"};
  for (int i = 0; i < 2; ++i) {
    BundleWriter writer(parts[static_cast<std::size_t>(i)]);
    writer.add(str_cat("v", i), counted_floats(i + 1, 2));
    writer.add_slice("rows", {10, 4}, TensorSlice({{5 * i, 5}, {0, 4}}),
                     rows.slice(5 * i, 5 * i + 5));
    writer.finish();
  }
  merge_bundles(parts, prefix);
}

void write_events(const std::string& directory) {
  EventWriter writer(join_path(directory, "events"));
  for (int step = 1; step <= 3; ++step) {
    tensorflow::Event event;
    event.set_wall_time(1'500'000'000 + step * 0.25);
    event.set_step(step);
    auto* value = event.mutable_summary()->add_value();
    value->set_tag("loss");
    value->set_simple_value(1.0f / static_cast<float>(step));
    writer.write(event);
  }
  writer.close();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
    return 2;
  }
  const std::string directory = argv[1];
  make_directories(directory);
  write_records(join_path(directory, "records"), Compression::none);
  write_records(join_path(directory, "records.zlib"), Compression::zlib);
  write_records(join_path(directory, "records.gzip"), Compression::gzip);
  write_checkpoint(join_path(directory, "model"));
  write_large_checkpoint(join_path(directory, "large"));
  write_merged_checkpoint(join_path(directory, "merged"));
  write_events(join_path(directory, "log"));
}
