#include "rill/ops/fusion/derivation.h"

#include <algorithm>
#include <cmath>

#include "rill/base/subscript.h"

namespace rill {
namespace {

Extent joined(Extent a, Extent b) {
  if (a == b || b == Extent::kNumber) return a;
  return a == Extent::kNumber ? b : Extent::kFull;
}

bool is_plain(const Derivation::Value& v) { return !v.flat && v.extent != Extent::kColumnSum; }

}  // namespace

Uses::Uses(const Subgraph& graph)
    : readers(graph.items.size()), waiting(graph.items.size()), kept(graph.items.size(), false) {
  for (std::size_t i = 0; i < graph.items.size(); ++i) {
    for (const Edge& input : graph.items[i].inputs)
      readers[at(input.item)].push_back(static_cast<int>(i));
    for (const int control : graph.items[i].controls)
      waiting[at(control)].push_back(static_cast<int>(i));
  }
  for (const Edge& fetch : graph.fetches) kept[at(fetch.item)] = true;
  for (const int target : graph.targets) kept[at(target)] = true;
}

const Derivation::Value* Derivation::find(Edge edge) const {
  const auto it = values_.find(key(edge));
  return it == values_.end() ? nullptr : &it->second;
}

void Derivation::take_function(std::string_view op, Formula of, Formula result) {
  functions_.push_back({std::string(op), std::move(of), std::move(result)});
}

void Derivation::spread() {
  std::set<int> open;
  const auto follow = [&](int item) {
    open.insert(uses_.readers[at(item)].begin(), uses_.readers[at(item)].end());
  };
  for (const auto& [edge, value] : values_)
    if (!end_ || !value.formula.is_near(*end_)) follow(edge.first);
  mixed_.clear();
  while (!open.empty()) {
    const int item = *open.begin();
    open.erase(open.begin());
    if (is_known(item)) continue;
    std::optional<Value> value = evaluate(item);
    if (!value || !value->formula.is_known()) continue;
    const bool ends = end_ && value->formula.is_near(*end_);
    values_[{item, 0}] = std::move(*value);
    if (!ends) follow(item);
  }
}

std::optional<Derivation::Value> Derivation::value_of(Edge edge) const {
  if (const Value* known = find(edge)) return *known;
  double number = 0;
  if (p_.scalar(edge, &number) && p_.shape(edge).rank() <= 1)
    return Value{Formula::number(number), Extent::kNumber};
  if (p_.is(edge.item, "Const") && p_.graph.dtype(edge) == DType::f32) {  // one that waits
    const auto& constant = p_.node(edge.item).attr<Tensor>("value");
    if (constant.rank() == 0)
      return Value{Formula::number(static_cast<double>(constant.data<float>()[0])),
                   Extent::kNumber};
  }
  if (is_width(edge)) return Value{Formula::number(rows_.width), Extent::kNumber};
  return std::nullopt;
}

std::optional<Derivation::Value> Derivation::evaluate(int item) {
  if (!p_.item(item).is_plain() || p_.node(item).output_count() != 1 ||
      p_.graph.dtype({item, 0}) != DType::f32)
    return std::nullopt;
  if (p_.is(item, {"AddN", "Add", "AddV2"})) return sum(item);
  if (p_.is(item, {"Sum", "_Unbroadcast"})) return reduced(item);
  if (p_.is(item, {"Reshape", "Tile", "BroadcastTo"})) return reshaped(item);
  if (p_.item(item).inputs.size() == 1) return function(item);
  return p_.item(item).inputs.size() == 2 ? arithmetic(item) : std::nullopt;
}

std::optional<Derivation::Value> Derivation::sum(int item) {
  Value total{Formula(), Extent::kNumber};
  bool is_mixed = false;
  for (const Edge& input : p_.item(item).inputs) {
    const auto value = value_of(input);
    if (!value || !is_plain(*value)) {
      is_mixed = true;
      continue;
    }
    total.formula = total.formula + value->formula;
    total.extent = joined(total.extent, value->extent);
  }
  if (!is_mixed) return total;
  if (total.extent == Extent::kFull && p_.is(item, "AddN")) mixed_.push_back({item, total.formula});
  return std::nullopt;
}

std::optional<Derivation::Value> Derivation::arithmetic(int item) const {
  const auto x = value_of(p_.input(item, 0)), y = value_of(p_.input(item, 1));
  if (!x || !y || !is_plain(*x) || !is_plain(*y)) return std::nullopt;
  const Formula &a = x->formula, &b = y->formula;
  const auto result = [&](Formula f) { return Value{std::move(f), joined(x->extent, y->extent)}; };
  if (p_.is(item, "Mul")) return result(a * b);
  if (p_.is(item, "Sub")) return result(a - b);
  if (p_.is(item, "RealDiv")) return result(a * b.reciprocal());
  if (p_.is(item, "SquaredDifference")) return result((a - b).power(2));
  // Of y and dy.
  if (p_.is(item, "TanhGrad")) return result(b * (Formula::number(1) - a.power(2)));
  if (p_.is(item, "RsqrtGrad")) return result(Formula::number(-0.5) * b * a.power(3));
  if (p_.is(item, "SqrtGrad")) return result(Formula::number(0.5) * b * a.reciprocal());
  double exponent = 0;
  if (p_.is(item, "Pow") && p_.scalar(p_.input(item, 1), &exponent) &&
      exponent == std::floor(exponent) && std::abs(exponent) < 9)
    return Value{a.power(static_cast<int>(exponent)), x->extent};
  return std::nullopt;
}

std::optional<Derivation::Value> Derivation::function(int item) const {
  const auto x = value_of(p_.input(item, 0));
  if (x && p_.is(item, "Identity")) return x;
  if (!x || !is_plain(*x)) return std::nullopt;
  if (p_.is(item, "Neg")) return Value{Formula::number(-1) * x->formula, x->extent};
  if (p_.is(item, "Square")) return Value{x->formula.power(2), x->extent};
  for (const Function& known : functions_)
    if (p_.is(item, known.op) && x->formula.is_near(known.of))
      return Value{known.result, x->extent};
  return std::nullopt;
}

std::optional<Derivation::Value> Derivation::sum_to(const Value& x, Extent extent) const {
  if (x.extent == extent) return x;
  if (extent == Extent::kRow && x.extent == Extent::kFull)
    return Value{x.formula.sum_of_row(rows_), Extent::kRow};
  if (extent == Extent::kColumn && x.extent == Extent::kFull)
    return Value{x.formula, Extent::kColumnSum};
  return std::nullopt;
}

std::optional<Derivation::Value> Derivation::reduced(int item) const {
  const auto x = value_of(p_.input(item, 0));
  if (!x || !is_plain(*x)) return std::nullopt;
  const Edge second = p_.input(item, 1);
  if (p_.is(item, "_Unbroadcast")) {
    const auto extent = shape_of(second);
    return extent ? sum_to(*x, *extent) : std::nullopt;
  }
  if (x->extent != Extent::kFull || rank() < 1) return std::nullopt;
  const bool keeps = p_.node(item).attr<bool>("keep_dims");
  std::vector<std::int64_t> leading;
  for (std::int64_t d = 0; d + 1 < rank(); ++d) leading.push_back(d);
  if (is_last_axis(second)) {
    std::optional<Value> row = sum_to(*x, Extent::kRow);
    row->flat = !keeps;
    return row;
  }
  return is_ints(second, leading) && !keeps ? sum_to(*x, Extent::kColumn) : std::nullopt;
}

std::optional<Derivation::Value> Derivation::reshaped(int item) const {
  const auto x = value_of(p_.input(item, 0));
  if (!x) return std::nullopt;
  const Edge second = p_.input(item, 1);
  if (p_.is(item, "Reshape")) {
    const auto to = shape_of(second);
    const Extent from = x->extent == Extent::kColumnSum ? Extent::kColumn : x->extent;
    if (!to || *to != from) return std::nullopt;
    return Value{x->formula, x->extent};
  }
  if (!is_plain(*x) || x->extent != Extent::kRow) return std::nullopt;
  const bool repeats = p_.is(item, "Tile") ? is_repeats(second) : shape_of(second) == Extent::kFull;
  return repeats ? std::optional(Value{x->formula, Extent::kFull}) : std::nullopt;
}

std::vector<Edge> Derivation::gradients_beside(std::span<const int> atoms) const {
  std::vector<Edge> found;
  for (const auto& [edge, value] : values_) {
    if (std::ranges::none_of(atoms, [&](int atom) { return value.formula.has(atom); })) continue;
    for (const int reader : uses_.readers[at(edge.first)]) {
      if (!p_.is(reader, "Mul")) continue;
      Edge other = p_.other(reader, {edge.first, edge.second});
      if (value_of(other)) continue;
      while (
          p_.is(other.item, {"Neg", "Identity"}) ||
          (p_.is(other.item, "_Unbroadcast") && shape_of(p_.input(other.item, 1)) == Extent::kFull))
        other = p_.input(other.item, 0);
      if (std::ranges::find(found, other) == found.end()) found.push_back(other);
    }
  }
  return found;
}

std::optional<Edge> Derivation::of_full_shape(Edge gradient) const {
  if (p_.graph.dtype(gradient) != DType::f32) return std::nullopt;
  if (full_.has_rank() && p_.shape(gradient) == full_) return gradient;
  for (const int reader : uses_.readers[at(gradient.item)])
    if (p_.is(reader, "_Unbroadcast") && p_.input(reader, 0) == gradient &&
        shape_of(p_.input(reader, 1)) == Extent::kFull)
      return Edge{reader, 0};
  return std::nullopt;
}

std::vector<int> Derivation::known_items() const {
  std::vector<int> items;
  for (const auto& [edge, value] : values_)
    if (items.empty() || items.back() != edge.first) items.push_back(edge.first);
  return items;
}

std::optional<Edge> Derivation::first(const Formula& formula, Extent extent) const {
  for (const auto& [edge, value] : values_)
    if (value.extent == extent && !value.flat && value.formula.is_near(formula))
      return Edge{edge.first, edge.second};
  return std::nullopt;
}

}  // namespace rill
