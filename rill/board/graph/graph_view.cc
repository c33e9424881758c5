#include "rill/board/graph/graph_view.h"

#include <algorithm>
#include <map>

#include "rill/base/subscript.h"
#include "rill/base/text.h"

namespace rill::board {
namespace {

using layout::Point;
using layout::Size;

constexpr double kLetter = 7, kNodeHeight = 26, kScopeHeight = 34, kHead = 26, kMargin = 14;
constexpr std::size_t kLongestName = 26;
constexpr std::size_t kMany = 4000;  // boxes; more are laid out quickly
// Scopes and ops that stand beside the rest: what reads or feeds very much would tangle it.
constexpr std::string_view kAsideScopes[] = {"save", "init", "report_uninitialized_variables"};

// A line within one scope: from a member, or from what is around (-1), to a member or to that.
struct Bundle {
  int tensors = 0;
  bool is_control = true;  // all of them
  std::string label;
  bool is_mixed = false;  // labels differ
};
using Bundles = std::map<std::pair<int, int>, Bundle>;
constexpr int kAround = -1;

class Viewer {
 public:
  Viewer(const GraphModel& model, const ViewOptions& options)
      : model_(model), options_(options), groups_(model.groups()) {}

  GraphView view() {
    find_shown();
    sort_edges();
    trace();
    const Size size = measure(0);
    emit(0, {0, 0});
    view_.width = size.width;
    view_.height = size.height;
    return std::move(view_);
  }

 private:
  bool is_open(int g) const {
    const auto& group = groups_[at(g)];
    return group.is_scope() && (g == 0 || options_.opens_all || options_.open.contains(group.path));
  }
  bool is_aside(int g) const {
    const auto& group = groups_[at(g)];
    if (group.parent != 0) return false;
    if (group.node >= 0 && !group.is_scope() && model_.graph().node(group.node).op() == "NoOp")
      return true;
    return std::ranges::any_of(kAsideScopes, [&](std::string_view start) {
      return group.path.starts_with(start) &&
             group.path.find_first_not_of("_0123456789", start.size()) == std::string::npos;
    });
  }
  bool is_hidden(int g) const {
    const auto& group = groups_[at(g)];
    if (options_.shows_constants || group.is_scope() || group.node < 0) return false;
    const auto& node = model_.graph().node(group.node);
    return node.op() == "Const" && node.input_size() == 0;
  }

  // Which box stands for a group: itself, or the closed scope around it.
  void find_shown() {
    box_of_.assign(groups_.size(), 0);
    std::size_t count = 0;
    for (int g = 1; g < static_cast<int>(groups_.size()); ++g) {
      const int parent = groups_[at(g)].parent;
      box_of_[at(g)] = box_of_[at(parent)] == parent && is_open(parent) ? g : box_of_[at(parent)];
      count += box_of_[at(g)] == g ? 1 : 0;
    }
    has_many_ = count > kMany;
  }

  int member_of(int scope, int g) const {  // the child of `scope` around a group
    while (groups_[at(g)].parent != scope) g = groups_[at(g)].parent;
    return g;
  }
  int common_scope(int a, int b) const {
    while (a != b) {
      int& deeper = groups_[at(a)].depth >= groups_[at(b)].depth ? a : b;
      deeper = groups_[at(deeper)].parent;
    }
    return a;
  }

  void add_to(int scope, int from, int to, const GraphModel::Edge& edge, const std::string& label) {
    Bundle& bundle = bundles_[scope][{from, to}];
    if (!edge.is_control()) {
      bundle.is_mixed |= bundle.tensors > 0 && bundle.label != label;
      if (bundle.tensors == 0) bundle.label = label;
      ++bundle.tensors;
      bundle.is_control = false;
    }
  }

  // Each edge between boxes gives a line in the scope that holds both, and one in every open scope
  // that it leaves or enters on its way.
  void sort_edges() {
    for (const auto& edge : model_.edges()) {
      const int from = box_of_[at(model_.group_of(edge.from))];
      const int to = box_of_[at(model_.group_of(edge.to))];
      if (from == to || is_hidden(from) || is_hidden(to)) continue;
      // A node of the same name as an open scope around the other.
      const int common = common_scope(groups_[at(from)].parent, groups_[at(to)].parent);
      const int first = member_of(common, from), last = member_of(common, to);
      if (first == last || is_aside(first) || is_aside(last)) continue;
      const std::string label = model_.output_shape(edge);
      add_to(common, first, last, edge, label);
      for (int g = from; g != first; g = groups_[at(g)].parent)
        add_to(groups_[at(g)].parent, g, kAround, edge, label);
      for (int g = to; g != last; g = groups_[at(g)].parent)
        add_to(groups_[at(g)].parent, kAround, g, edge, label);
    }
  }

  void trace() {
    const int group = options_.trace.empty() ? -1 : model_.group_at(options_.trace);
    if (group < 0 || groups_[at(group)].node < 0) return;
    std::vector<std::vector<int>> inputs(at(model_.graph().node_size()));
    for (const auto& edge : model_.edges()) inputs[at(edge.to)].push_back(edge.from);
    std::vector<bool> is_known(inputs.size());
    std::vector<int> open{groups_[at(group)].node};
    is_known[at(open[0])] = true;
    while (!open.empty()) {
      const int node = open.back();
      open.pop_back();
      traced_.insert(box_of_[at(model_.group_of(node))]);
      for (const int input : inputs[at(node)])
        if (!is_known[at(input)]) {
          is_known[at(input)] = true;
          open.push_back(input);
        }
    }
  }

  struct Inside {
    std::vector<int> members, aside;
    layout::Layout layout;
    std::vector<std::pair<int, int>> order;  // of the lines, by positions
    std::vector<const Bundle*> bundles;
    std::vector<Size> sizes, aside_sizes;
    double aside_left = 0;
    Size size;
  };

  Size measure(int g) {
    const auto& group = groups_[at(g)];
    const double letters =
        static_cast<double>(std::min(group.name.size(), kLongestName)) * kLetter + 24;
    if (!is_open(g))
      return {std::max(letters, 60.0), group.is_scope() ? kScopeHeight : kNodeHeight};
    Inside inside;
    for (const int child : group.children) {
      if (is_hidden(child)) continue;
      (is_aside(child) ? inside.aside : inside.members).push_back(child);
    }
    // A scope that is a node itself has that among its members.
    std::map<int, int> position;
    for (const int member : inside.members) {
      position[member] = static_cast<int>(inside.sizes.size());
      inside.sizes.push_back(measure(member));
    }
    const auto count = static_cast<int>(inside.sizes.size());
    inside.sizes.push_back({});  // what comes in
    inside.sizes.push_back({});  // what goes out
    if (const auto found = bundles_.find(g); found != bundles_.end())
      for (const auto& [ends, bundle] : found->second) {
        const int from = ends.first == kAround ? count : position.at(ends.first);
        const int to = ends.second == kAround ? count + 1 : position.at(ends.second);
        inside.order.emplace_back(from, to);
        inside.bundles.push_back(&bundle);
      }
    inside.layout = layout::layered_layout(inside.sizes, inside.order, {.is_quick = has_many_});
    Size size = inside.layout.size;
    inside.aside_left = size.width + 3 * kMargin;
    double y = 0, widest = 0;
    for (const int child : inside.aside) {
      inside.aside_sizes.push_back(measure(child));
      y += inside.aside_sizes.back().height + kMargin;
      widest = std::max(widest, inside.aside_sizes.back().width);
    }
    if (!inside.aside.empty()) size = {inside.aside_left + widest, std::max(size.height, y)};
    inside.size = size;
    const double head = g == 0 ? kMargin : kHead;
    const Size whole{std::max(size.width + 2 * kMargin, letters), size.height + head + kMargin};
    inside_.emplace(g, std::move(inside));
    return whole;
  }

  void add_box(int g, Point corner, Size size, GraphView::BoxKind kind, bool aside) {
    view_.boxes.push_back({.x = corner.x,
                           .y = corner.y,
                           .width = size.width,
                           .height = size.height,
                           .kind = kind,
                           .group = g,
                           .is_aside = aside,
                           .is_traced = traced_.contains(g)});
  }

  void emit_member(int g, Point corner, Size size, bool aside) {
    using Kind = GraphView::BoxKind;
    const bool open = is_open(g);
    add_box(g, corner, size,
            open                        ? Kind::kOpenScope
            : groups_[at(g)].is_scope() ? Kind::kScope
                                        : Kind::kNode,
            aside);
    if (open) emit(g, corner);
  }

  // What is in an open scope whose corner is there.
  void emit(int g, Point corner) {
    const Inside& inside = inside_.at(g);
    const Point origin{corner.x + kMargin, corner.y + (g == 0 ? kMargin : kHead)};
    for (std::size_t i = 0; i < inside.members.size(); ++i)
      emit_member(inside.members[i],
                  {origin.x + inside.layout.places[i].x, origin.y + inside.layout.places[i].y},
                  inside.sizes[i], false);
    double y = origin.y;
    for (std::size_t i = 0; i < inside.aside.size(); ++i) {
      emit_member(inside.aside[i], {origin.x + inside.aside_left, y}, inside.aside_sizes[i], true);
      y += inside.aside_sizes[i].height + kMargin;
    }
    const int count = static_cast<int>(inside.members.size());
    const auto group = [&](int position) {
      return position < count ? inside.members[at(position)] : g;
    };
    for (std::size_t i = 0; i < inside.order.size(); ++i) {
      const Bundle& bundle = *inside.bundles[i];
      GraphView::Line line{.points = inside.layout.routes[i],
                           .is_control = bundle.is_control,
                           .tensors = std::max(bundle.tensors, 1),
                           .label = bundle.is_mixed ? "" : bundle.label,
                           .from = group(inside.order[i].first),
                           .to = group(inside.order[i].second)};
      for (Point& point : line.points) point = {point.x + origin.x, point.y + origin.y};
      // What is around begins at the scope's edge.
      const auto [from, to] = inside.order[i];
      if (from == count && !line.points.empty())
        line.points.insert(line.points.begin(), {line.points.front().x, corner.y});
      if (to == count + 1 && !line.points.empty())
        line.points.push_back(
            {line.points.back().x, corner.y + inside.size.height + kHead + kMargin});
      view_.lines.push_back(std::move(line));
    }
  }

  const GraphModel& model_;
  const ViewOptions& options_;
  const std::vector<GraphModel::Group>& groups_;
  std::vector<int> box_of_;
  bool has_many_ = false;                     // boxes
  std::unordered_map<int, Bundles> bundles_;  // by scope
  std::set<int> traced_;
  std::unordered_map<int, Inside> inside_;
  GraphView view_;
};

}  // namespace

GraphView view_graph(const GraphModel& model, const ViewOptions& options) {
  return Viewer(model, options).view();
}

}  // namespace rill::board
