// TensorFlow's benchmark_model: its flags, and what it prints.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "rill/api/describe/describe.h"
#include "rill/base/clock.h"
#include "rill/base/error.h"
#include "rill/base/text.h"
#include "rill/cli/command.h"
#include "rill/inspect/benched_model.h"
#include "rill/inspect/stat_summary.h"
#include "rill/runtime/session/config.h"
#include "rill/tensor/dtype_visit.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace rill::cli {
namespace {

using namespace rill::inspect;

// What benchmark_model was told.
class BenchmarkFlags {
 public:
  explicit BenchmarkFlags(std::span<const std::string> arguments) : given_(arguments) {}

  std::string text(const char* name, const std::string& otherwise = "") {
    return given_.value_or_true(name).value_or(otherwise);
  }
  double number(const char* name, double otherwise) {
    const std::string said = text(name);
    if (said.empty()) return otherwise;
    char* end = nullptr;
    const double value = std::strtod(said.c_str(), &end);
    if (*end != '\0') throw UsageError(str_cat(name, " needs a number, not ", said));
    return value;
  }
  bool flag(const char* name, bool otherwise) {
    const std::string said = text(name, otherwise ? "true" : "false");
    return said == "true" || said == "1" || said == "t";
  }
  void finish() const {
    if (const auto rest = given_.positional(); !rest.empty())
      throw UsageError("benchmark_model takes flags only, not " + rest[0]);
  }

 private:
  Options given_;
};

Shape shape_of(const std::string& text) {
  std::vector<std::int64_t> dims;
  for (const std::string& item : comma_list(text)) {
    long long size = 0;
    if (!parse_int(item, &size) || size < 0) throw UsageError(item + " is no size");
    dims.push_back(size);
  }
  return Shape(dims);
}

// The values that are given, over and over; ones where there are none.
Tensor input_of(DType type, const Shape& shape, const std::string& values) {
  std::vector<double> numbers;
  for (const std::string& item : comma_list(values))
    numbers.push_back(std::strtod(item.c_str(), nullptr));
  if (numbers.empty()) numbers.push_back(1);
  Tensor input = Tensor::zeros(type, shape);
  visit_dtype(type, [&]<class T>() {
    if constexpr (std::is_arithmetic_v<T>) {
      const auto all = input.flat<T>();
      for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = static_cast<T>(numbers[i % numbers.size()]);
    } else if (type != DType::string) {
      raise(Code::kUnimplemented, "inputs of type ", type);
    }
  });
  return input;
}

struct Benchmark {
  BenchedModel model;
  std::vector<Tensor> inputs;
  double pause_seconds = -1;
};

std::string seconds_text(double seconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%g", seconds);
  return text;
}

// Asks at most so often and so long; 0 or less is without end, but one of the two ends it.
Sample measure(Benchmark& benchmark, long long runs, double seconds, StatSummary* summary) {
  std::fprintf(stderr,
               "Running benchmark for max %lld iterations, max %s seconds %s detailed stat "
               "logging, with %ss sleep between inferences\n",
               runs, seconds_text(seconds).c_str(), summary == nullptr ? "without" : "with",
               seconds_text(benchmark.pause_seconds).c_str());
  Sample micros;
  const auto callable =
      benchmark.model.session->make_callable(benchmark.model.feeds(), benchmark.model.fetches());
  const std::int64_t begin = monotonic_nanos();
  for (long long i = 0; runs <= 0 || i < runs; ++i) {
    const std::int64_t asked = monotonic_nanos();
    StepStats stats;
    callable(benchmark.inputs, {.trace = summary != nullptr},
             summary == nullptr ? nullptr : &stats);
    const std::int64_t now = monotonic_nanos();
    micros.add((now - asked) / 1000);
    if (summary != nullptr) {
      tensorflow::RunMetadata metadata;
      to_proto(stats, &metadata);
      summary->add(metadata.step_stats());
    }
    if (seconds > 0 && static_cast<double>(now - begin) * 1e-9 >= seconds) break;
    if (runs <= 0 && seconds <= 0) break;
    if (benchmark.pause_seconds > 0)
      std::this_thread::sleep_for(std::chrono::duration<double>(benchmark.pause_seconds));
  }
  std::fprintf(stderr, "%s\n\n", micros.text().c_str());
  return micros;
}

Benchmark benchmark_of(BenchmarkFlags& flags) {
  const std::string graph = flags.text("--graph");
  if (graph.empty()) throw UsageError("benchmark_model needs --graph=FILE");
  ModelSource source;
  source.inputs = comma_list(flags.text("--input_layer", "input:0"));
  source.outputs = comma_list(flags.text("--output_layer", "output:0"));
  if (const double threads = flags.number("--num_threads", -1); threads > 0)
    source.session.intra_op_threads = source.session.inter_op_threads = static_cast<int>(threads);
  Benchmark benchmark{.model = open_graph(describe::graph_in(graph), source), .inputs = {}};
  const auto split_at = [](const std::string& text) {
    std::vector<std::string> parts;
    for (const std::string_view part : split(text, ':')) parts.emplace_back(part);
    return parts;
  };
  const auto shapes = split_at(flags.text("--input_layer_shape", "1,224,224,3"));
  const auto types = comma_list(flags.text("--input_layer_type", "float"));
  const auto values = split_at(flags.text("--input_layer_values"));
  if (shapes.size() != source.inputs.size() || types.size() != source.inputs.size())
    throw UsageError(str_cat("There are ", source.inputs.size(), " input layers, ", shapes.size(),
                             " shapes and ", types.size(), " types"));
  for (std::size_t i = 0; i < source.inputs.size(); ++i) {
    DType type = DType::invalid;
    if (!parse_dtype(types[i], &type)) throw UsageError(types[i] + " is no type");
    benchmark.inputs.push_back(
        input_of(type, shape_of(shapes[i]), i < values.size() ? values[i] : ""));
  }
  benchmark.pause_seconds = flags.number("--inter_inference_delay", -1);
  return benchmark;
}

int benchmark_model(std::span<const std::string> arguments) {
  BenchmarkFlags flags(arguments);
  StatSummaryOptions shown;
  shown.show_run_order = flags.flag("--show_run_order", true);
  shown.show_time = flags.flag("--show_time", true);
  shown.show_memory = flags.flag("--show_memory", true);
  shown.show_type = flags.flag("--show_type", true);
  shown.show_summary = flags.flag("--show_summary", true);
  shown.run_order_limit = static_cast<int>(flags.number("--run_order_limit", 0));
  shown.time_limit = static_cast<int>(flags.number("--time_limit", 10));
  shown.memory_limit = static_cast<int>(flags.number("--memory_limit", 10));
  const auto runs = static_cast<long long>(flags.number("--max_num_runs", 1000));
  const auto warm_up = static_cast<long long>(flags.number("--warmup_runs", 1));
  const std::string max_time = flags.text("--max_time", "10.0");
  const double seconds = std::strtod(max_time.c_str(), nullptr);
  Benchmark benchmark = benchmark_of(flags);
  flags.finish();
  const Sample first = warm_up > 0 ? measure(benchmark, warm_up, -1, nullptr) : Sample();
  const Sample plain = measure(benchmark, runs, seconds, nullptr);
  StatSummary summary(shown);
  const Sample traced = measure(benchmark, runs, seconds, &summary);
  const auto mean = [](const Sample& sample) { return static_cast<long long>(sample.mean()); };
  std::fprintf(stderr,
               "Average inference timings in us: Warmup: %lld, no stats: %lld, with stats: %lld\n",
               mean(first), mean(plain), mean(traced));
  std::fputs(summary.text().c_str(), stderr);
  return 0;
}

}  // namespace

const Command kBenchmarkModel{
    "benchmark_model", "TensorFlow's benchmark_model: a graph's nodes by time and memory",
    "benchmark_model --graph=FILE --input_layer=NAME,... --input_layer_shape=N,N:N,N\n"
    "                --input_layer_type=TYPE,... --output_layer=NAME,... [FLAG...]\n\n"
    "The flags are TensorFlow's: --input_layer_values, --max_num_runs, --max_time, --warmup_runs,\n"
    "--num_threads, --inter_inference_delay, --show_run_order, --show_time, --show_memory,\n"
    "--show_type, --show_summary, --run_order_limit, --time_limit, --memory_limit. What it "
    "measures\n"
    "goes to standard error.",
    benchmark_model};

}  // namespace rill::cli
