// How quickly records and checkpoints pass, in memory (ram://) so that no disk is measured.
#include <benchmark/benchmark.h>

#include "rill/base/crc32c.h"
#include "rill/base/files.h"
#include "rill/io/bundle_writer.h"
#include "rill/io/checkpoint_reader.h"
#include "rill/io/record_reader.h"
#include "rill/io/record_writer.h"

namespace rill {
namespace {

void crc32c_bytes(benchmark::State& state) {
  const std::string bytes(std::size_t{1} << 20, 'x');
  for (auto _ : state) benchmark::DoNotOptimize(crc32c(bytes));
  state.SetBytesProcessed(state.iterations() * std::int64_t{1} << 20);
}
BENCHMARK(crc32c_bytes)->Name("io/crc32c");

void crc32c_by_table(benchmark::State& state) {
  const std::string bytes(std::size_t{1} << 20, 'x');
  for (auto _ : state) benchmark::DoNotOptimize(extend_crc32c_by_table(0, bytes));
  state.SetBytesProcessed(state.iterations() * std::int64_t{1} << 20);
}
BENCHMARK(crc32c_by_table)->Name("io/crc32c_by_table");

constexpr int kRecordCount = 10'000;

void write_records(benchmark::State& state) {
  const std::string record(static_cast<std::size_t>(state.range(0)), 'x');
  for (auto _ : state) {
    RecordWriter writer("ram://bench");
    for (int i = 0; i < kRecordCount; ++i) writer.write(record);
    writer.close();
  }
  state.SetItemsProcessed(state.iterations() * kRecordCount);
  state.SetBytesProcessed(state.iterations() * kRecordCount * state.range(0));
}
BENCHMARK(write_records)->Name("io/write_records")->Arg(100)->Arg(10'000);

void read_records(benchmark::State& state) {
  RecordWriter writer("ram://bench");
  const std::string record(static_cast<std::size_t>(state.range(0)), 'x');
  for (int i = 0; i < kRecordCount; ++i) writer.write(record);
  writer.close();
  std::string read;
  for (auto _ : state) {
    RecordReader reader("ram://bench");
    while (reader.read(&read)) benchmark::DoNotOptimize(read.data());
  }
  state.SetItemsProcessed(state.iterations() * kRecordCount);
  state.SetBytesProcessed(state.iterations() * kRecordCount * state.range(0));
}
BENCHMARK(read_records)->Name("io/read_records")->Arg(100)->Arg(10'000);

void read_checkpoint(benchmark::State& state) {
  BundleWriter writer("ram://bench_model");
  writer.add("v", Tensor::zeros(DType::f32, {64, 1 << 18}));
  writer.finish();
  for (auto _ : state) {
    const Tensor tensor = CheckpointReader::open("ram://bench_model")->read("v");
    benchmark::DoNotOptimize(tensor.raw_data());
  }
  state.SetBytesProcessed(state.iterations() * std::int64_t{64} << 20);
}
BENCHMARK(read_checkpoint)->Name("io/read_checkpoint")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rill
