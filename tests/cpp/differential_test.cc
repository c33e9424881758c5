// Programs made at random, run with rewrites on and off: the same values, the same errors and the
// same state afterwards. RILL_DIFFERENTIAL_PROGRAMS says how many, RILL_DIFFERENTIAL_FIRST where to
// begin; of a single one every rewrite is tried.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "rill/base/environment.h"
#include "rill/kernel/fast_paths.h"
#include "rill/ops/fusion/rewrites.h"
#include "tests/cpp/random_program.h"

namespace rill {
namespace {

constexpr int kStepCount = 3;

struct Result {
  std::vector<Tensor> values;  // of all steps, then the state
  Code code = Code::kOk;
  std::string node, message;
};

double as_double(const Tensor& t, std::int64_t i) {
  if (t.dtype() == DType::f64) return t.data<double>()[i];
  if (t.dtype() == DType::f32) return static_cast<double>(t.data<float>()[i]);
  if (t.dtype() == DType::f16) return static_cast<double>(static_cast<float>(t.data<half>()[i]));
  return 0;
}

// The same tensor with its last bits changed at random.
Tensor shaken(const Tensor& given, unsigned seed) {
  std::mt19937 numbers(seed);
  Tensor t = given.clone();
  for (std::int64_t i = 0; i < t.element_count(); ++i) {
    const double by = 1 + (static_cast<int>(numbers() % 3) - 1) * 2.4e-7;
    if (t.dtype() == DType::f32)
      t.data<float>()[i] = static_cast<float>(static_cast<double>(t.data<float>()[i]) * by);
    if (t.dtype() == DType::f64) t.data<double>()[i] *= 1 + (by - 1) * 1e-9;
    if (t.dtype() == DType::f16)
      t.data<half>()[i].bits = static_cast<std::uint16_t>(t.data<half>()[i].bits ^ (numbers() & 1));
  }
  return t;
}

Result run_program(const RandomProgram& program, const SessionOptions& options,
                   unsigned shake = 0) {
  Result result;
  try {
    SessionOptions own = options;
    own.device_count = {{"CPU", 2}};
    Session session(program.graph(), own);
    for (const RandomProgram::State& state : program.states)
      if (state.start.node != nullptr) {
        const Tensor value = shake == 0 ? state.tensor : shaken(state.tensor, shake);
        session.run(*state.set, {{state.start, value}});
      }
    for (const RandomProgram::State& state : program.states)
      if (state.start.node == nullptr) session.run(*state.set);
    std::vector<Feed> feeds = program.feeds;
    if (shake != 0)
      for (Feed& feed : feeds) feed.value = shaken(feed.value, shake++);
    for (int step = 0; step < kStepCount; ++step)
      for (Tensor& value : session.run(feeds, program.fetches, program.targets))
        result.values.push_back(value.clone());
    for (const RandomProgram::State& state : program.states)
      result.values.push_back(session.run(std::vector{state.value})[0].clone());
  } catch (const Error& error) {
    result.code = error.code();
    result.node = error.node();
    result.message = error.message();
  }
  return result;
}

// How far two tensors are from each other at most; infinitely far where they are not numbers in
// different places.
double greatest_difference(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return INFINITY;
  double most = 0;
  for (std::int64_t i = 0; i < a.element_count(); ++i) {
    const double x = as_double(a, i), y = as_double(b, i);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    const double apart = std::abs(x - y);
    most = std::max(most, std::isfinite(apart) ? apart : INFINITY);
  }
  return most;
}

double largest(const Tensor& t) {
  double most = 0;
  for (std::int64_t i = 0; i < t.element_count(); ++i)
    if (std::isfinite(as_double(t, i))) most = std::max(most, std::abs(as_double(t, i)));
  return most;
}

class Differential {
 public:
  explicit Differential(unsigned seed) : program_(seed) {
    program_.disturb([this](const std::vector<Output>& fetches) {
      Session session(program_.graph(), kPlain);
      for (const RandomProgram::State& state : program_.states)
        session.run(*state.set, state.start.node == nullptr
                                    ? std::vector<Feed>()
                                    : std::vector<Feed>{{state.start, state.tensor}});
      return session.run(program_.feeds, fetches);
    });
    plain_ = run_program(program_, kPlain);
    for (unsigned shake = 1; shake <= 3; ++shake)
      shaken_.push_back(run_program(program_, kPlain, 1000 * shake));
  }

  // Names that a step gives its arrays count all that the process has made.
  static std::string without_counters(const std::string& message) {
    static const std::regex counter("_[0-9]+(?=[@:])");
    return std::regex_replace(message, counter, "_");
  }

  void compare(const SessionOptions& options, const std::string& how) const {
    const Result got = run_program(program_, options);
    SCOPED_TRACE(str_cat(how, " of ", program_.story()));
    EXPECT_EQ(got.code, plain_.code) << got.message << "\n" << plain_.message;
    if (got.code != plain_.code || got.code != Code::kOk) {
      // Of several that fail any may be the first; all are the program's own.
      if (got.node == plain_.node) {
        EXPECT_EQ(without_counters(got.message), without_counters(plain_.message));
      }
      EXPECT_TRUE(got.node.empty() || program_.graph()->find(got.node) != nullptr) << got.node;
      return;
    }
    for (std::size_t i = 0; i < got.values.size(); ++i) {
      const double allowed = tolerance(i),
                   apart = greatest_difference(got.values[i], plain_.values[i]);
      EXPECT_LE(apart, allowed) << what(i) << "\n"
                                << summary(got.values[i], 10) << "\n"
                                << summary(plain_.values[i], 10);
    }
  }
  // Neither the number of threads nor where values lie may change a bit.
  void expect_same_bits(const SessionOptions& options, const std::string& how) const {
    const Result got = run_program(program_, options), usual = run_program(program_, {});
    SCOPED_TRACE(str_cat(how, " of ", program_.story()));
    EXPECT_EQ(got.code, usual.code) << got.message << usual.message;
    if (got.code != usual.code || got.code != Code::kOk) return;
    for (std::size_t i = 0; i < got.values.size(); ++i)
      EXPECT_TRUE(identical(got.values[i], usual.values[i])) << what(i);
  }

  static inline const SessionOptions kPlain{
      .fold = false, .share = false, .simplify = false, .rewrites_off = {"all", "arena"}};

 private:
  std::string what(std::size_t i) const {
    const std::size_t fetched = program_.fetches.size();
    return i < kStepCount * fetched
               ? str_cat(program_.fetches[i % fetched].name(), " in step ", i / fetched)
               : program_.states[i - kStepCount * fetched].value.name();
  }
  // Some programs make much of the last bit.
  double tolerance(std::size_t i) const {
    const Tensor& value = plain_.values[i];
    const double unit = value.dtype() == DType::f64   ? 1e-13
                        : value.dtype() == DType::f16 ? 2e-3
                                                      : 4e-6;
    double moved = 0;
    for (const Result& other : shaken_)
      moved = std::max(moved,
                       other.code == Code::kOk ? greatest_difference(other.values[i], value) : 0.0);
    return unit * std::max(1.0, largest(value)) + 30 * moved;
  }

  RandomProgram program_;
  Result plain_;
  std::vector<Result> shaken_;
};

std::set<std::string, std::less<>> all_but(const std::string& name) {
  std::set<std::string, std::less<>> off;
  for (const Rewrite* one : standard_rewrites())
    if (one->name != name) off.insert(one->name);
  return off;
}

TEST(Differential, rewrites_change_nothing_but_rounding) {
  const int said = environment_number("RILL_DIFFERENTIAL_PROGRAMS");
  const int first = environment_number("RILL_DIFFERENTIAL_FIRST");
  const bool is_long = said > 0;
  for (int seed = first; seed < first + (is_long ? said : 60); ++seed) {
    SCOPED_TRACE(seed);
    const Differential differential(static_cast<unsigned>(seed));
    differential.compare({}, "all rewrites");
    differential.compare({.fold = false, .share = false, .simplify = false}, "rewrites alone");
    differential.compare({.rewrites_off = {"all"}}, "passes alone");
    std::mt19937 numbers(static_cast<unsigned>(seed));
    for (std::size_t i = 0; i < standard_rewrites().size(); ++i) {
      const Rewrite& one = *standard_rewrites()[i];
      if (one.only_if_asked || (said != 1 && numbers() % 8 != 0)) continue;  // of one program all
      differential.compare({.rewrites_off = all_but(one.name)}, str_cat(one.name, " alone"));
      differential.compare({.rewrites_off = {one.name}}, str_cat("all but ", one.name));
    }
    {
      const auto path = static_cast<FastPath>(numbers() % kFastPathCount);
      const WithoutFastPath off(path);
      differential.compare({}, str_cat("without ", name_of(path)));
    }
    differential.expect_same_bits({.intra_op_threads = 1, .inter_op_threads = -1}, "one thread");
    differential.expect_same_bits({.intra_op_threads = 4}, "four threads");
    differential.expect_same_bits({.rewrites_off = {"arena"}}, "no arena");
    if (testing::Test::HasFailure() && !is_long) return;  // the first one says enough
  }
}

}  // namespace
}  // namespace rill
