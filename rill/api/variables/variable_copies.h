#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "rill/api/variables/variable.h"

namespace rill {

// The replica of a distribution strategy that this thread builds, or whose copies of variables it
// changes; -1: none.
int replica_here();

class InReplica {
 public:
  explicit InReplica(int replica);
  ~InReplica();
  InReplica(const InReplica&) = delete;
  InReplica& operator=(const InReplica&) = delete;

 private:
  const int outer_;
};

// A change of one copy, such as Variable::assign; returns the value after it.
using WriteCopy = std::function<Output(const Variable& copy, const Input& value)>;

// The copies of one variable that the replicas of a strategy have. The variable itself stands for
// the copy of replica_here(), elsewhere for the first one, whose name it has.
class VariableCopies {
 public:
  explicit VariableCopies(std::vector<Variable> all) : all_(std::move(all)) {}
  virtual ~VariableCopies() = default;
  VariableCopies(const VariableCopies&) = delete;
  VariableCopies& operator=(const VariableCopies&) = delete;

  virtual const char* kind() const = 0;  // "MirroredVariable"
  const std::vector<Variable>& all() const { return all_; }
  const Variable& primary() const { return all_.front(); }
  const Variable& here() const;
  Node& initializer() const;  // of all

  // A write, wherever the program stands: to the copy that is being updated, in a replica of what
  // all replicas bring, outside of them to all copies.
  virtual Output write(const Input& value, const WriteCopy& write) const = 0;
  // What is read where no replica is built.
  virtual Output read_outside() const;
  // What checkpoints keep, and what each copy gets of that.
  virtual Output saved() const { return primary().snapshot(); }
  virtual Output share_of(const Output& saved) const { return saved; }

 private:
  const std::vector<Variable> all_;
};

}  // namespace rill
