#include <charconv>
#include <cmath>
#include <complex>
#include <cstdio>

#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kAsString;

namespace {

// Beyond this an element would take megabytes.
constexpr std::int64_t kMaxDigits = 1'000'000;

// How numbers are written. `printf` is the whole of it; the rest is for numbers that need no field,
// which are written without asking printf.
struct NumberFormat {
  std::string printf;
  bool has_field = false;
  std::chars_format notation = std::chars_format::fixed;
  int precision = 6;
};

std::int64_t checked_digits(const KernelNode& node, const char* name) {
  const std::int64_t count = node.attr<std::int64_t>(name);
  require(count <= kMaxDigits, name, " must be at most ", kMaxDigits, ", got ", count);
  return count;
}

void check_attributes(const KernelNode& node, bool is_float) {
  const bool scientific = node.attr<bool>("scientific"), shortest = node.attr<bool>("shortest");
  const DType type = node.input_type(0);
  require(is_float || !(scientific || shortest),
          "scientific and shortest format not supported for datatype ", type);
  require(is_float || node.attr<std::int64_t>("precision") < 0,
          "precision not supported for datatype ", type);
  require(!(scientific && shortest), "Cannot select both scientific and shortest notation");
  const auto& fill = node.attr<std::string>("fill");
  require(fill.size() <= 1, "Fill string must be one or fewer characters, got \"", fill, "\"");
  require(fill.empty() || std::string_view(" +-0#").find(fill[0]) != std::string_view::npos,
          "Fill argument not supported: \"", fill, "\"");
}

NumberFormat number_format(const KernelNode& node, bool is_float) {
  check_attributes(node, is_float);
  const auto& fill = node.attr<std::string>("fill");
  const std::int64_t width = checked_digits(node, "width");
  const std::int64_t precision = checked_digits(node, "precision");
  NumberFormat format;
  format.has_field = !fill.empty() || width > 0;
  format.printf = "%" + fill;
  if (width >= 0) format.printf += std::to_string(width);
  if (precision >= 0) {
    format.printf += "." + std::to_string(precision);
    format.precision = static_cast<int>(precision);
  }
  if (!is_float) {
    format.printf += "lld";
  } else if (node.attr<bool>("scientific")) {
    format.printf += "e";
    format.notation = std::chars_format::scientific;
  } else if (node.attr<bool>("shortest")) {
    format.printf += "g";
    format.notation = std::chars_format::general;
  } else {
    format.printf += "f";
  }
  return format;
}

template <class T>
void append_printed(const char* format, T number, std::string& out) {
  char buffer[128];
  const int size = std::snprintf(buffer, sizeof buffer, format, number);
  if (size < 0) raise(Code::kInternal, "cannot write a number as ", format);
  const auto length = static_cast<std::size_t>(size);
  if (length < sizeof buffer) return (void)out.append(buffer, length);
  const std::size_t before = out.size();
  out.resize(before + length + 1);
  std::snprintf(out.data() + before, length + 1, format, number);
  out.pop_back();
}

void append(const NumberFormat& format, long long number, std::string& out) {
  if (format.has_field) return append_printed(format.printf.c_str(), number, out);
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void append(const NumberFormat& format, double number, std::string& out) {
  char digits[128];
  if (!format.has_field && std::isfinite(number)) {
    const auto [end, error] =
        std::to_chars(digits, digits + sizeof digits, number, format.notation, format.precision);
    if (error == std::errc()) return (void)out.append(digits, end);
  }
  append_printed(format.printf.c_str(), number, out);
}

template <class T>
void append(const NumberFormat& format, const std::complex<T>& number, std::string& out) {
  out += '(';
  append(format, static_cast<double>(number.real()), out);
  out += ',';
  append(format, static_cast<double>(number.imag()), out);
  out += ')';
}

template <class T, class Widened>
void as_string(KernelCall& call) {
  const NumberFormat format = number_format(call.node(), !std::is_integral_v<T>);
  const auto x = call.input<T>(0);
  const auto out = call.output<std::string>(0);
  call.parallel_for(x.size(), 100, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) append(format, Widened(x[i]), out[i]);
  });
}

void bools_as_string(KernelCall& call) {
  check_attributes(call.node(), false);
  const auto x = call.input<bool>(0);
  const auto out = call.output<std::string>(0);
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = x[i] ? "true" : "false";
}

template <class T, class Widened>
constexpr KernelEntry as_string_entry() {
  return {.op = &kAsString, .types = dtype_of<T>, .run = as_string<T, Widened>};
}
constexpr KernelEntry kEntries[] = {
    as_string_entry<std::int8_t, long long>(),
    as_string_entry<std::int16_t, long long>(),
    as_string_entry<std::int32_t, long long>(),
    as_string_entry<std::int64_t, long long>(),
    as_string_entry<float, double>(),
    as_string_entry<double, double>(),
    as_string_entry<std::complex<float>, std::complex<float>>(),
    as_string_entry<std::complex<double>, std::complex<double>>(),
    {.op = &kAsString, .types = DType::boolean, .run = bools_as_string},
};

}  // namespace

extern const KernelTable kAsStringCpu{kEntries};

}  // namespace rill
