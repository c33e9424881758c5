#pragma once

#include <functional>
#include <optional>
#include <set>

#include "rill/ops/fusion/formula.h"
#include "rill/ops/fusion/pattern.h"

namespace rill {

// The uses of each item.
struct Uses {
  explicit Uses(const Subgraph& graph);
  std::vector<std::vector<int>> readers, waiting;  // per item: by data edges, by control edges
  std::vector<bool> kept;                          // per item: it is fetched or a target
};

// The shape of a value relative to the full tensor [rows, columns]: a scalar; one element per row;
// one per column; all elements; or one per column that is the sum of the formula over all rows.
enum class Extent : std::uint8_t { kNumber, kRow, kColumn, kFull, kColumnSum };

// Symbolic evaluation of a subgraph, by which rewrites recognise gradients whatever the order and
// grouping of their nodes. Input: set() names some values (x is atom 0, dy is atom 1, ...).
// spread() then walks the items in order and computes the formula of each value whose inputs are
// known. Result: a rewrite asks for the value with the formula that its fused kernel computes
// (first()), and replaces what computes it (put_derived()).
class Derivation {
 public:
  struct Value {
    Formula formula;
    Extent extent = Extent::kFull;
    bool flat = false;  // a row's number without the last dimension, as sums leave it
  };
  // A sum (AddN) in which some summands are known and others are not.
  struct MixedSum {
    int item;
    Formula known;
  };

  // `full`: a value of the whole shape. `rows`: of no width where nothing is known of rows.
  Derivation(const Pattern& p, const Uses& uses, Edge full, Formula::Rows rows)
      : p_(p), uses_(uses), full_(p.shape(full)), rows_(rows) {}

  void set(Edge edge, Formula formula, Extent extent = Extent::kFull) {
    values_[key(edge)] = {std::move(formula), extent};
  }
  const Value* find(Edge edge) const;
  // Values of this formula are known, but nothing is derived from them.
  void end_at(Formula formula) { end_ = std::move(formula); }
  // Declares that a non-arithmetic `op` (Tanh, Exp, ...) of the formula `of` gives `result`.
  void take_function(std::string_view op, Formula of, Formula result);

  // Derives the formulas of all values that follow from those that are set.
  void spread();

  // Candidates for the incoming gradient: unknown values that are multiplied with a known one which
  // has one of these atoms, looked at through Neg, Identity and _Unbroadcast. After spread().
  std::vector<Edge> gradients_beside(std::span<const int> atoms) const;
  // This gradient if it is known to have the full shape, or its _Unbroadcast to that shape.
  std::optional<Edge> of_full_shape(Edge gradient) const;

  // The first value with this formula and extent.
  std::optional<Edge> first(const Formula& formula, Extent extent) const;
  const std::vector<MixedSum>& mixed_sums() const { return mixed_; }
  bool is_known(int item) const { return values_.contains({item, 0}); }
  std::vector<int> known_items() const;  // in their order

 private:
  struct Function {
    std::string op;
    Formula of, result;
  };
  using Key = std::pair<int, int>;
  static Key key(Edge edge) { return {edge.item, edge.output}; }

  std::optional<Value> value_of(Edge edge) const;
  std::optional<Value> evaluate(int item);
  std::optional<Value> arithmetic(int item) const;
  std::optional<Value> function(int item) const;
  std::optional<Value> sum(int item);
  std::optional<Value> reduced(int item) const;
  std::optional<Value> reshaped(int item) const;
  std::optional<Value> sum_to(const Value& x, Extent extent) const;

  // Of integer vectors that hold shapes, and of scalars computed from them.
  std::optional<Extent> shape_of(Edge edge) const;
  bool is_ints(Edge edge, std::span<const std::int64_t> wanted) const;
  bool is_kept_shape(int stitch) const;
  bool is_rank(Edge edge) const;
  bool is_last_axis(Edge edge) const;
  bool is_repeats(Edge edge) const;
  bool is_width(Edge edge) const;
  bool is_quotient(Edge edge, FunctionRef<bool(Edge)> is_whole,
                   FunctionRef<bool(Edge)> is_part) const;
  std::int64_t rank() const { return full_.has_rank() ? full_.rank() : -1; }

  const Pattern& p_;
  const Uses& uses_;
  PartialShape full_;
  Formula::Rows rows_;
  std::map<Key, Value> values_;
  std::optional<Formula> end_;
  std::vector<Function> functions_;
  std::vector<MixedSum> mixed_;
};

// Replaces the items that compute `results` by one node: result i becomes its output i (an edge of
// item -1 is not computed by anyone). Items whose values are known and read by those alone go as
// well. If `mixed` is set, it is a MixedSum whose known summands output 0 replaces. `moved` gets
// the edges that are elsewhere now. Returns whether it could be done.
struct Replacement {
  std::string op;
  std::vector<Subgraph::Edge> inputs;
  AttrMap attrs;
  std::vector<Subgraph::Edge> results;
  int mixed = -1;
};
bool put_derived(Pattern& p, const Uses& uses, const Derivation& derivation,
                 const Replacement& replacement,
                 std::map<std::pair<int, int>, Subgraph::Edge>& moved);

}  // namespace rill
