#include <algorithm>
#include <map>
#include <unordered_map>

#include "rill/api/picture/scope_tree.h"
#include "rill/base/text.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill::picture {
namespace {

using layout::layered_layout;
using layout::Layout;
using layout::Size;

constexpr double kMargin = 8, kHead = kLineHeight + 8;  // within open scopes
constexpr std::size_t kLongest = 28;                    // letters of a name

std::string shortened(const std::string& name) {
  if (name.size() <= kLongest) return name;
  const std::size_t half = kLongest / 2 - 1;
  return name.substr(0, half) + ".." + name.substr(name.size() - half);
}

std::string count_text(std::int64_t count) {
  const auto tenths = [](double value, const char* unit) {
    const auto whole = static_cast<long long>(value * 10 + 0.5);
    return whole % 10 == 0 || whole >= 1000 ? str_cat(whole / 10, unit)
                                            : str_cat(whole / 10, ".", whole % 10, unit);
  };
  const auto value = static_cast<double>(count);
  if (count >= 1'000'000) return tenths(value / 1e6, "M");
  return count >= 10'000 ? tenths(value / 1e3, "k") : str_cat(count);
}

std::string plural(std::int64_t count, const char* what) {
  return str_cat(count_text(count), " ", what, count == 1 ? "" : "s");
}

class Artist {
 public:
  Artist(const tensorflow::GraphDef& graph, const ScopeTree& tree) : graph_(graph), tree_(tree) {
    for (const auto& [edge, count] : tree.flow) add_flow(edge.first, edge.second, count);
    for (const auto& [edge, count] : tree.flow) {
      read_.insert({edge.first, true});
      reads_.insert({edge.second, true});
    }
  }

  Drawing draw() {
    const Size size = measure(0);
    emit(0, {0, 0});
    drawing_.width = size.width;
    drawing_.height = size.height;
    return std::move(drawing_);
  }

 private:
  // What comes in at the top of an open scope, and what goes out at its bottom.
  static constexpr int kTop = -1, kBottom = -2;
  using Edges = std::map<std::pair<int, int>, int>;  // between children: how many tensors
  struct Inside {
    Edges edges;
    std::vector<int> members;  // children, kTop, kBottom
    std::vector<std::pair<int, int>> order;
    std::vector<int> counts;
    Layout layout;
  };

  const Group& group(int g) const { return tree_.groups[static_cast<std::size_t>(g)]; }

  std::vector<int> way_up(int g) const {
    std::vector<int> way;
    for (; g >= 0; g = group(g).parent) way.push_back(g);
    std::ranges::reverse(way);
    return way;
  }

  // A line between two groups goes out of the scopes around one and into those around the other, as
  // far as these are open.
  void add_flow(int from, int to, int count) {
    const std::vector<int> out = way_up(from), in = way_up(to);
    std::size_t common = 0;
    while (common + 1 < out.size() && common + 1 < in.size() && out[common + 1] == in[common + 1] &&
           group(out[common + 1]).open)
      ++common;
    if (common + 1 >= out.size() || common + 1 >= in.size()) return;
    if (out[common + 1] == in[common + 1]) return;  // inside of a closed one
    inside_[out[common]].edges[{out[common + 1], in[common + 1]}] += count;
    for (std::size_t i = common + 1; i + 1 < out.size() && group(out[i]).open; ++i)
      inside_[out[i]].edges[{out[i + 1], kBottom}] += count;
    for (std::size_t i = common + 1; i + 1 < in.size() && group(in[i]).open; ++i)
      inside_[in[i]].edges[{kTop, in[i + 1]}] += count;
  }

  BoxKind kind_of(int g) const {
    if (group(g).open) return BoxKind::open_scope;
    if (group(g).is_scope()) return BoxKind::scope;
    if (graph_.node(group(g).node).op().starts_with("Placeholder")) return BoxKind::input;
    return read_.contains(g) || !reads_.contains(g) ? BoxKind::node : BoxKind::output;
  }

  std::vector<std::string> words(int g) const {
    const Group& what = group(g);
    std::vector<std::string> lines{shortened(what.name)};
    if (what.is_scope()) {
      std::string line = plural(what.nodes, "node");
      if (what.parameters > 0) line += ", " + count_text(what.parameters) + " weights";
      if (what.open)
        lines[0] += "  " + line;
      else
        lines.push_back(line);
      return lines;
    }
    const auto& node = graph_.node(what.node);
    std::string op = node.op();
    if (const auto shape = node.attr().find("shape"); op.starts_with("Placeholder") &&
                                                      shape != node.attr().end() &&
                                                      !shape->second.shape().unknown_rank()) {
      std::vector<std::string> sizes;
      for (const auto& dim : shape->second.shape().dim())
        sizes.push_back(dim.size() < 0 ? "?" : str_cat(dim.size()));
      op += " [" + join(sizes, ",") + "]";
    }
    if (!what.detail.empty()) op += " " + what.detail;
    if (op != what.name) lines.push_back(op);
    return lines;
  }

  Size measure(int g) {
    std::size_t letters = 0;
    const auto lines = words(g);
    for (const std::string& line : lines) letters = std::max(letters, line.size());
    const double wide = static_cast<double>(letters) * kLetterWidth + 16;
    if (!group(g).open) return {wide, static_cast<double>(lines.size()) * kLineHeight + 10};
    Inside& inside = inside_[g];
    inside.members = group(g).children;
    const auto has = [&](int end) {
      return std::ranges::any_of(inside.edges, [&](const auto& edge) {
        return edge.first.first == end || edge.first.second == end;
      });
    };
    for (const int end : {kTop, kBottom})
      if (has(end)) inside.members.push_back(end);
    std::unordered_map<int, int> index;
    std::vector<Size> sizes;
    for (const int member : inside.members) {
      index[member] = static_cast<int>(sizes.size());
      sizes.push_back(member < 0 ? Size{} : measure(member));
    }
    for (const auto& [edge, count] : inside.edges) {
      inside.order.emplace_back(index.at(edge.first), index.at(edge.second));
      inside.counts.push_back(count);
    }
    inside.layout = layered_layout(sizes, inside.order);
    sizes_[g] = sizes;
    return {std::max(inside.layout.size.width + 2 * kMargin, g == 0 ? 0 : wide),
            inside.layout.size.height + (g == 0 ? 0 : kHead) + 2 * kMargin};
  }

  void emit(int g, Point corner) {
    const Inside& inside = inside_.at(g);
    const double room = g == 0 ? inside.layout.size.width + 2 * kMargin : width_of(g, inside);
    const Point origin{corner.x + (room - inside.layout.size.width) / 2,
                       corner.y + kMargin + (g == 0 ? 0 : kHead)};
    const std::vector<Size>& sizes = sizes_.at(g);
    for (std::size_t i = 0; i < inside.members.size(); ++i) {
      const int member = inside.members[i];
      if (member < 0) continue;
      const Point place{origin.x + inside.layout.places[i].x, origin.y + inside.layout.places[i].y};
      drawing_.boxes.push_back({place.x, place.y, sizes[i].width, sizes[i].height, kind_of(member),
                                words(member), group(member).path});
      if (group(member).open) emit(member, place);
    }
    for (std::size_t e = 0; e < inside.order.size(); ++e) {
      Line line{.points = inside.layout.routes[e], .arrow = true, .tensors = inside.counts[e]};
      for (Point& point : line.points) point = {point.x + origin.x, point.y + origin.y};
      const int from = inside.members[static_cast<std::size_t>(inside.order[e].first)];
      const int to = inside.members[static_cast<std::size_t>(inside.order[e].second)];
      // Lines of the scopes around end and begin in the middle of its edges.
      const double middle = corner.x + width_of(g, inside) / 2;
      if (from == kTop && !line.points.empty())
        line.points.insert(line.points.begin(), {middle, corner.y});
      if (to == kBottom && !line.points.empty()) {
        line.points.push_back({middle, corner.y + height_of(g, inside)});
        line.arrow = false;
      }
      drawing_.lines.push_back(std::move(line));
    }
  }

  double width_of(int g, const Inside& inside) const {
    const double head = static_cast<double>(words(g)[0].size()) * kLetterWidth + 16;
    return std::max(inside.layout.size.width + 2 * kMargin, head);
  }
  double height_of(int g, const Inside& inside) const {
    return inside.layout.size.height + (g == 0 ? 0 : kHead) + 2 * kMargin;
  }

  const tensorflow::GraphDef& graph_;
  const ScopeTree& tree_;
  std::unordered_map<int, Inside> inside_;
  std::unordered_map<int, std::vector<Size>> sizes_;
  std::unordered_map<int, bool> read_, reads_;
  Drawing drawing_;
};

}  // namespace

Drawing draw(const tensorflow::GraphDef& graph, const Options& options) {
  ScopeTree tree = make_scope_tree(graph, options);
  open_scopes(tree, options.boxes);
  Drawing drawing = Artist(graph, tree).draw();
  drawing.title = options.title;
  const Group& all = tree.groups[0];
  drawing.remark =
      str_cat(plural(graph.node_size(), "node"), ", ", plural(all.parameters, "weight"));
  std::vector<std::string> left_out;
  for (const auto& [scope, count] : tree.left_out) left_out.push_back(scope);
  if (!left_out.empty()) drawing.remark += "; not shown: " + join(left_out, ", ");
  return drawing;
}

}  // namespace rill::picture
