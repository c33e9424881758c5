#pragma once

#include <functional>
#include <optional>
#include <set>

#include "rill/ops/fusion/formula.h"
#include "rill/ops/fusion/pattern.h"

namespace rill {

// Who reads and who waits for which item.
struct Uses {
  explicit Uses(const Subgraph& graph);
  std::vector<std::vector<int>> readers, waiting;  // per item
  std::vector<bool> kept;                          // per item: it is fetched or a target
};

// How many elements a value has beside those it is computed with: one number; one for each row of
// the last dimension; one for each of its columns; all; or one for each column, as the sum of what
// the formula says over all rows.
enum class Extent : std::uint8_t { kNumber, kRow, kColumn, kFull, kColumnSum };

// What items compute, as formulas of the quantities that the first ones are said to be. Rewrites
// recognise gradients by it: the order and grouping of their nodes matters no more.
class Derivation {
 public:
  struct Value {
    Formula formula;
    Extent extent = Extent::kFull;
    bool flat = false;  // a row's number without the last dimension, as sums leave it
  };
  // A sum of known values and of others.
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
  // Values of this formula are known, but what is computed from them is not followed.
  void end_at(Formula formula) { end_ = std::move(formula); }
  // What ops beside the arithmetic ones make of a formula.
  void take_function(std::string_view op, Formula of, Formula result);

  // Finds out what follows from the values that are set.
  void spread();

  // Of the unknown values that a known one with this atom is multiplied with, those that may be
  // the gradient that everything began with, without signs and changes of shape. After spread().
  std::vector<Edge> gradients_beside(std::span<const int> atoms) const;
  // A value like this gradient that surely has the whole shape; nothing where there is none.
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

  // Of vectors of sizes, and of numbers made of them.
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

// Puts one node in place of what computes `results` (edge i becomes its output i; an edge of item
// -1 is computed by nobody), together with all that is known and only computed for them. In
// `mixed`, if there is one, output 0 stands for the known summands instead. `moved` gets the edges
// that are elsewhere now. Returns whether it could be done.
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
