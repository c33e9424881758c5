#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace rill::profiler {

// Dimensions; -1 is an unknown one. A scalar is {1}, as TensorFlow's profiler shows it.
using Dims = std::vector<std::int64_t>;

struct CodeLine {
  std::string file, function, text;
  int line = 0, function_line = 0;  // where it stands, and where its function begins
};

struct NodeMemory {  // of one execution
  std::int64_t at_micros = 0;
  std::int64_t host_temp = 0, host_persistent = 0, accelerator_temp = 0, accelerator_persistent = 0;
  std::int64_t requested = 0, peak = 0, residual = 0, output = 0;
  std::int64_t allocator_in_use = 0;
  std::map<int, std::pair<std::int64_t, std::uint64_t>> outputs;  // bytes and address by index
};

struct Allocation {
  std::int64_t at_micros = 0, bytes = 0;
};

// What a node did in one step.
struct NodeStep {
  using Spans = std::vector<std::pair<std::int64_t, std::int64_t>>;  // start, duration in micros

  std::int64_t run_count = 0;
  std::int64_t start_micros = 0, end_micros = 0;  // of all its executions
  std::map<std::string, Spans> accelerator, cpu;  // by device
  std::set<std::string> devices;
  std::vector<NodeMemory> memory;
  std::vector<Allocation> allocations;
};

// Sums that a profile can show of a node, or of many.
struct Figures {
  std::int64_t run_count = 0, definition_count = 0;
  std::int64_t accelerator_micros = 0, cpu_micros = 0;
  std::int64_t requested = 0, peak = 0, residual = 0, output = 0;
  std::int64_t params = 0, float_ops = 0;

  std::int64_t micros() const { return accelerator_micros + cpu_micros; }
  Figures& operator+=(const Figures& other);
};

struct ProfiledNode {
  struct Input {
    std::string name;
    int output = 0;
  };

  std::int64_t id = 0;
  std::string name, op;
  std::set<std::string> types;  // its op, its device and what the op log calls it
  std::string device;           // the first CPU or accelerator it was seen on, in small letters
  std::optional<Dims> shape;    // of a variable or placeholder
  std::map<int, Dims> output_shapes;  // those that are known
  std::map<int, Input> inputs;        // control inputs too
  std::vector<CodeLine> trace;        // outermost call first
  std::int64_t float_ops = 0;         // of one execution
  bool is_nhwc = false;               // by its attribute data_format
  std::map<std::int64_t, NodeStep> steps;

  // Of this step, or the mean of all where it is -1. A node that did not run has no times.
  Figures figures(std::int64_t step) const;
  std::set<std::string> devices(std::int64_t step) const;

 private:
  Figures of_step(const NodeStep& step) const;
};

}  // namespace rill::profiler
