#include "rill/ops/fusion/formula.h"

#include <algorithm>
#include <cmath>

#include "rill/base/subscript.h"

namespace rill {
namespace {

constexpr int kHighestPower = 16;
constexpr std::size_t kMaxTerms = 64;
constexpr double kNear = 2e-6;       // what is left of numbers after some products of floats
constexpr double kCancelled = 1e-9;  // what remains of numbers that should have met

}  // namespace

Formula Formula::number(double value) {
  Formula f;
  if (value != 0) f.terms_[Term{}] = value;
  return f;
}

Formula Formula::atom(int which, int power) {
  Term term;
  term.powers[at(which)] = static_cast<std::int8_t>(power);
  Formula f;
  f.terms_[term] = 1;
  return f;
}

Formula Formula::unknown() {
  Formula f;
  f.known_ = false;
  return f;
}

bool Formula::has(int atom) const {
  return std::ranges::any_of(terms_, [&](const auto& entry) {
    return entry.first.powers[at(atom)] != 0 || entry.first.summed[at(atom)] != 0;
  });
}

bool Formula::is_near(const Formula& other) const {
  if (!known_ || !other.known_ || terms_.size() != other.terms_.size()) return false;
  return std::ranges::equal(terms_, other.terms_, [](const auto& a, const auto& b) {
    return a.first == b.first && std::abs(a.second - b.second) <= kNear * std::abs(b.second);
  });
}

void Formula::add(const Term& term, double factor) {
  double& sum = terms_[term];
  const double before = std::abs(sum);
  sum += factor;
  if (std::abs(sum) <= kCancelled * std::max(before, std::abs(factor))) terms_.erase(term);
  if (terms_.size() > kMaxTerms) known_ = false;
}

Formula operator+(const Formula& a, const Formula& b) {
  Formula sum = a;
  sum.known_ = a.known_ && b.known_;
  for (const auto& [term, factor] : b.terms_) sum.add(term, factor);
  return sum;
}

Formula operator*(const Formula& a, const Formula& b) {
  Formula product;
  product.known_ = a.known_ && b.known_;
  for (const auto& [x, x_factor] : a.terms_)
    for (const auto& [y, y_factor] : b.terms_) {
      if (x.has_sum && y.has_sum) return Formula::unknown();
      Formula::Term term = x.has_sum ? x : y;
      for (std::size_t i = 0; i < term.powers.size(); ++i) {
        const int power = x.powers[i] + y.powers[i];
        if (std::abs(power) > kHighestPower) return Formula::unknown();
        term.powers[i] = static_cast<std::int8_t>(power);
      }
      product.add(term, x_factor * y_factor);
    }
  return product;
}

Formula Formula::power(int exponent) const {
  if (exponent < 0 || exponent > kHighestPower) return unknown();
  Formula result = number(1);
  for (int i = 0; i < exponent; ++i) result = result * *this;
  return result;
}

Formula Formula::reciprocal() const {
  if (!known_ || terms_.size() != 1 || terms_.begin()->first.has_sum) return unknown();
  Term term = terms_.begin()->first;
  for (std::int8_t& power : term.powers) power = static_cast<std::int8_t>(-power);
  Formula result;
  result.terms_[term] = 1 / terms_.begin()->second;
  return result;
}

Formula Formula::sum_of_row(const Rows& rows) const {
  Formula result;
  result.known_ = known_ && rows.width > 0;
  for (const auto& [term, factor] : terms_) {
    Term outside = term;
    Powers inside{};
    int varying = 0;
    for (int i = 0; i < kAtoms; ++i) {
      if ((rows.constant >> i & 1u) != 0 || term.powers[at(i)] == 0) continue;
      inside[at(i)] = term.powers[at(i)];
      outside.powers[at(i)] = 0;
      ++varying;
    }
    if (varying == 0) {
      result.add(outside, factor * rows.width);
    } else if (varying == 1 && rows.averaged >= 0 && inside[at(rows.averaged)] == 1) {
      ++outside.powers[at(rows.mean)];
      result.add(outside, factor * rows.width);
    } else if (!term.has_sum) {
      outside.summed = inside;
      outside.has_sum = true;
      result.add(outside, factor);
    } else {
      return unknown();
    }
  }
  return result;
}

}  // namespace rill
