#include "rill/api/math/einsum_equation.h"

#include <algorithm>
#include <cctype>

#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill {
namespace {

constexpr std::string_view kEllipsis = "...";

std::string without_spaces(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (c != ' ') result += c;
  return result;
}

void check_labels(std::string_view labels, std::string_view equation) {
  for (const char c : labels)
    require(std::isalpha(static_cast<unsigned char>(c)) != 0,
            "Indices have incorrect format: ", equation);
}

// The letters of a term, those around "..." apart.
struct Term {
  std::string before, after;
  bool has_ellipsis = false;

  Term(std::string_view text, std::string_view equation) {
    const std::size_t at = text.find(kEllipsis);
    has_ellipsis = at != text.npos;
    before = text.substr(0, at);
    if (has_ellipsis) after = text.substr(at + kEllipsis.size());
    check_labels(before + after, equation);
  }
  int count() const { return static_cast<int>(before.size() + after.size()); }
};

// Capital letters (then small ones) that the equation leaves free.
std::string free_letters(std::string_view equation, int count) {
  std::string letters;
  for (const char first : {'A', 'a'})
    for (char c = first; c < first + 26 && static_cast<int>(letters.size()) < count; ++c)
      if (equation.find(c) == equation.npos) letters += c;
  require(static_cast<int>(letters.size()) == count,
          "einsum: there are more dimensions than letters: ", equation);
  return letters;
}

std::string letters_once(const std::vector<Term>& terms) {
  std::string all;
  for (const Term& term : terms) all += term.before + term.after;
  std::string once;
  for (const char c : all)
    if (std::ranges::count(all, c) == 1) once += c;
  std::ranges::sort(once);
  return once;
}

int broadcast_rank(const std::vector<Term>& terms, const std::vector<int>& ranks,
                   std::string_view equation) {
  int most = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!terms[i].has_ellipsis) continue;
    require(ranks[i] >= 0, "einsum: the rank of an input with \"...\" must be known: ", equation);
    require(ranks[i] >= terms[i].count(), "Incorrect number of dimensions for \"", equation,
            "\": input ", i, " has rank ", ranks[i]);
    most = std::max(most, ranks[i] - terms[i].count());
  }
  return most;
}

}  // namespace

EinsumEquation parse_einsum(std::string_view given, const std::vector<int>& ranks) {
  const std::string equation = without_spaces(given);
  const std::size_t arrow = equation.find("->");
  std::vector<Term> terms;
  for (const std::string_view text : split(std::string_view(equation).substr(0, arrow), ','))
    terms.emplace_back(text, equation);
  require(terms.size() == ranks.size(), "Got ", ranks.size(), " inputs for equation \"", given,
          "\", expecting ", terms.size());
  const std::string dots = free_letters(equation, broadcast_rank(terms, ranks, equation));
  EinsumEquation result;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Term& term = terms[i];
    const auto used = static_cast<std::size_t>(term.has_ellipsis ? ranks[i] - term.count() : 0);
    const std::string labels = term.before + dots.substr(dots.size() - used) + term.after;
    require(ranks[i] < 0 || ranks[i] == static_cast<int>(labels.size()),
            "Incorrect number of dimensions for \"", equation, "\": input ", i, " has rank ",
            ranks[i]);
    result.inputs.push_back(labels);
  }
  if (arrow == equation.npos) {
    result.output = dots + letters_once(terms);
    return result;
  }
  const Term output(std::string_view(equation).substr(arrow + 2), equation);
  result.output = output.before + (output.has_ellipsis ? dots : "") + output.after;
  for (const char c : result.output) {
    require(std::ranges::count(result.output, c) == 1,
            "Output subscripts contain a label appearing more than once: ", equation);
    const bool is_known = std::ranges::any_of(
        result.inputs, [&](const std::string& labels) { return labels.find(c) != labels.npos; });
    require(is_known, "Output subscripts contain the label ", std::string(1, c),
            " not present in the input subscripts: ", equation);
  }
  return result;
}

}  // namespace rill
