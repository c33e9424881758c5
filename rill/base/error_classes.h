#pragma once

#include <string>
#include <utility>

#include "rill/base/error.h"

// tf.errors: a class for each code, for programs that catch one kind of error.
//
//   try {
//     session.run(loss);
//   } catch (const tf::errors::OutOfRangeError&) {  // the data has ended
//   }
//
// All of them are an Error, so `catch (const tf::Error&)` catches any.
namespace rill::errors {

using OpError = Error;

template <Code kCode>
class ErrorOf : public Error {
 public:
  explicit ErrorOf(std::string message, std::source_location at = std::source_location::current())
      : Error(kCode, std::move(message), at) {}
  explicit ErrorOf(const Error& error) : Error(error) {}  // which must have the code
  static constexpr Code kOwnCode = kCode;
};

using CancelledError = ErrorOf<Code::kCancelled>;
using UnknownError = ErrorOf<Code::kUnknown>;
using InvalidArgumentError = ErrorOf<Code::kInvalidArgument>;
using DeadlineExceededError = ErrorOf<Code::kDeadlineExceeded>;
using NotFoundError = ErrorOf<Code::kNotFound>;
using AlreadyExistsError = ErrorOf<Code::kAlreadyExists>;
using PermissionDeniedError = ErrorOf<Code::kPermissionDenied>;
using ResourceExhaustedError = ErrorOf<Code::kResourceExhausted>;
using FailedPreconditionError = ErrorOf<Code::kFailedPrecondition>;
using AbortedError = ErrorOf<Code::kAborted>;
using OutOfRangeError = ErrorOf<Code::kOutOfRange>;
using UnimplementedError = ErrorOf<Code::kUnimplemented>;
using InternalError = ErrorOf<Code::kInternal>;
using UnavailableError = ErrorOf<Code::kUnavailable>;
using DataLossError = ErrorOf<Code::kDataLoss>;
using UnauthenticatedError = ErrorOf<Code::kUnauthenticated>;

// error_code_from_exception_type<NotFoundError>() is Code::kNotFound.
template <class E>
constexpr Code error_code_from_exception_type() {
  return E::kOwnCode;
}

}  // namespace rill::errors

namespace rill {

using OpError = Error;

// Throws `error` as the class of its code.
[[noreturn]] void throw_as_class(const Error& error);
// In a catch clause for `error`: throws it again, as the class of its code where it is a plain
// Error.
[[noreturn]] void rethrow_as_class(const Error& error);

}  // namespace rill
