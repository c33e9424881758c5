#pragma once

namespace rill {

// While there is one, this thread takes numbers too small for full precision as zeros and makes
// none: a processor needs a hundred times as long for them, and sums that fade away, such as the
// moments of an optimizer, would be made of nothing else. Every kernel runs under one, as in
// TensorFlow.
class FlushDenormals {
 public:
  FlushDenormals() : before_(control()) {
    if (!is_set()) set_control(before_ | kBits);
  }
  ~FlushDenormals() {
    if (!is_set()) set_control(before_);
  }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
#if defined(__x86_64__)
  using Control = unsigned;
  static constexpr Control kBits = 0x8040;  // results to zero, operands as zeros
  static Control control() { return __builtin_ia32_stmxcsr(); }
  static void set_control(Control to) { __builtin_ia32_ldmxcsr(to); }
#elif defined(__aarch64__)
  using Control = unsigned long;
  static constexpr Control kBits = 1ul << 24;
  static Control control() {
    Control now;
    asm volatile("mrs %0, fpcr" : "=r"(now));
    return now;
  }
  static void set_control(Control to) { asm volatile("msr fpcr, %0" : : "r"(to)); }
#else
  using Control = unsigned;
  static constexpr Control kBits = 0;
  static Control control() { return 0; }
  static void set_control(Control) {}
#endif
  bool is_set() const { return (before_ & kBits) == kBits; }

  const Control before_;
};

}  // namespace rill
