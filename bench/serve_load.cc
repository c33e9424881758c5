// Load for a model server: as many Predict requests as it answers, or so many in a second.
//
//   rill_load ADDRESS MODEL [--protocol=grpc|h2|rest] [--connections=N] [--in_flight=N]
//   [--seconds=S]
//             [--rate=R] [--rows=N] [--width=W] [--deadline_ms=D] [--versions] [--json]
//
// h2 is gRPC too, by a client that costs a fifth of gRPC's own, which shares the machine with the
// server. Each connection keeps `in_flight` requests going; over HTTP there are so many more
// connections. With a rate, requests go out at that pace, and latency counts from the time at which
// they should have. The model takes one input "x" of floats. With --versions it must give x / 2 +
// its version.
#include "bench/serve_load.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>

namespace rill::load {
namespace {

[[noreturn]] void explain() {
  std::fprintf(stderr,
               "Usage: rill_load ADDRESS MODEL [--protocol=grpc|h2|rest] [--connections=N] "
               "[--in_flight=N] [--seconds=S] [--rate=R] [--rows=N] [--width=W] [--deadline_ms=D] "
               "[--versions] "
               "[--json]\n");
  std::exit(2);
}

Options parse(int argc, char** argv) {
  if (argc < 3) explain();
  Options options{.address = argv[1], .model = argv[2]};
  for (int i = 3; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const char* value = equals == std::string::npos ? "" : argv[i] + equals + 1;
    if (name == "--protocol")
      options.protocol = value;
    else if (name == "--connections")
      options.connections = std::atoi(value);
    else if (name == "--in_flight")
      options.in_flight = std::atoi(value);
    else if (name == "--width")
      options.width = std::atoi(value);
    else if (name == "--rows")
      options.rows = std::atoi(value);
    else if (name == "--seconds")
      options.seconds = std::atof(value);
    else if (name == "--deadline_ms")
      options.deadline_ms = std::atoi(value);
    else if (name == "--rate")
      options.rate = std::atof(value);
    else if (name == "--versions")
      options.reads_versions = true;
    else if (name == "--json")
      options.json = true;
    else
      explain();
  }
  if (options.connections < 1 || options.in_flight < 1 || options.rows < 1 || options.width < 1)
    explain();
  return options;
}

std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    json += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return json + '"';
}

template <class Map, class Key>
std::string object_of(const Map& map, const Key& key_of) {
  std::string json = "{";
  for (const auto& [key, count] : map)
    json += (json.size() > 1 ? ", " : "") + quoted(key_of(key)) + ": " + std::to_string(count);
  return json + "}";
}

void print(const Report& report, double seconds, bool json) {
  const Latencies& taken = report.latencies;
  const double rate = static_cast<double>(taken.count()) / seconds;
  if (!json) {
    std::printf("%lld requests in %.2f s: %.0f/s, p50 %.0f us, p99 %.0f us, %lld failed\n",
                static_cast<long long>(taken.count()), seconds, rate, taken.micros_at(0.5),
                taken.micros_at(0.99), static_cast<long long>(report.failed));
    for (const auto& [text, count] : report.errors)
      std::fprintf(stderr, "%lld times: %s\n", static_cast<long long>(count), text.c_str());
    return;
  }
  std::printf("{\"requests\": %lld, \"seconds\": %.3f, \"rate\": %.1f",
              static_cast<long long>(taken.count()), seconds, rate);
  for (const auto& [name, part] :
       {std::pair{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}, {"max", 1.0}})
    std::printf(", \"%s_us\": %.1f", name, taken.micros_at(part));
  std::printf(
      ", \"in_time\": %lld, \"failed\": %lld, \"older\": %lld, \"wrong\": %lld, \"errors\": %s, "
      "\"versions\": %s}\n",
      static_cast<long long>(report.in_time), static_cast<long long>(report.failed),
      static_cast<long long>(report.older), static_cast<long long>(report.wrong),
      object_of(report.errors, [](const std::string& text) { return text; }).c_str(),
      object_of(report.versions, [](std::int64_t v) { return std::to_string(v); }).c_str());
}

}  // namespace
}  // namespace rill::load

int main(int argc, char** argv) {
  using namespace rill::load;
  const Options options = parse(argc, argv);
  const auto report = std::make_unique<Report>();
  const auto begin = Clock::now();
  try {
    (options.protocol == "rest" ? run_http
     : options.protocol == "h2" ? run_h2
                                : run_grpc)(options, report.get());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rill_load: %s\n", error.what());
    return 2;
  }
  print(*report, std::chrono::duration<double>(Clock::now() - begin).count(), options.json);
  return report->failed + report->older + report->wrong > 0 ? 1 : 0;
}
