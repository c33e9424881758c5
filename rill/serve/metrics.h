#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include "rill/base/error.h"

namespace rill::serve {

// What is counted, under TensorFlow Serving's names. Clients choose the names of models, so only
// the first thousand are told apart. Safe from several threads at once.
class Metrics {
 public:
  void count_request(const std::string& model, const char* api, const std::string& entry, Code code,
                     std::int64_t micros);

  // Everything in Prometheus' text form.
  std::string prometheus() const;

 private:
  static constexpr int kBuckets = 33;  // 10 us, and each 1.8 times the one before
  struct Histogram {
    std::array<std::int64_t, kBuckets + 1> counts{};
    std::int64_t count = 0;
    double sum = 0;
    void add(double value);
  };
  static double bucket_end(int i);

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, Code>, std::int64_t> requests_;
  std::map<std::tuple<std::string, std::string, std::string>, Histogram> latencies_;
};

}  // namespace rill::serve
