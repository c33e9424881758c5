#include <algorithm>

#include "rill/graph/graph.h"

namespace rill {
namespace {

bool is_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_scope_char(char c) {
  return is_alnum(c) || c == '_' || c == '.' || c == '-' || c == '/' || c == '\\' || c == '>';
}

}  // namespace

bool is_valid_scope_name(std::string_view name) { return std::ranges::all_of(name, is_scope_char); }

bool is_valid_node_name(std::string_view name) {
  return !name.empty() && (is_alnum(name[0]) || name[0] == '.') &&
         std::ranges::all_of(name, [](char c) { return is_scope_char(c) && c != '\\'; });
}

std::string Graph::unique_name(std::string_view full_name, bool reserve) {
  const std::lock_guard lock(index_mutex_);
  std::string key = lower(full_name);
  const auto found = used_names_.find(key);
  const int uses = found == used_names_.end() ? 0 : found->second;
  if (reserve) note_name(key, uses + 1);
  if (uses == 0) return std::string(full_name);
  int suffix = uses;
  std::string candidate = str_cat(key, "_", suffix);
  while (used_names_.contains(candidate)) candidate = str_cat(key, "_", ++suffix);
  if (reserve) note_name(candidate, 1);
  return str_cat(full_name, "_", suffix);
}

}  // namespace rill
