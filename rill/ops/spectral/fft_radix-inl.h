// Complex numbers with their parts in numbers or vectors of such, and transforms of a few of them.
// Included once per instruction set by the files that have loops of these.
namespace rill::HWY_NAMESPACE {
namespace {

template <class T>
struct Complex {
  T re, im;
};
template <class T>
HWY_INLINE Complex<T> operator+(const Complex<T>& a, const Complex<T>& b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
HWY_INLINE Complex<T> operator-(const Complex<T>& a, const Complex<T>& b) {
  return {a.re - b.re, a.im - b.im};
}
template <class T>
HWY_INLINE Complex<T> operator*(const Complex<T>& a, const Complex<T>& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class S, class T>
HWY_INLINE Complex<T> operator*(S a, const Complex<T>& b) {
  return {a * b.re, a * b.im};
}
// Times -i.
template <class T>
HWY_INLINE Complex<T> turned(const Complex<T>& a) {
  return {a.im, -a.re};
}

// The small transforms, of x in place.
template <class T, class S = T>
struct Radix2 {
  static constexpr std::size_t kRadix = 2;
  static HWY_INLINE void transform(Complex<T>* x) {
    const Complex<T> a = x[0], b = x[1];
    x[0] = a + b;
    x[1] = a - b;
  }
};

template <class T, class S = T>
struct Radix3 {
  static constexpr std::size_t kRadix = 3;
  static HWY_INLINE void transform(Complex<T>* x) {
    constexpr S kSine = S(0.866025403784438646763723170752936183L);
    const Complex<T> sum = x[1] + x[2];
    const Complex<T> middle = x[0] - S(0.5) * sum, side = kSine * turned(x[1] - x[2]);
    x[0] = x[0] + sum;
    x[1] = middle + side;
    x[2] = middle - side;
  }
};

template <class T, class S = T>
struct Radix4 {
  static constexpr std::size_t kRadix = 4;
  static HWY_INLINE void transform(Complex<T>* x) {
    const Complex<T> a = x[0] + x[2], b = x[0] - x[2];
    const Complex<T> c = x[1] + x[3], d = turned(x[1] - x[3]);
    x[0] = a + c;
    x[1] = b + d;
    x[2] = a - c;
    x[3] = b - d;
  }
};

template <class T, class S = T>
struct Radix5 {
  static constexpr std::size_t kRadix = 5;
  static HWY_INLINE void transform(Complex<T>* x) {
    constexpr S kCos1 = S(0.309016994374947424102293417182819059L);
    constexpr S kCos2 = S(-0.809016994374947424102293417182819059L);
    constexpr S kSin1 = S(0.951056516295153572116439333379382143L);
    constexpr S kSin2 = S(0.587785252292473129168705954639072769L);
    const Complex<T> a = x[1] + x[4], b = x[2] + x[3];
    const Complex<T> c = turned(x[1] - x[4]), d = turned(x[2] - x[3]);
    const Complex<T> first = x[0] + kCos1 * a + kCos2 * b, second = x[0] + kCos2 * a + kCos1 * b;
    const Complex<T> side1 = kSin1 * c + kSin2 * d, side2 = kSin2 * c - kSin1 * d;
    x[0] = x[0] + a + b;
    x[1] = first + side1;
    x[4] = first - side1;
    x[2] = second + side2;
    x[3] = second - side2;
  }
};

template <class T, class S = T>
struct Radix8 {
  static constexpr std::size_t kRadix = 8;
  static HWY_INLINE void transform(Complex<T>* x) {
    constexpr S kHalf = S(0.707106781186547524400844362104849039L);
    Complex<T> even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
    Radix4<T, S>::transform(even);
    Radix4<T, S>::transform(odd);
    odd[1] = {kHalf * (odd[1].re + odd[1].im), kHalf * (odd[1].im - odd[1].re)};
    odd[2] = turned(odd[2]);
    odd[3] = {kHalf * (odd[3].im - odd[3].re), -kHalf * (odd[3].im + odd[3].re)};
    for (int k = 0; k < 4; ++k) {
      x[k] = even[k] + odd[k];
      x[k + 4] = even[k] - odd[k];
    }
  }
};

}  // namespace
}  // namespace rill::HWY_NAMESPACE
