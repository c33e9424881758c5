#include <algorithm>
#include <optional>

#include "rill/ops/fusion/rnn_parts.h"
#include "rill/ops/fusion/rnn_pushed.h"

namespace rill {
namespace {

struct Columns {
  std::int64_t first = 0, count = 0;
};

// The gradient of matrices that were multiplied side by side: a product that is cut where they met.
// How many columns each has is known ahead, and rows are all that there are, so that neither the
// matrices nor their shapes are needed any more.
class CutProduct {
 public:
  CutProduct(const Pattern& p, const Users& users, const Pushed& pushed)
      : p_(p), users_(users), pushed_(pushed) {}

  bool match(int product) {
    if (!p_.is(product, "MatMul") || p_.graph.dtype({product, 0}) != DType::f32 ||
        p_.node(product).attr<bool>("transpose_a") || !p_.node(product).attr<bool>("transpose_b") ||
        !p_.item(product).controls.empty())
      return false;
    product_ = product;
    std::vector<int> readers = users_.of({product, 0});
    std::ranges::sort(readers);
    readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
    if (readers.empty() || readers.front() < 0) return false;
    const int joined = find_joined();
    if (joined < 0) return false;
    for (const int reader : readers) {
      const auto columns = columns_of(reader, joined);
      if (!columns) return false;
      slices.push_back(reader);
      columns_.push_back(*columns);
    }
    return true;
  }

  std::vector<int> slices;
  std::vector<Edge> inputs() const { return {p_.input(product_, 0), p_.input(product_, 1)}; }
  AttrMap attrs(std::size_t k) const {
    return {{"T", DType::f32}, {"first", columns_[k].first}, {"count", columns_[k].count}};
  }

 private:
  // What was side by side, as the gradient of the weights has it: that says that the rows are as
  // many.
  int find_joined() const {
    const Edge grad = p_.input(product_, 0);
    for (const int reader : users_.of(grad)) {
      if (reader < 0 || !p_.is(reader, "MatMul") || !p_.node(reader).attr<bool>("transpose_a") ||
          p_.node(reader).attr<bool>("transpose_b") || !(p_.input(reader, 1) == grad))
        continue;
      const int joined = pushed_.source(p_.input(reader, 0)).item;
      if (p_.is(joined, "ConcatV2") && is_column_axis(p_, p_.item(joined).inputs.back()))
        return joined;
    }
    return -1;
  }

  std::optional<Columns> columns_of(int slice, int joined) const {
    if (!p_.is(slice, "Slice") || !(p_.input(slice, 0) == Edge{product_, 0})) return std::nullopt;
    const auto parts = static_cast<int>(p_.item(joined).inputs.size()) - 1;
    const Edge begin = p_.input(slice, 1), size = p_.input(slice, 2);
    if (!p_.is(begin.item, "ConcatOffset") || !is_column_axis(p_, p_.input(begin.item, 0)) ||
        static_cast<int>(p_.item(begin.item).inputs.size()) != parts + 1)
      return std::nullopt;
    Columns found;
    for (int k = 0; k < parts; ++k) {
      const PartialShape part = p_.shape(p_.input(joined, k));
      if (!is_shape_of(p_.input(begin.item, 1 + k), p_.input(joined, k)) || !part.has_rank() ||
          part.rank() != 2 || part.dim(1) <= 0)
        return std::nullopt;
      if (k < begin.output) found.first += part.dim(1);
      if (k == begin.output) found.count = part.dim(1);
    }
    if (!is_shape_of(size, p_.input(joined, begin.output))) return std::nullopt;
    return found;
  }
  bool is_shape_of(Edge shape, Edge value) const {
    if (const auto& known = p_.item(shape.item).constant) {
      const PartialShape full = p_.shape(value);
      return known->dtype() == DType::i32 && known->element_count() == 2 && full.is_full() &&
             full.rank() == 2 && full.dim(0) == known->data<std::int32_t>()[0] &&
             full.dim(1) == known->data<std::int32_t>()[1];
    }
    const Edge asked = pushed_.source(shape);
    if (p_.is(asked.item, "Shape")) return pushed_.source(p_.input(asked.item, 0)) == value;
    return p_.is(asked.item, "ShapeN") &&
           pushed_.source(p_.input(asked.item, asked.output)) == value;
  }

  const Pattern& p_;
  const Users& users_;
  const Pushed& pushed_;
  int product_ = -1;
  std::vector<Columns> columns_;
};

int cut_products(Subgraph& graph, HelperNodes& nodes) {
  if (!Pattern::occurs(graph, {"ConcatOffset"})) return 0;
  Pattern p(graph, nodes);
  const Users users(graph);
  const Pushed pushed(p);
  const CanFuse can_fuse(graph);
  std::vector<std::pair<int, CutProduct>> found;
  std::vector<Cluster> firsts;
  for (int i = 0; i < p.size(); ++i) {
    CutProduct match(p, users, pushed);
    if (!match.match(i)) continue;
    std::vector<int> members = match.slices;
    members.push_back(i);
    if (!can_fuse(members)) continue;
    const int slice = match.slices.front();
    firsts.push_back({.last = slice,
                      .op = "_MatMulColumns",
                      .inputs = match.inputs(),
                      .attrs = match.attrs(0),
                      .members = {std::min(i, slice), std::max(i, slice)},
                      .moves = {}});
    found.emplace_back(i, std::move(match));
  }
  const int places = put_clusters(p, std::move(firsts));
  for (const auto& [product, match] : found)
    for (std::size_t k = 1; k < match.slices.size() && p.is_gone(product); ++k)
      p.put(match.slices[k], "_MatMulColumns", match.inputs(), match.attrs(k), {});
  return places;
}

}  // namespace

extern const Rewrite kProductColumnsRewrite{
    "product_columns", "gradients of matrices side by side become products for each of them",
    cut_products};

}  // namespace rill
