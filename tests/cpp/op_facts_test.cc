// Every declared op against TensorFlow 1.15's: arguments, attributes, defaults and flags.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "rill/ops/register.h"

namespace rill {
namespace {

// One value as the table writes it.
struct ValueText {
  std::string operator()(std::monostate) const { return "none"; }
  std::string operator()(const std::string& s) const { return rill::quoted(s); }
  std::string operator()(std::int64_t i) const { return str_cat(i); }
  std::string operator()(bool b) const { return b ? "true" : "false"; }
  std::string operator()(DType t) const { return to_text(t); }
  std::string operator()(const Tensor& t) const {
    std::string elements = summary(t);  // in brackets
    elements = elements.substr(1, elements.size() - 2);
    return str_cat("tensor(", t.dtype(), t.shape(), ": ", elements, ")");
  }
  std::string operator()(const FuncName& f) const { return f.name; }
  std::string operator()(const AttrPlaceholder& p) const { return p.name; }
  std::string operator()(float f) const {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%g", f);
    return digits;
  }
  std::string operator()(const PartialShape& shape) const {
    return shape.has_rank() ? to_text(shape) : "?";
  }
  template <class T>
  std::string operator()(const std::vector<T>& items) const {
    std::vector<std::string> all;
    for (const auto& item : items) all.push_back((*this)(T(item)));
    return str_cat("[", join(all, ","), "]");
  }
};

std::string allowed_text(std::vector<std::string> allowed) {
  if (allowed.empty()) return "";
  std::sort(allowed.begin(), allowed.end());
  return str_cat(" {", join(allowed, ","), "}");
}

std::string attr_text(const AttrSpec& attr) {
  std::string text = str_cat(attr.name, ":", attr.kind_text());
  if (attr.minimum) text += str_cat(">=", *attr.minimum);
  if (attr.default_value) text += "=" + std::visit(ValueText(), attr.default_value->storage());
  std::vector<std::string> allowed;
  for (const DType t : attr.allowed_types) allowed.push_back(to_text(t));
  for (const std::string& s : attr.allowed_strings) allowed.push_back(rill::quoted(s));
  return text + allowed_text(std::move(allowed));
}

std::string arg_text(const Arg& arg) {
  std::string type = !arg.type_list_attr.empty() ? arg.type_list_attr
                     : !arg.type_attr.empty()    ? arg.type_attr
                                                 : to_text(base_type(arg.type));
  if (!arg.number_attr.empty()) type = str_cat(arg.number_attr, "*", type);
  if (arg.is_ref) type = str_cat("Ref(", type, ")");
  return str_cat(arg.name, ":", type);
}

template <class T>
std::string list_of(const std::vector<T>& items, std::string (*text)(const T&)) {
  std::vector<std::string> all;
  for (const T& item : items) all.push_back(text(item));
  return join(all, "; ");
}

std::string flag_text(const Op& op) {
  std::vector<std::string> flags;
  if (op.has(kStateful)) flags.emplace_back("stateful");
  if (op.has(kCommutative)) flags.emplace_back("commutative");
  if (op.has(kAggregate)) flags.emplace_back("aggregate");
  if (op.has(kUninitializedOk)) flags.emplace_back("allows_uninitialized_input");
  return join(flags, ",");
}

// The order in which allowed values stand means nothing.
std::string with_sorted_sets(const std::string& text) {
  std::string result;
  std::size_t at = 0;
  for (std::size_t open; (open = text.find(" {", at)) != text.npos;) {
    const std::size_t close = text.find('}', open);
    std::vector<std::string> items;
    for (const std::string_view item :
         split(std::string_view(text).substr(open + 2, close - open - 2), ','))
      items.emplace_back(item);
    result += text.substr(at, open - at) + allowed_text(std::move(items));
    at = close + 1;
  }
  return result + text.substr(at);
}

struct Fact {
  std::string inputs, outputs, attrs, flags, deprecated, note;
};

void read_facts(const char* path, std::map<std::string, Fact>& facts) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::vector<std::string> cells;
    for (const std::string_view cell : split(line, '\t')) cells.emplace_back(cell);
    cells.resize(9);
    facts[cells[0]] = {cells[2], cells[3], with_sorted_sets(cells[4]),
                       cells[5], cells[6], cells[8]};
  }
}

// "stock: ATTRS" says what TensorFlow itself has where a vendor's build differs.
std::string stock_attrs(const Fact& fact) {
  constexpr std::string_view kStock = "stock: ";
  if (!fact.note.starts_with(kStock)) return fact.attrs;
  return with_sorted_sets(fact.note.substr(kStock.size()));
}

TEST(OpFacts, declarations_are_those_of_tensorflow) {
  std::map<std::string, Fact> facts;
  read_facts("tests/facts/tf1_ops.tsv", facts);
  read_facts("tests/facts/tf1_contrib_ops.tsv", facts);
  ASSERT_GT(facts.size(), 1200u);
  for (const Op* op : standard_ops().all()) {
    const auto it = facts.find(op->name);
    if (it == facts.end()) continue;  // newer than 1.15: tools/interop.py compares those
    const Fact& fact = it->second;
    SCOPED_TRACE(op->name);
    EXPECT_EQ(list_of(op->inputs, arg_text), fact.inputs);
    EXPECT_EQ(list_of(op->outputs, arg_text), fact.outputs);
    EXPECT_EQ(list_of(op->attrs, attr_text), stock_attrs(fact));
    EXPECT_EQ(flag_text(*op), fact.flags);
    EXPECT_EQ(op->deprecated == 0 ? "" : str_cat(op->deprecated), fact.deprecated);
  }
}

TEST(OpFacts, ops_without_a_gradient_say_so) {
  std::ifstream in("tests/facts/tf1_gradients.tsv");
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const auto cells = split(line, '\t');
    if (cells.size() < 2) continue;
    const Op* op = standard_ops().find(cells[0]);
    if (op == nullptr) continue;
    if (cells[1] == "not_differentiable")
      EXPECT_EQ(op->grad, &not_differentiable) << op->name;
    else
      EXPECT_TRUE(op->grad != nullptr && op->grad != not_differentiable)
          << op->name << " has a gradient in TensorFlow";
  }
}

TEST(OpFacts, pure_ops_are_not_stateful) {
  for (const Op* op : standard_ops().all())
    EXPECT_FALSE(op->has(kPure) && op->has(kStateful)) << op->name;
}

}  // namespace
}  // namespace rill
