#include "rill/api/debugging/rank_assertions.h"

#include <algorithm>
#include <functional>

#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/texts.h"
#include "rill/api/debugging/type_checks.h"
#include "rill/graph/builders.h"
#include "rill/graph/flow_builders.h"

namespace rill::debugging {
namespace {

// What differs between the three assertions.
struct RankRule {
  const char* scope;
  const char* words;  // "must have rank ..."
  // Whether a known rank of x fits known ranks.
  bool (*fits)(int own, const std::vector<int>& wanted);
  // The condition for the ranks as tensors.
  Output (*condition)(Output own, const std::vector<Output>& wanted);
};

constexpr RankRule kExactly{
    "assert_rank", "rank", [](int own, const std::vector<int>& wanted) { return own == wanted[0]; },
    [](Output own, const std::vector<Output>& wanted) {
      return current_scope().add("Equal", {own, wanted[0]}).output();
    }};

constexpr RankRule kAtLeast{
    "assert_rank_at_least", "rank at least",
    [](int own, const std::vector<int>& wanted) { return own >= wanted[0]; },
    [](Output own, const std::vector<Output>& wanted) {
      return current_scope().add("GreaterEqual", {own, wanted[0]}).output();
    }};

constexpr RankRule kOneOf{"assert_rank_in", "rank in",
                          [](int own, const std::vector<int>& wanted) {
                            return std::ranges::find(wanted, own) != wanted.end();
                          },
                          [](Output own, const std::vector<Output>& wanted) {
                            std::vector<Output> equal;
                            for (const Output& rank : wanted)
                              equal.push_back(current_scope().add("Equal", {rank, own}).output());
                            Output any = equal[0];
                            for (std::size_t i = 1; i < equal.size(); ++i)
                              any = current_scope().add("LogicalOr", {any, equal[i]}).output();
                            return any;
                          }};

std::string ranks_text(const std::vector<int>& ranks) {
  if (ranks.size() == 1) return std::to_string(ranks[0]);
  std::vector<std::string> texts;
  for (const int rank : ranks) texts.push_back(std::to_string(rank));
  return "(" + join(texts, ", ") + ")";
}

// The known values of all ranks; none where one is not known.
std::vector<int> known_ranks(const std::vector<Output>& ranks) {
  std::vector<int> values;
  bool all = true;
  for (const Output& rank : ranks) {
    const Tensor* value = constant_value(rank);
    all = all && value != nullptr;
    if (value == nullptr) continue;
    require(value->shape().rank() == 0, "Rank must be a scalar.");
    values.push_back(*value->data<std::int32_t>());
  }
  return all ? values : std::vector<int>();
}

// Where a rank is only known in the step, it must be a scalar there.
Output after_rank_checks(Output condition, const std::vector<Output>& ranks,
                         std::source_location at) {
  for (const Output& rank : ranks) {
    if (constant_value(rank) != nullptr) continue;
    AssertionOptions options{
        .data = std::vector<Input>{"Rank must be a scalar. Received rank: ", rank}};
    Node& is_scalar = assert_rank(rank, 0, options, at);
    condition = with_dependency(current_scope(), is_scalar, condition);
  }
  return condition;
}

Node& check_rank(const RankRule& rule, const Input& x, const Inputs& wanted,
                 const AssertionOptions& options, std::source_location at) {
  const Block in(options.name, rule.scope, at);
  Scope& scope = current_scope();
  const Output tensor = as_tensor(x, "x");
  std::vector<Output> ranks;
  for (const Input& rank : wanted) ranks.push_back(as_tensor(rank, "rank"));
  const std::string prefix = message_prefix(options.message);
  std::vector<Input> data;
  if (options.data) {
    data = *options.data;
  } else {
    data = {prefix, str_cat("Tensor ", tensor, " must have ", rule.words)};
    data.insert(data.end(), ranks.begin(), ranks.end());
    data.emplace_back("Received shape: ");
    data.emplace_back(shape_of(scope, tensor));
  }
  for (const Output& rank : ranks) assert_type(rank, DType::i32);
  const std::vector<int> known = known_ranks(ranks);
  if (!known.empty() && tensor.shape().has_rank()) {
    const int own = tensor.shape().rank();
    require(rule.fits(own, known), prefix, "Tensor ", tensor, " must have ", rule.words, " ",
            ranks_text(known), ".  Received rank ", own, ", shape ", shape_text(tensor.shape()));
    return scope.add("NoOp", {}, {}, "static_checks_determined_all_ok");
  }
  const Output condition = rule.condition(rill::rank(tensor), ranks);
  return add_assert(scope, after_rank_checks(condition, ranks, at), data,
                    options.summarize.value_or(3));
}

}  // namespace

Node& assert_rank(const Input& x, const Input& rank, const AssertionOptions& options,
                  std::source_location at) {
  return check_rank(kExactly, x, {rank}, options, at);
}

Node& assert_rank_at_least(const Input& x, const Input& rank, const AssertionOptions& options,
                           std::source_location at) {
  return check_rank(kAtLeast, x, {rank}, options, at);
}

Node& assert_rank_in(const Input& x, const Inputs& ranks, const AssertionOptions& options,
                     std::source_location at) {
  require(!ranks.empty(), "assert_rank_in needs at least one rank");
  return check_rank(kOneOf, x, ranks, options, at);
}

Output assert_scalar(const Input& tensor, const AssertScalarOptions& options,
                     std::source_location at) {
  Scope scope = here(at);
  const Output given = tensor.as_output(
      scope, options.name.empty() ? "assert_scalar" : options.name, DType::invalid);
  require(given.shape().has_rank() && given.shape().rank() == 0, message_prefix(options.message),
          "Expected scalar shape for ", given, ", saw shape: ", shape_text(given.shape()), ".");
  return given;
}

}  // namespace rill::debugging
