#include "rill/ops/linalg/einsum_equation.h"

#include <algorithm>

#include "rill/base/error.h"

namespace rill {
namespace {

Subscripts parse_subscripts(std::string_view text) {
  const auto periods = std::count(text.begin(), text.end(), '.');
  const std::size_t at = text.find("...");
  require(periods == 0 || (periods == 3 && at != text.npos),
          "Expected at most one ellipsis (...), but found ", periods,
          " periods (.) in the input subscript: ", text);
  if (periods == 0) return {std::string(text), "", false};
  return {std::string(text.substr(0, at)), std::string(text.substr(at + 3)), true};
}

std::vector<Subscripts> parse_operands(std::string_view text) {
  std::vector<Subscripts> operands;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = text.find(',', begin);
    operands.push_back(parse_subscripts(text.substr(begin, comma - begin)));
    if (comma == text.npos) return operands;
    begin = comma + 1;
  }
}

int label_of(char c) { return static_cast<unsigned char>(c); }

}  // namespace

Labels Subscripts::labels(int covered) const {
  Labels all;
  for (const char c : before) all.push_back(label_of(c));
  for (int i = covered - 1; i >= 0; --i) all.push_back(kEllipsis + i);
  for (const char c : behind) all.push_back(label_of(c));
  return all;
}

Equation Equation::parse(std::string_view text, int operands) {
  const std::size_t arrow = text.find("->");
  require(arrow != text.npos && text.find("->", arrow + 2) == text.npos,
          "Expecting exactly one '->' in einsum equation: ", text);
  Equation equation{std::string(text), parse_operands(text.substr(0, arrow)),
                    parse_subscripts(text.substr(arrow + 2))};
  const auto count = static_cast<int>(equation.operands.size());
  require(count == 1 || count == 2, "Expecting 1 or 2 input subscripts in equation '", text,
          "' but got: ", count);
  require(count == operands, "Expected ", operands, " inputs but got: ", count,
          " in the equation '", text, "'");
  for (const char c : equation.result.before + equation.result.behind)
    require(std::any_of(equation.operands.begin(), equation.operands.end(),
                        [&](const Subscripts& s) {
                          return (s.before + s.behind).find(c) != std::string::npos;
                        }),
            "Einsum output subscripts for equation '", text, "' has label '", std::string(1, c),
            "' which is not present in the input subscripts");
  return equation;
}

Labels Equation::operand_labels(int i, int rank) const {
  const Subscripts& s = operands.at(static_cast<std::size_t>(i));
  if (!s.has_ellipsis)
    require(rank == s.named(), "Expected input ", i, " to have rank ", s.named(),
            " but got: ", rank, ". Shape must be rank ", s.named(), " but is rank ", rank,
            " for equation: ", text);
  require(rank >= s.named(), "Expected input ", i, " to have rank at least ", s.named(),
          " but got: ", rank, ". Shape must be at least rank ", s.named(), " but is rank ", rank,
          " for equation: ", text);
  return s.labels(rank - s.named());
}

Labels Equation::result_labels(int covered) const {
  require(result.has_ellipsis || covered == 0, "Output contains ", covered,
          " broadcasting dimension(s) but no ellipsis (...) was found in the output subscripts.");
  return result.labels(covered);
}

void LabelSizes::add(const Labels& labels, const PartialShape& shape) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const int label = labels[i];
    const std::int64_t size = shape.dim(static_cast<int>(i));
    if (label >= kEllipsis) covered_ = std::max(covered_, label - kEllipsis + 1);
    const auto [it, is_new] = sizes_.emplace(label, size);
    if (is_new) continue;
    std::int64_t& known = it->second;
    if (label >= kEllipsis && (known == 1 || size == 1)) {
      known = known == 1 ? size : known;
      continue;
    }
    require(known < 0 || size < 0 || known == size, "Expected dimension ", known, " at axis ", i,
            " of the input shaped ", shape, " but got dimension ", size,
            ". Dimensions must be equal, but are ", known, " and ", size);
    known = std::max(known, size);
  }
}

std::int64_t LabelSizes::size(int label) const {
  const auto it = sizes_.find(label);
  return it == sizes_.end() ? kUnknownDim : it->second;
}

}  // namespace rill
