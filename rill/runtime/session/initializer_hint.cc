#include "rill/runtime/session/initializer_hint.h"

namespace rill {
namespace {

// The word behind `start`, which ends before a space; "" where the message begins otherwise.
std::string_view word_behind(std::string_view message, std::string_view start) {
  if (!message.starts_with(start)) return {};
  message.remove_prefix(start.size());
  return message.substr(0, message.find_first_of(" \n\t"));
}

std::string_view uninitialized_variable(std::string_view message) {
  const auto name = word_behind(message, "Attempting to use uninitialized value ");
  return name.empty() ? word_behind(message, "Error while reading resource variable ") : name;
}

std::string initializer_of(Graph& graph, std::string_view variable) {
  if (const auto find = graph.attached<InitializerHints>().find.load())
    if (std::string known = find(graph, variable); !known.empty()) return known;
  const std::string assign = str_cat(variable, "/Assign");
  return graph.find(assign) == nullptr ? "" : str_cat("its initializer, the operation ", assign);
}

}  // namespace

std::string initializer_hint(const Error& error, Graph& graph) {
  if (error.code() != Code::kFailedPrecondition) return "";
  std::string initializer;
  if (const auto variable = uninitialized_variable(error.message()); !variable.empty())
    initializer = initializer_of(graph, variable);
  else if (std::string_view(error.message()).starts_with("Table not initialized."))
    initializer = "tf.tables_initializer()";
  return initializer.empty() ? "" : str_cat("\n\t Run ", initializer, " in this session first.");
}

}  // namespace rill
