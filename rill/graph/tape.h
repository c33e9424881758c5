#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "rill/graph/executed_node.h"

namespace rill {

// Which executed ops a gradient may go back through: those that read, directly or through others,
// what the tape watches, executed by its thread while it is on.
class Tape {
 public:
  explicit Tape(bool watches_variables = true);
  ~Tape();  // what it has recorded for itself alone is let go
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  // Tapes that are on see every op that their thread executes, inner ones and outer ones.
  void start();
  void stop();
  bool is_on() const;
  void reset();  // forgets everything, also what it watches

  void watch(const Output& x);
  bool watches_variables() const { return watches_variables_; }
  // The variables, by their handles, that were read, in order.
  const std::vector<Output>& variables() const { return variables_; }
  void add_variable(const Output& handle);

  bool has_recorded(const Node& node) const;
  bool tracks(const Output& x) const;

 private:
  friend void record_on_tapes(ExecutedNode& node, const std::vector<Output>& inputs);
  void forget_records();
  std::uint64_t id_;
  const bool watches_variables_;
  std::unordered_set<std::uint64_t> watched_;  // serials of nodes, and outputs
  std::vector<Output> variables_;
  std::vector<std::weak_ptr<TapeRecord>> records_;
  std::size_t next_sweep_ = 256;
};

// Called for every op that this thread executes.
void record_on_tapes(ExecutedNode& node, const std::vector<Output>& inputs);
// Called where a trainable variable is read.
void note_variable_read(const Output& handle);
bool any_tape_is_on();
// Whether a tape that is on would record an op that reads one of these, all of which have values.
bool any_tape_tracks(std::span<const Output> inputs);

// While it lives, this thread's tapes see nothing.
class WithoutTapes {
 public:
  WithoutTapes();
  ~WithoutTapes();
  WithoutTapes(const WithoutTapes&) = delete;
  WithoutTapes& operator=(const WithoutTapes&) = delete;

 private:
  std::vector<Tape*> on_;
};

}  // namespace rill
