#pragma once

#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

// Load for a model server: what is asked, when, and what came of it.
namespace rill::load {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string address, model;
  std::string protocol = "grpc";  // or "h2": the same by a client of our own; or "rest"
  int connections = 8;
  int in_flight = 8;  // requests of each connection at a time; over HTTP they are more connections
  int width = 1;      // values in a row
  int rows = 1;
  double seconds = 5;
  double rate = 0;              // requests in a second; 0: the next one when one is answered
  bool reads_versions = false;  // the model adds its version to half of x, and x is 1
  // Of each request, which gRPC's servers are told; answers that come later are not in time.
  int deadline_ms = 0;
  bool json = false;
};

// How long requests took, in buckets that are less than a hundredth of their value wide.
class Latencies {
 public:
  void add(Clock::duration taken) {
    const auto nanos = static_cast<std::uint64_t>(std::max<std::int64_t>(0, taken.count()));
    ++counts_[bucket(nanos)];
    ++count_;
  }
  std::int64_t count() const { return count_; }
  double micros_at(double part) const {
    std::int64_t left = static_cast<std::int64_t>(part * static_cast<double>(count_ - 1));
    for (std::size_t i = 0; i < counts_.size() && count_ > 0; ++i)
      if ((left -= counts_[i]) < 0) return static_cast<double>(begin_of(i)) / 1e3;
    return 0;
  }

 private:
  static constexpr int kDigits = 7;  // after the highest bit
  static std::size_t bucket(std::uint64_t nanos) {
    const int shift = std::max(0, static_cast<int>(std::bit_width(nanos)) - kDigits - 1);
    return (static_cast<std::size_t>(shift) << kDigits) + (nanos >> shift);
  }
  static std::uint64_t begin_of(std::size_t i) {
    const std::size_t shift = i < (2u << kDigits) ? 0 : (i >> kDigits) - 1;
    return static_cast<std::uint64_t>(i - (shift << kDigits)) << shift;
  }

  std::array<std::int64_t, 66u << kDigits> counts_{};
  std::int64_t count_ = 0;
};

struct Report {
  Latencies latencies;
  std::int64_t failed = 0, in_time = 0;
  std::map<std::string, std::int64_t> errors;      // the first few kinds
  std::map<std::int64_t, std::int64_t> versions;   // that answered, and how often
  std::int64_t highest = 0, older = 0, wrong = 0;  // `older` than one seen before the request

  void fail(std::string text) {
    ++failed;
    if (text.size() > 300) text.resize(300);
    if (errors.size() < 10 || errors.contains(text)) ++errors[text];
  }
  // An answer that is no error.
  void answered(Clock::duration taken, const Options& options) {
    if (options.deadline_ms == 0 || taken <= std::chrono::milliseconds(options.deadline_ms))
      ++in_time;
  }
  // `newest` was the highest when the request was sent.
  void see(std::int64_t version, std::int64_t newest) {
    ++versions[version];
    if (version < newest) ++older;
    highest = std::max(highest, version);
  }
};

// When requests are to be sent: at a steady pace, whatever the server does.
class Pace {
 public:
  explicit Pace(const Options& options)
      : begin_(Clock::now()),
        end_(begin_ + seconds(options.seconds)),
        step_(options.rate > 0 ? 1 / options.rate : 0) {}
  bool is_open() const { return step_ > 0; }
  Clock::time_point end() const { return end_; }
  bool is_over(Clock::time_point now) const { return now >= end_; }
  // Of the next request, in open loops.
  Clock::time_point next() const { return begin_ + seconds(step_ * static_cast<double>(sent_)); }
  Clock::time_point take() {
    const auto at = next();
    ++sent_;
    return at;
  }

 private:
  static Clock::duration seconds(double count) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(count));
  }
  const Clock::time_point begin_, end_;
  const double step_;
  std::int64_t sent_ = 0;
};

std::string predict_message(const Options& options);  // a PredictRequest
// Notes which version gave this PredictResponse, and whether it is right.
void see_answer(const std::string& message, std::int64_t newest, Report* report);
int connect_to(const std::string& address);  // a socket; throws

void run_grpc(const Options& options, Report* report);  // with gRPC's client
void run_h2(const Options& options, Report* report);    // with one of our own, which costs less
void run_http(const Options& options, Report* report);

}  // namespace rill::load
