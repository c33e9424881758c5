#include "rill/graph/newer_ops.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "rill/base/text.h"
#include "rill/graph/attr_proto.h"
#include "rill/graph/graph_def.h"
#include "rill/graph/import_plan.h"

namespace rill {
namespace {

struct Diagonal {
  std::string_view newer, ours;
  int k;  // the input that says which diagonals
};
constexpr Diagonal kDiagonals[] = {{"MatrixDiagV3", "MatrixDiagV2", 1},
                                   {"MatrixDiagPartV3", "MatrixDiagPartV2", 1},
                                   {"MatrixSetDiagV3", "MatrixSetDiagV2", 2}};
constexpr std::string_view kSegmentOps[] = {
    "SparseSegmentMean",  "SparseSegmentMeanWithNumSegments",
    "SparseSegmentSqrtN", "SparseSegmentSqrtNWithNumSegments",
    "SparseSegmentSum",   "SparseSegmentSumWithNumSegments",
};
constexpr int kSegmentIds = 2;

const Diagonal* diagonal_op(const tensorflow::NodeDef& node) {
  const auto found = std::ranges::find(kDiagonals, std::string_view(node.op()), &Diagonal::newer);
  return found == std::end(kDiagonals) ? nullptr : found;
}

bool has_wide_ids(const tensorflow::NodeDef& node) {
  if (std::ranges::find(kSegmentOps, std::string_view(node.op())) == std::end(kSegmentOps))
    return false;
  const auto type = node.attr().find("Tsegmentids");
  return type != node.attr().end() && type->second.type() == tensorflow::DT_INT64 &&
         node.input_size() > kSegmentIds;
}

class Translation {
 public:
  explicit Translation(const tensorflow::GraphDef& def) : made_(def) {
    for (const auto& node : made_.node()) by_name_.emplace(node.name(), &node);
  }

  tensorflow::GraphDef run() {
    const int count = made_.node_size();  // without those that are added
    for (int i = 0; i < count; ++i) {
      tensorflow::NodeDef& node = *made_.mutable_node(i);
      if (const Diagonal* op = diagonal_op(node); op != nullptr && begins_on_the_left(node, *op))
        node.set_op(std::string(op->ours));
      if (has_wide_ids(node)) narrow_ids(node);
    }
    return std::move(made_);
  }

 private:
  // One diagonal fills its row, wherever it begins.
  bool begins_on_the_left(const tensorflow::NodeDef& node, const Diagonal& op) const {
    const auto align = node.attr().find("align");
    if (align != node.attr().end() && align->second.s() == "LEFT_LEFT") return true;
    if (node.input_size() <= op.k) return false;
    const auto [name, index] = split_input_name(node.input(op.k));
    const auto k = by_name_.find(std::string(name));
    if (index != 0 || k == by_name_.end() || k->second->op() != "Const") return false;
    const auto value = k->second->attr().find("value");
    if (value == k->second->attr().end()) return false;
    const AttrValue held = from_proto(value->second);
    const auto* which = held.get_if<Tensor>();
    if (which == nullptr || which->dtype() != DType::i32) return false;
    const auto numbers = which->flat<std::int32_t>();
    return !numbers.empty() &&
           std::ranges::all_of(numbers, [&](std::int32_t n) { return n == numbers.front(); });
  }

  void narrow_ids(tensorflow::NodeDef& reader) {
    std::string name = str_cat(reader.name(), "/segment_ids");
    while (by_name_.contains(name)) name += "_";
    tensorflow::NodeDef& cast = *made_.add_node();
    cast.set_name(name);
    cast.set_op("Cast");
    cast.set_device(reader.device());
    cast.add_input(reader.input(kSegmentIds));
    reader.set_input(kSegmentIds, name);
    (*cast.mutable_attr())["SrcT"].set_type(tensorflow::DT_INT64);
    (*cast.mutable_attr())["DstT"].set_type(tensorflow::DT_INT32);
    by_name_.emplace(name, &cast);
  }

  tensorflow::GraphDef made_;
  std::unordered_map<std::string, const tensorflow::NodeDef*> by_name_;
};

}  // namespace

std::optional<tensorflow::GraphDef> in_our_ops(const tensorflow::GraphDef& def) {
  if (def.versions().producer() <= kGraphDefVersion) return std::nullopt;
  const bool wants = std::ranges::any_of(def.node(), [](const tensorflow::NodeDef& node) {
    return diagonal_op(node) != nullptr || has_wide_ids(node);
  });
  if (!wants) return std::nullopt;
  return Translation(def).run();
}

}  // namespace rill
