#include "rill/api/distributions/normal_functions.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/distributions/checks.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/formula.h"
#include "rill/api/math/math_parts.h"

namespace rill::distributions {

using namespace formula;

namespace {

using math_parts::number;
using math_parts::type_of;

void check_type(Output x, const char* name) {
  require_type(type_of(x) == DType::f32 || type_of(x) == DType::f64, name, ".dtype=", type_of(x),
               " is not handled, see docstring for supported types.");
}

Output probability_below(Output x) {
  const Output half_root =
      constant(number(type_of(x), 0.5 * std::numbers::sqrt2), {.name = "half_sqrt_2"});
  const Output w = Formula(x) * half_root;
  const Output z = abs(Formula(w));
  const Formula near = 1.0 + node("Erf", {w});
  const Formula far = where(node("Greater", {w, 0.0}), 2.0 - node("Erfc", {z}), node("Erfc", {z}));
  const Output y = where(node("Less", {z, half_root}), near, far);
  return 0.5 * Formula(y);
}

// 1 - 1/x^2 + 3/x^4 - 15/x^6
Output asymptotic_series(Output x) {
  const Output square_x = square(Formula(x));
  Output even = zeros_like(x), odd = zeros_like(x), power = square_x;
  double factorial = 1;
  for (int n = 1; n <= 3; ++n) {
    factorial *= 2 * n - 1;
    const Output term = factorial / Formula(power);
    Output& sum = n % 2 == 1 ? odd : even;
    sum = Formula(sum) + term;
    power = Formula(power) * square_x;
  }
  return 1.0 + Formula(even) - odd;
}

Formula far_below(Formula given) {
  return Formula([=] {
    const Output x = given;
    const Output x2 = square(Formula(x));
    const Output scale =
        -0.5 * Formula(x2) - log(-Formula(x)) - 0.5 * std::log(2 * std::numbers::pi);
    return Output(Formula(scale) + node("Log", {Formula([=] { return asymptotic_series(x); })}));
  });
}

Formula below(Formula x) {
  return Formula([=] { return probability_below(x); });
}

// A polynomial by Horner's rule, constant term first; the innermost term is a zero.
Formula polynomial(const Formula& x, std::span<const double> coefficients) {
  if (coefficients.empty()) return Formula([=] { return zeros_like(x.input()); });
  return Formula([=] {
    const Output rest = polynomial(x, coefficients.subspan(1));
    const Output product = Formula(rest) * x;
    return Output(coefficients[0] + Formula(product));
  });
}

// Cephes' rational approximations, constant terms first: p / q near the middle, for z < 8, beyond.
constexpr double kMiddleP[] = {-1.23916583867381258016E0, 1.39312609387279679503E1,
                               -5.66762857469070293439E1, 9.80010754185999661536E1,
                               -5.99633501014107895267E1};
constexpr double kMiddleQ[] = {
    -1.18331621121330003142E0, 1.59056225126211695515E1,  -8.20372256168333339912E1,
    2.00260212380060660359E2,  -2.25462687854119370527E2, 8.63602421390890590575E1,
    4.67627912898881538453E0,  1.95448858338141759834E0,  1.0};
constexpr double kTailP[] = {
    -8.57456785154685413611E-4, -3.50424626827848203418E-2, -1.40256079171354495875E-1,
    2.18663306850790267539E0,   1.46849561928858024014E1,   4.40805073893200834700E1,
    5.71628192246421288162E1,   3.15251094599893866154E1,   4.05544892305962419923E0};
constexpr double kTailQ[] = {
    -9.33259480895457427372E-4, -3.80806407691578277194E-2, -1.42182922854787788574E-1,
    2.50464946208309415979E0,   1.50425385692907503408E1,   4.13172038254672030440E1,
    4.53907635128879210584E1,   1.57799883256466749731E1,   1.0};
constexpr double kEndP[] = {
    6.23974539184983293730E-9, 2.65806974686737550832E-6, 3.01581553508235416007E-4,
    1.23716634817820021358E-2, 2.01485389549179081538E-1, 1.33303460815807542389E0,
    3.93881025292474443415E0,  6.91522889068984211695E0,  3.23774891776946035970E0};
constexpr double kEndQ[] = {
    6.79019408009981274425E-9, 2.89247864745380683936E-6, 3.28014464682127739104E-4,
    1.34204006088543189037E-2, 2.16236993594496635890E-1, 1.37702099489081330271E0,
    3.67983563856160859403E0,  6.02427039364742014255E0,  1.0};

Output middle_quantile(Output p) {
  const Output w = Formula(p) - 0.5;
  const Output ww = power(w, 2);
  return Formula(w) + Formula(w) * ww * (polynomial(ww, kMiddleP) / polynomial(ww, kMiddleQ));
}

Output tail_quantile(Output z, std::span<const double> p, std::span<const double> q) {
  const Formula inverse = 1.0 / Formula(z);
  const Formula top([=] { return Output(polynomial(Output(inverse), p)); });
  const Formula bottom([=] { return Output(polynomial(Output(inverse), q)); });
  return top / bottom / z;
}

}  // namespace

Output ndtr(Output x) {
  const Block in("", "ndtr", {});
  check_type(x, "x");
  return probability_below(x);
}

Output log_ndtr(Output x) {
  const Block in("", "log_ndtr", {});
  check_type(x, "x");
  const bool is_double = type_of(x) == DType::f64;
  const double low = is_double ? -20 : -10, high = is_double ? 8 : 5;
  const Formula clearly_above = -below(-Formula(x));
  const Formula around = log(below(node("Maximum", {x, low})));
  const Formula lower = far_below(node("Minimum", {x, low}));
  return where(node("Greater", {x, high}), clearly_above,
               where(node("Greater", {x, low}), around, lower));
}

Output ndtri(Output given) {
  const Block in("", "ndtri", {});
  check_type(given, "p");
  const Formula p = given;
  const DType dtype = type_of(given);
  const double edge = 0x1.152aaa3bf81cbp-3;  // exp(-2), as NumPy rounds it
  const Output folded = where(p > -std::expm1(-2.0), 1.0 - p, p);
  const Formula half([=] { return filled(shape(given), dtype, 0.5, ""); });
  const Output safe = where(Formula(folded) <= 0.0, half, folded);
  const Output middle = Formula(middle_quantile(safe)) * -std::sqrt(2 * std::numbers::pi);
  const Output z = sqrt(-2.0 * log(Formula(safe)));
  const Output first = Formula(z) - log(Formula(z)) / z;
  const Output end_term = tail_quantile(z, kEndP, kEndQ);
  const Output tail_term = tail_quantile(z, kTailP, kTailQ);
  const Output end = Formula(first) - end_term;
  const Output tail = Formula(first) - tail_term;
  const Output magnitude = where(Formula(safe) > edge, middle, where(Formula(z) >= 8.0, end, tail));
  const Output x = where(p > 1.0 - edge, magnitude, -Formula(magnitude));
  const Output infinite = constant(number(dtype, std::numeric_limits<double>::infinity()));
  const Output infinity = raw::Fill(shape(given), infinite);
  return where(p <= 0.0, -Formula(infinity), where(p >= 1.0, infinity, x));
}

Output log_cdf_laplace(Output given) {
  const Block in("", "log_cdf_laplace", {});
  const Formula x = given;
  const Output lower = -std::log(2.0) + x;
  const Output decay = exp(-abs(x));
  const Output upper = log1p(-0.5 * Formula(decay));
  return where(x < 0.0, lower, upper);
}

}  // namespace rill::distributions
