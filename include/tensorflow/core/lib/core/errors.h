#ifndef TENSORFLOW_CORE_LIB_CORE_ERRORS_H_
#define TENSORFLOW_CORE_LIB_CORE_ERRORS_H_

#include "tensorflow/core/lib/core/status.h"
#include "tensorflow/core/lib/strings/strcat.h"
#include "tensorflow/core/platform/macros.h"

namespace tensorflow {
namespace errors {

typedef ::tensorflow::error::Code Code;

namespace internal {
// Messages may be put together from anything that can be written to a stream.
inline void Append(std::ostringstream&) {}
template <typename First, typename... Rest>
void Append(std::ostringstream& out, const First& first, const Rest&... rest) {
  out << first;
  Append(out, rest...);
}
template <typename... Args>
string Text(const Args&... args) {
  std::ostringstream out;
  Append(out, args...);
  return out.str();
}
}  // namespace internal

template <typename... Args>
void AppendToMessage(::tensorflow::Status* status, Args... args) {
  *status = ::tensorflow::Status(status->code(),
                                 internal::Text(status->error_message(), "\n\t", args...));
}

#define RILL_DECLARE_ERROR(FUNC, CONST)                                               \
  template <typename... Args>                                                         \
  ::tensorflow::Status FUNC(Args... args) {                                           \
    return ::tensorflow::Status(::tensorflow::error::CONST, internal::Text(args...)); \
  }                                                                                   \
  inline bool Is##FUNC(const ::tensorflow::Status& status) {                          \
    return status.code() == ::tensorflow::error::CONST;                               \
  }
RILL_DECLARE_ERROR(Cancelled, CANCELLED)
RILL_DECLARE_ERROR(InvalidArgument, INVALID_ARGUMENT)
RILL_DECLARE_ERROR(NotFound, NOT_FOUND)
RILL_DECLARE_ERROR(AlreadyExists, ALREADY_EXISTS)
RILL_DECLARE_ERROR(ResourceExhausted, RESOURCE_EXHAUSTED)
RILL_DECLARE_ERROR(Unavailable, UNAVAILABLE)
RILL_DECLARE_ERROR(FailedPrecondition, FAILED_PRECONDITION)
RILL_DECLARE_ERROR(OutOfRange, OUT_OF_RANGE)
RILL_DECLARE_ERROR(Unimplemented, UNIMPLEMENTED)
RILL_DECLARE_ERROR(Internal, INTERNAL)
RILL_DECLARE_ERROR(Aborted, ABORTED)
RILL_DECLARE_ERROR(DeadlineExceeded, DEADLINE_EXCEEDED)
RILL_DECLARE_ERROR(DataLoss, DATA_LOSS)
RILL_DECLARE_ERROR(Unknown, UNKNOWN)
RILL_DECLARE_ERROR(PermissionDenied, PERMISSION_DENIED)
RILL_DECLARE_ERROR(Unauthenticated, UNAUTHENTICATED)
#undef RILL_DECLARE_ERROR

inline string FormatNodeNameForError(const string& name) {
  return strings::StrCat("{{node ", name, "}}");
}

using ::tensorflow::error::OK;

}  // namespace errors
}  // namespace tensorflow

#define TF_RETURN_IF_ERROR(...)                          \
  do {                                                   \
    const ::tensorflow::Status _status = (__VA_ARGS__);  \
    if (TF_PREDICT_FALSE(!_status.ok())) return _status; \
  } while (0)

#define TF_RETURN_WITH_CONTEXT_IF_ERROR(expr, ...)                  \
  do {                                                              \
    ::tensorflow::Status _status = (expr);                          \
    if (TF_PREDICT_FALSE(!_status.ok())) {                          \
      ::tensorflow::errors::AppendToMessage(&_status, __VA_ARGS__); \
      return _status;                                               \
    }                                                               \
  } while (0)

#endif
