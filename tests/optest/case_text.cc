#include "tests/optest/case_text.h"

#include "rill/base/error.h"
#include "rill/ops/register.h"
#include "tests/optest/case_body.h"
#include "tests/optest/case_directory.h"
#include "tests/script/attribute.h"

namespace rill {
namespace {

using script::Scanner;

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// "V2" of "QueueSizeV2"; "" when the name says no version.
std::string_view version(std::string_view op) {
  const std::size_t at = op.size() < 2 ? 0 : op.size() - 2;
  return at > 0 && op[at] == 'V' && op[at + 1] >= '2' && op[at + 1] <= '9' ? op.substr(at) : "";
}

// Lines, joined where parentheses are open or a comma is at their ends.
std::vector<std::string_view> statements(std::string_view text) {
  std::vector<std::string_view> result;
  int depth = 0;
  bool quoted = false;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i == text.size() ? '\n' : text[i];
    if (c == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c != '\n') continue;
    const std::string_view line = strip(text.substr(start, i - start));
    if (i < text.size() && (depth > 0 || line.ends_with(','))) continue;
    if (!line.empty()) result.push_back(line);
    start = i + 1;
  }
  return result;
}

// "after a b" stands behind a statement but holds while its nodes are made.
std::string_view take_after(std::string_view line, std::vector<std::string>* after) {
  const std::size_t at = line.rfind(") after ");
  if (at == std::string_view::npos) return line;
  Scanner names(line.substr(at + 8));
  while (!names.at_end()) after->push_back(names.name());
  return line.substr(0, at + 1);
}

class Parser {
 public:
  explicit Parser(const OpCase& row)
      : row_(row), graph_(result_.def.mutable_node(), false), body_(&graph_) {}

  CaseText parse_case() {
    parse(row_.graph);
    require(has_case_, "no statement begins with 'case ='");
    return std::move(result_);
  }

  CaseText parse_plain() {
    for (std::size_t i = 0; i < row_.in.size(); ++i) {
      const CaseInput& input = row_.in[i];
      const bool is_list = input.kind == CaseInput::Kind::kList;
      for (std::size_t k = 0; k < input.values.size(); ++k)
        graph_.add_argument(is_list ? str_cat("in_", i, "_", k) : str_cat("in_", i),
                            input.values[k].dtype());
    }
    parse(row_.plain);
    return std::move(result_);
  }

 private:
  void parse(std::string text) {
    text = replaced(std::move(text), "$OP", row_.op);
    text = replaced(replaced(text, "$V", version(row_.op)), "$TMP", case_directory());
    for (const std::string_view line : statements(text)) {
      try {
        statement(line);
      } catch (const Error& error) {
        raise(error.code(), error.message(), ", in: ", line);
      }
    }
    result_.last = previous_;
  }

  void statement(std::string_view line) {
    after_.clear();
    line = take_after(line, &after_);
    Scanner in(line);
    if (in.take_word("function")) {
      function(in);
    } else if (in.take_word("fetch")) {
      do fetch(expression(in));
      while (in.take(","));
    } else if (in.take_word("elements")) {
      const BodyValue dataset = expression(in);
      elements(dataset, std::stoi(in.number()));
    } else {
      Scanner ahead = in;
      std::string name = ahead.name();
      if (ahead.take("="))
        in = ahead;
      else
        name = new_name();
      call(in, name);
    }
    if (!in.at_end()) in.fail("the end of the line");
  }

  std::string new_name() { return str_cat("node_", count_++); }

  // A node by name, "name:1", or an op called on the spot.
  BodyValue expression(Scanner& in) {
    Scanner ahead = in;
    const std::string name = ahead.name();
    if (ahead.peek() == '(') return call(in, new_name());
    in = ahead;
    return body_->output(name, in.take(":") ? std::stoi(in.number()) : 0);
  }

  BodyItem item(Scanner& in) {
    if (script::starts_literal(in)) return script::parse_literal(in);
    return expression(in);
  }

  BodyArgument argument(Scanner& in) {
    BodyArgument result;
    result.is_list = in.take("(");
    if (!result.is_list) {
      result.items.push_back(item(in));
      return result;
    }
    while (!in.take(")")) {
      result.items.push_back(item(in));
      in.take(",");
    }
    return result;
  }

  BodyValue call(Scanner& in, const std::string& name) {
    BodyCall call;
    call.op = &standard_ops().at(in.name());
    in.expect("(");
    while (!in.take(")")) {
      const AttrSpec* attr = call.op->find_attr(in.peek_name());
      Scanner ahead = in;
      if (attr != nullptr && (ahead.name(), ahead.take("="))) {
        in = ahead;
        call.attrs.insert_or_assign(attr->name, script::parse_attribute(*attr, in));
      } else {
        call.arguments.push_back(argument(in));
      }
      if (in.peek() != ')') in.expect(",");
    }
    return emit(name, std::move(call));
  }

  BodyValue emit(const std::string& name, BodyCall call) {
    body_->complete(call);
    if (body_ != &graph_) {
      body_->add(name, call);
      return body_->output(name, 0);
    }
    const bool is_ordered = CaseBody::is_ordered(call);
    call.after = after_;
    if (after_.empty() && is_ordered && !previous_.empty()) call.after = {previous_};
    if (is_ordered) previous_ = name;
    if (name == "case")
      set_case(call);
    else
      graph_.add(name, call);
    return graph_.output(name, 0);
  }

  void set_case(const BodyCall& call) {
    require(call.op->name == row_.op, "the case is ", call.op->name, ", the row is of ", row_.op);
    has_case_ = true;
    result_.after = call.after;
    result_.attrs = call.attrs;
    for (const auto& [name, value] : call.from_values) result_.attrs.erase(name);
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      result_.in.push_back(case_input(call, i));
    graph_.declare("case", call);
  }

  // Values are inputs that the commands may change; lists with nodes among them are all nodes.
  CaseInput case_input(const BodyCall& call, std::size_t i) {
    const BodyArgument& argument = call.arguments[i];
    std::vector<Tensor> values;
    std::vector<std::string> nodes;
    for (std::size_t k = 0; k < argument.items.size(); ++k) {
      if (const auto* value = std::get_if<BodyValue>(&argument.items[k])) {
        nodes.push_back(graph_.reference(*value));
        continue;
      }
      const auto& literal = std::get<script::Literal>(argument.items[k]);
      values.push_back(literal_value(literal, call.op->inputs[i], k, call.attrs));
      nodes.push_back(str_cat("case/in_", i, "_", k));
    }
    if (values.size() == nodes.size())
      return {argument.is_list ? CaseInput::Kind::kList : CaseInput::Kind::kValue, values};
    std::size_t at = 0;
    for (std::size_t k = 0; k < argument.items.size(); ++k)
      if (std::holds_alternative<script::Literal>(argument.items[k]))
        graph_.add_constant(nodes[k], values[at++]);
    return CaseInput(std::move(nodes));
  }

  void fetch(const BodyValue& value) {
    require(value.dtype != DType::invalid, value.node, " has no output ", value.index);
    result_.fetches.push_back(
        {graph_.reference(value), base_type(value.dtype), value.is_ordered ? previous_ : ""});
  }

  BodyValue emit_on(const char* op, std::vector<BodyValue> inputs, AttrMap attrs) {
    BodyCall call{.op = &standard_ops().at(op), .attrs = std::move(attrs)};
    for (BodyValue& input : inputs) call.arguments.push_back({false, {std::move(input)}});
    return emit(new_name(), std::move(call));
  }

  void elements(const BodyValue& dataset, int count) {
    const AttrMap kind = graph_.element_kind(dataset.node);
    AttrMap named = kind;
    named.emplace("shared_name", "");
    named.emplace("container", "");
    const BodyValue iterator = emit_on("IteratorV2", {}, named);
    emit_on("MakeIterator", {dataset, iterator}, {});
    for (int i = 0; i < count; ++i) {
      const BodyValue next = emit_on("IteratorGetNext", {iterator}, kind);
      const std::size_t parts = kind.find("output_types")->second.list_size();
      for (std::size_t k = 0; k < parts; ++k) {
        const BodyValue part = graph_.output(next.node, static_cast<int>(k));
        if (part.dtype != DType::variant) fetch(part);
      }
    }
    const BodyValue more = emit_on("IteratorGetNextAsOptional", {iterator}, kind);
    fetch(emit_on("OptionalHasValue", {more}, {}));
  }

  static DType type(Scanner& in) {
    const std::string word = in.name();
    DType dtype;
    require(parse_dtype(word, &dtype), "no such dtype: ", word);
    return dtype;
  }

  void function(Scanner& in) {
    tensorflow::FunctionDef& def = *result_.def.mutable_library()->add_function();
    def.mutable_signature()->set_name(in.name());
    CaseBody body(def.mutable_node_def(), true);
    in.expect("(");
    while (!in.take(")")) {
      tensorflow::OpDef::ArgDef& arg = *def.mutable_signature()->add_input_arg();
      arg.set_name(in.name());
      in.expect(":");
      const DType dtype = type(in);
      arg.set_type(static_cast<tensorflow::DataType>(dtype));
      body.add_argument(arg.name(), dtype);
      in.take(",");
    }
    in.expect("->");
    while (!in.take("=")) {
      tensorflow::OpDef::ArgDef& arg = *def.mutable_signature()->add_output_arg();
      arg.set_name(str_cat("out_", def.signature().output_arg_size() - 1));
      arg.set_type(static_cast<tensorflow::DataType>(type(in)));
      in.take(",");
    }
    body_ = &body;
    for (const auto& arg : def.signature().output_arg()) {
      (*def.mutable_ret())[arg.name()] = body.reference(expression(in));
      in.take(",");
    }
    body_ = &graph_;
    def.mutable_signature()->set_is_stateful(body.is_stateful());
  }

  const OpCase& row_;
  CaseText result_;
  CaseBody graph_;
  CaseBody* body_;                  // where nodes go: the graph or a function
  std::vector<std::string> after_;  // what the statement says that it waits for
  std::string previous_;            // what it waits for when it says nothing
  bool has_case_ = false;
  int count_ = 0;
};

}  // namespace

CaseText parse_case_text(const OpCase& row) { return Parser(row).parse_case(); }

CaseText parse_plain_text(const OpCase& row) { return Parser(row).parse_plain(); }

}  // namespace rill
