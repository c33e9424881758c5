#include "tests/script/program.h"

#include "rill/base/error.h"
#include "rill/ops/register.h"
#include "tests/script/attribute.h"
#include "tests/script/literal.h"

namespace rill::script {
namespace {

// "after a b" and "on /cpu:0" stand behind the expression but hold while it is made.
Scope with_clauses(const Scope& scope, std::string_view clauses, const Graph& graph) {
  Scanner in(clauses);
  Scope result = scope;
  if (in.take_word("after")) {
    std::vector<Node*> before;
    while (!in.peek_name().empty() && in.peek_name() != "on")
      before.push_back(&graph.at(in.name()));
    result = result.with_control(before);
  }
  if (in.take_word("on")) {
    result = result.on_device(std::string(strip(in.rest())));
    return result;
  }
  if (!in.at_end()) in.fail("after, on or the end");
  return result;
}

// Where the expression at the start of `text` ends: behind its closing parenthesis.
std::size_t expression_size(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    if (quoted) continue;
    if (c == '(') ++depth;
    if (c == ')' && --depth == 0) return i + 1;
  }
  return text.size();
}

bool to_bool(const std::string& word) {
  require(word == "true" || word == "false", "expected true or false, not ", word);
  return word == "true";
}

void set_option(const std::string& name, const std::string& value, SessionOptions* options) {
  if (name == "fold") {
    options->fold = to_bool(value);
  } else if (name == "share") {
    options->share = to_bool(value);
  } else if (name == "simplify") {
    options->simplify = to_bool(value);
  } else if (name == "timeout_ms") {
    long long ms = 0;
    require(parse_int(value, &ms), "not a number: ", value);
    options->timeout_ms = ms;
  } else {
    raise(Code::kInvalidArgument, "no such option: ", name);
  }
}

}  // namespace

Program::Program(SessionOptions options)
    : options_(std::move(options)),
      graph_(std::make_shared<Graph>(standard_ops())),
      scope_(*graph_),
      session_(std::make_unique<Session>(graph_, options_)) {}

std::vector<Tensor> Program::execute(std::string_view statement) {
  Scanner in(statement);
  if (in.take_word("run")) return run(in);
  if (in.take_word("node")) {
    add_node(in);
  } else if (in.take_word("input")) {
    change_input(in);
  } else if (in.take_word("session")) {
    open_session(in);
  } else if (in.take_word("reset")) {
    reset(in);
  } else {
    in.fail("node, input, run, session or reset");
  }
  return {};
}

void Program::add_node(Scanner& in) {
  const std::string name = in.name();
  in.expect("=");
  const std::string op = in.name();
  const std::size_t size = expression_size(in.rest());
  Scanner arguments(in.rest().substr(0, size));
  call(with_clauses(scope_, in.rest().substr(size), *graph_), arguments, op, name);
}

// Loops are closed behind the nodes that they run through: input merge:1 = next.
void Program::change_input(Scanner& in) {
  Node& node = graph_->at(in.name());
  in.expect(":");
  long long index = 0;
  require(parse_int(in.number(), &index) && index < node.input_count(), "no such input");
  in.expect("=");
  graph_->set_input(node, static_cast<int>(index), expression(scope_, in));
}

Node& Program::call(Scope scope, Scanner& in, const std::string& op_name, std::string_view name) {
  const Op& op = graph_->registry().at(op_name);
  std::vector<InputArg> inputs;
  AttrMap attrs;
  in.expect("(");
  while (!in.take(")")) {
    const AttrSpec* attr = op.find_attr(in.peek_name());
    Scanner ahead = in;
    if (attr != nullptr && (ahead.name(), ahead.take("="))) {
      in = ahead;
      attrs.insert_or_assign(attr->name, parse_attribute(*attr, in));
    } else {
      inputs.push_back(argument(scope, in));
    }
    if (in.peek() != ')') in.expect(",");
  }
  return scope.add(op, std::move(inputs), std::move(attrs), name);
}

InputArg Program::argument(const Scope& scope, Scanner& in) {
  if (!in.take("(")) return input(scope, in);
  std::vector<Input> items;
  while (!in.take(")")) {
    items.push_back(input(scope, in));
    in.take(",");
  }
  return items;
}

Input Program::input(const Scope& scope, Scanner& in) {
  if (!starts_literal(in)) return expression(scope, in);
  return Input(Input::MakeValue(
      [literal = parse_literal(in)](DType wanted) { return literal.tensor(wanted); }));
}

// A node by name, "name:1", or an op called on the spot. A node without outputs has index -1.
Output Program::expression(const Scope& scope, Scanner& in) {
  const std::string name = in.name();
  if (in.peek() == '(') {
    Node& node = call(scope, in, name, {});
    return {&node, node.output_count() == 0 ? -1 : 0};
  }
  Node& node = graph_->at(name);
  if (!in.take(":")) return {&node, node.output_count() == 0 ? -1 : 0};
  return graph_->tensor(str_cat(name, ":", in.number()));
}

std::vector<Feed> Program::feeds(Scanner& in) {
  std::vector<Feed> result;
  if (!in.take_word("feed")) return result;
  do {
    const std::string name = in.name();
    const std::string index = in.take(":") ? in.number() : "0";
    in.expect("=");
    const Output target = graph_->tensor(str_cat(name, ":", index));
    result.push_back({target, parse_literal(in).tensor(base_type(target.dtype()))});
  } while (in.take(","));
  return result;
}

std::vector<Tensor> Program::run(Scanner& in) {
  std::vector<Output> fetches;
  std::vector<Node*> targets;
  do {
    const Output wanted = expression(scope_, in);
    if (wanted.index < 0)
      targets.push_back(wanted.node);
    else
      fetches.push_back(wanted);
  } while (in.take(","));
  const std::vector<Feed> fed = feeds(in);
  if (!in.at_end()) in.fail("feed or the end");
  return session_->run(fed, fetches, targets);
}

void Program::open_session(Scanner& in) {
  while (!in.at_end()) {
    const std::string name = in.name();
    in.expect("=");
    set_option(name, in.number(), &options_);
  }
  session_ = std::make_unique<Session>(graph_, options_);
}

void Program::reset(Scanner& in) {
  std::vector<std::string> containers;
  while (!in.at_end()) containers.push_back(in.name());
  Session::reset(containers);
}

}  // namespace rill::script
