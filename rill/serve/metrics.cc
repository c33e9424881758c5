#include "rill/serve/metrics.h"

#include <cmath>

namespace rill::serve {
namespace {

constexpr std::size_t kMostModels = 1000;

// "INVALID_ARGUMENT" of "InvalidArgument".
std::string upper_name(Code code) {
  if (code == Code::kOk) return "OK";
  std::string name;
  for (const char c : code_name(code)) {
    if (c >= 'A' && c <= 'Z' && !name.empty()) name += '_';
    name += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return name;
}

std::string label(std::string_view name, std::string_view value) {
  std::string text = str_cat(name, "=\"");
  for (const char c : value) {
    if (c == '\\' || c == '"') text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return text += '"';
}

}  // namespace

double Metrics::bucket_end(int i) { return 10 * std::pow(1.8, i); }

void Metrics::Histogram::add(double value) {
  int i = 0;
  while (i < kBuckets && value > bucket_end(i)) ++i;
  ++counts[static_cast<std::size_t>(i)];
  ++count;
  sum += value;
}

void Metrics::count_request(const std::string& model, const char* api, const std::string& entry,
                            Code code, std::int64_t micros) {
  const std::lock_guard lock(mutex_);
  if (requests_.size() > kMostModels && !requests_.contains({model, code})) return;
  ++requests_[{model, code}];
  if (code == Code::kOk) latencies_[{model, api, entry}].add(static_cast<double>(micros));
}

std::string Metrics::prometheus() const {
  const std::lock_guard lock(mutex_);
  std::string text = "# TYPE :tensorflow:serving:request_count counter\n";
  for (const auto& [key, count] : requests_)
    text += str_cat(":tensorflow:serving:request_count{", label("model_name", key.first), ",",
                    label("status", upper_name(key.second)), "} ", count, "\n");
  const std::string name = ":tensorflow:serving:request_latency";
  text += str_cat("# TYPE ", name, " histogram\n");
  for (const auto& [key, histogram] : latencies_) {
    const auto& [model, api, entry] = key;
    const std::string labels = str_cat(label("model_name", model), ",", label("API", api), ",",
                                       label("entrypoint", entry));
    std::int64_t below = 0;
    for (int i = 0; i <= kBuckets; ++i) {
      below += histogram.counts[static_cast<std::size_t>(i)];
      text += str_cat(name, "_bucket{", labels, ",le=\"",
                      i == kBuckets ? "+Inf" : str_cat(bucket_end(i)), "\"} ", below, "\n");
    }
    text += str_cat(name, "_sum{", labels, "} ", histogram.sum, "\n", name, "_count{", labels, "} ",
                    histogram.count, "\n");
  }
  return text;
}

}  // namespace rill::serve
