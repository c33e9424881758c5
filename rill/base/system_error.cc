#include "rill/base/system_error.h"

#include <cerrno>
#include <system_error>

#include "rill/base/error_classes.h"

namespace rill {

Code code_of_system_error(int number) {
  switch (number) {
    case EINVAL:
    case ENAMETOOLONG:
    case E2BIG:
    case EDOM:
    case EFAULT:
    case EILSEQ:
    case ENOTTY:
    case EPROTOTYPE:
    case ESPIPE:
      return Code::kInvalidArgument;
    case ETIMEDOUT:
      return Code::kDeadlineExceeded;
    case ENODEV:
    case ENOENT:
    case ENXIO:
    case ESRCH:
      return Code::kNotFound;
    case EEXIST:
    case EADDRINUSE:
    case EALREADY:
      return Code::kAlreadyExists;
    case EPERM:
    case EACCES:
    case EROFS:
      return Code::kPermissionDenied;
    case ENOTEMPTY:
    case EISDIR:
    case ENOTDIR:
    case EBADF:
    case EBUSY:
    case ECHILD:
    case EISCONN:
    case ENOTBLK:
    case ENOTCONN:
    case EPIPE:
    case ESHUTDOWN:
    case ETXTBSY:
      return Code::kFailedPrecondition;
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case EMLINK:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
      return Code::kResourceExhausted;
    case EFBIG:
    case EOVERFLOW:
    case ERANGE:
      return Code::kOutOfRange;
    case ENOSYS:
    case ENOTSUP:
    case EXDEV:
      return Code::kUnimplemented;
    case EAGAIN:
    case EINTR:
    case ENOLINK:
      return Code::kUnavailable;
    case EDEADLK:
    case ESTALE:
      return Code::kAborted;
    case ECANCELED:
      return Code::kCancelled;
    default:
      return Code::kUnknown;
  }
}

void raise_system_error(std::string_view path, std::source_location at) {
  const int number = errno;
  throw_as_class(Error(code_of_system_error(number),
                       str_cat(path, "; ", std::generic_category().message(number)), at));
}

}  // namespace rill
