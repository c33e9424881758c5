#include "rill/base/error_classes.h"

#include <typeinfo>

namespace rill {
namespace {

template <Code... kCodes>
void throw_if_one_of(const Error& error) {
  (..., [&] {
    if (error.code() == kCodes) throw errors::ErrorOf<kCodes>(error);
  }());
}

}  // namespace

void throw_as_class(const Error& error) {
  throw_if_one_of<Code::kCancelled, Code::kUnknown, Code::kInvalidArgument, Code::kDeadlineExceeded,
                  Code::kNotFound, Code::kAlreadyExists, Code::kPermissionDenied,
                  Code::kResourceExhausted, Code::kFailedPrecondition, Code::kAborted,
                  Code::kOutOfRange, Code::kUnimplemented, Code::kInternal, Code::kUnavailable,
                  Code::kDataLoss, Code::kUnauthenticated>(error);
  throw Error(error);
}

void rethrow_as_class(const Error& error) {
  if (typeid(error) == typeid(Error)) throw_as_class(error);
  throw;
}

}  // namespace rill
