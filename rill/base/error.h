#pragma once

#include <exception>
#include <initializer_list>
#include <source_location>
#include <string>
#include <string_view>

#include "rill/base/text.h"

namespace rill {

// The codes of TensorFlow (and gRPC); Python maps each to its tf.errors class.
enum class Code {
  kOk = 0,
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
  kUnauthenticated = 16,
};

std::string_view code_name(Code code);  // "InvalidArgument"

// The one error type. `message` is what the user reads; `node` is the graph node at fault, if any;
// `cause` carries a foreign exception (a Python one) through the runtime unchanged.
class Error : public std::exception {
 public:
  Error(Code code, std::string message, std::source_location at = std::source_location::current());

  Code code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& node() const { return node_; }
  const std::exception_ptr& cause() const { return cause_; }
  const std::source_location& at() const { return at_; }
  // Whether something was of the wrong kind rather than a wrong value: Python's TypeError.
  bool is_type_mismatch() const { return type_mismatch_; }
  const char* what() const noexcept override { return what_.c_str(); }

  // The same error with more said about it. Only the first node named is kept.
  Error with_node(std::string_view node_name, std::string_view context) const;
  Error with_context(std::string_view context) const;
  Error with_cause(std::exception_ptr cause) const;
  Error as_type_mismatch() const;

 private:
  Code code_;
  std::string message_, node_, what_;
  std::exception_ptr cause_;
  std::source_location at_;
  bool type_mismatch_ = false;
};

[[noreturn]] void throw_error(Code code, std::source_location at,
                              std::initializer_list<std::string_view> parts);

// A code plus its call site, so raise() needs no macro.
struct CodeAt {
  CodeAt(Code code, std::source_location at = std::source_location::current())
      : code(code), at(at) {}
  Code code;
  std::source_location at;
};

// A bool plus its call site, so require() needs no macro.
struct Check {
  Check(bool ok, std::source_location at = std::source_location::current()) : ok(ok), at(at) {}
  bool ok;
  std::source_location at;
};

template <class... Part>
[[noreturn]] void raise(CodeAt c, const Part&... part) {
  throw_error(c.code, c.at, {Text(part).view()...});
}

// Throws InvalidArgument unless `c` holds. The parts become text only on failure.
template <class... Part>
void require(Check c, const Part&... part) {
  if (!c.ok) [[unlikely]]
    throw_error(Code::kInvalidArgument, c.at, {Text(part).view()...});
}

[[noreturn]] void throw_type_mismatch(std::source_location at,
                                      std::initializer_list<std::string_view> parts);
// The same where something is of the wrong kind.
template <class... Part>
void require_type(Check c, const Part&... part) {
  if (!c.ok) [[unlikely]]
    throw_type_mismatch(c.at, {Text(part).view()...});
}

// Turns whatever is being handled into an Error; for catch-all clauses at a boundary.
Error current_error();

}  // namespace rill
