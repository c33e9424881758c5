#include "tools/opgen/plain_table.h"

#include <filesystem>

#include "rill/base/error.h"
#include "rill/base/text.h"
#include "tools/opgen/fact_tables.h"

namespace rill::opgen {
namespace {

namespace fs = std::filesystem;
using Row = std::vector<std::string>;

// What the table of TensorFlow's names knows of one function.
struct Fact {
  std::string signature;
  std::vector<std::string> aliases;
};

std::map<std::string, Fact> python_facts() {
  constexpr std::string_view kTop = "tf.";
  std::map<std::string, Fact> facts;
  for (const Row& row : table_rows("tests/facts/tf1_python_api.tsv")) {
    if (row.size() < 4 || row[1] != "function") continue;
    const std::string path = row[0].substr(kTop.size());
    if (row[3].empty())
      facts[path].signature = row[2];
    else
      facts[row[3].substr(kTop.size())].aliases.push_back(path);
  }
  return facts;
}

// "(a, b=[1, 2], name=None)" in its parts; commas inside brackets do not count.
std::vector<std::string> parameter_texts(std::string_view signature) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : signature.substr(1, signature.size() - 2)) {
    depth += (c == '[' || c == '(') - (c == ']' || c == ')');
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else if (c != ' ' || !parts.back().empty())
      parts.back() += c;
  }
  if (parts.back().empty()) parts.pop_back();
  return parts;
}

std::string op_argument(const PlainFunction& f, const std::string& parameter) {
  for (const std::string_view rename : split(f.renames, ' ')) {
    const std::size_t equals = rename.find('=');
    if (equals != rename.npos && rename.substr(0, equals) == parameter)
      return std::string(rename.substr(equals + 1));
  }
  return parameter;
}

PlainParameter parameter(const PlainFunction& f, const std::string& text) {
  const std::size_t equals = text.find('=');
  PlainParameter p{text.substr(0, equals), {}};
  if (equals != text.npos) p.default_text = text.substr(equals + 1);
  const std::string argument = op_argument(f, p.name);
  p.input = f.op->find_input(argument);
  if (p.input == nullptr) p.attr = f.op->find_attr(argument);
  require(p.input != nullptr || p.attr != nullptr, "plain op ", f.path, ": ", f.op->name,
          " has no argument ", argument);
  require(p.input == nullptr || p.default_text != "None", "plain op ", f.path,
          ": a default of None cannot become the input ", argument);
  return p;
}

void check_complete(const PlainFunction& f) {
  const auto given = [&](const void* part) {
    for (const PlainParameter& p : f.parameters)
      if (p.input == part || p.attr == part) return true;
    return false;
  };
  for (const Arg& input : f.op->inputs)
    require(given(&input), "plain op ", f.path, ": nothing is given for ", input.name);
  for (const AttrSpec& attr : f.op->attrs)
    require(given(&attr) || attr.default_value || f.op->is_inferred(attr.name), "plain op ", f.path,
            ": nothing is given for ", attr.name);
}

PlainFunction function_of(const Row& row, const Op& op, const std::map<std::string, Fact>& facts) {
  const auto fact = facts.find(row[0]);
  require(fact != facts.end() && !fact->second.signature.empty(), "plain op ", row[0],
          ": TensorFlow has no function of that name, or it is another name");
  PlainFunction f{row[0],
                  fact->second.aliases,
                  fact->second.signature,
                  row.size() > 2 ? row[2] : "",
                  row.size() > 3 ? row[3] : "",
                  &op,
                  {}};
  for (const std::string& text : parameter_texts(f.signature))
    if (!text.starts_with("name=")) f.parameters.push_back(parameter(f, text));
  check_complete(f);
  return f;
}

}  // namespace

std::map<std::string, std::vector<PlainFunction>> plain_functions(const Registry& registry) {
  const auto facts = python_facts();
  const auto known = tensorflow_op_names();
  std::map<std::string, std::vector<PlainFunction>> families;
  for (const auto& entry : fs::directory_iterator("rill/api/plain_ops")) {
    if (entry.path().extension() != ".tsv") continue;
    auto& functions = families[entry.path().stem().string()];
    for (const Row& row : table_rows(entry.path())) {
      require(row.size() >= 2 && known.contains(row[1]), entry.path().string(), ": \"", row[0],
              "\" names no op of TensorFlow");
      const Op* op = registry.find(row[1]);
      require(op != nullptr, entry.path().string(), ": \"", row[0], "\" needs the op ", row[1],
              ", which is not declared");
      functions.push_back(function_of(row, *op, facts));
    }
  }
  return families;
}

}  // namespace rill::opgen
