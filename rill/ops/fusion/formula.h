#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>

namespace rill {

// A polynomial in a few named quantities ("atoms") with integer exponents, which may be negative,
// and with sums along rows. Two formulas in this normal form can be compared, so that a gradient is
// recognised however its terms are grouped. What has no such form is unknown, and so is everything
// computed from it.
class Formula {
 public:
  static constexpr int kAtoms = 6;
  using Powers = std::array<std::int8_t, kAtoms>;
  // A product of powers, perhaps times the sum along the row of another such product.
  struct Term {
    Powers powers{}, summed{};
    bool has_sum = false;
    friend auto operator<=>(const Term&, const Term&) = default;
  };
  // Facts about rows: how many elements they have, which atoms are constant along a row (a bit
  // mask), and which atom is the mean of which.
  struct Rows {
    double width = 0;
    unsigned constant = 0;
    int averaged = -1, mean = -1;
  };

  Formula() = default;  // zero
  static Formula number(double value);
  static Formula atom(int which, int power = 1);
  static Formula unknown();

  bool is_known() const { return known_; }
  bool is_zero() const { return known_ && terms_.empty(); }
  bool has(int atom) const;  // anywhere
  // Whether both are known and the same but for rounding of the numbers in them.
  bool is_near(const Formula& other) const;

  friend Formula operator+(const Formula& a, const Formula& b);
  friend Formula operator*(const Formula& a, const Formula& b);
  friend Formula operator-(const Formula& a, const Formula& b) { return a + number(-1) * b; }
  Formula power(int exponent) const;  // from 0 on
  Formula reciprocal() const;         // of a single product
  Formula sum_of_row(const Rows& rows) const;

 private:
  bool known_ = true;
  std::map<Term, double> terms_;

  void add(const Term& term, double factor);
};

}  // namespace rill
