#include "rill/base/error.h"

#include <array>
#include <new>

#include "rill/base/error_classes.h"
#include "rill/base/error_place.h"

namespace rill {
namespace {

constexpr std::array<std::string_view, 17> kCodeNames = {
    "OK",       "Cancelled",      "Unknown",          "InvalidArgument",   "DeadlineExceeded",
    "NotFound", "AlreadyExists",  "PermissionDenied", "ResourceExhausted", "FailedPrecondition",
    "Aborted",  "OutOfRange",     "Unimplemented",    "Internal",          "Unavailable",
    "DataLoss", "Unauthenticated"};

thread_local const std::source_location* asked_at = nullptr;

}  // namespace

ErrorPlace::ErrorPlace(const std::source_location* line) : outer_(asked_at) {
  if (line != nullptr) asked_at = line;
}

ErrorPlace::~ErrorPlace() { asked_at = outer_; }

std::string_view code_name(Code code) {
  const auto i = static_cast<std::size_t>(code);
  return i < kCodeNames.size() ? kCodeNames[i] : "Unknown";
}

Error::Error(Code code, std::string message, std::source_location at)
    : code_(code), message_(std::move(message)), at_(asked_at == nullptr ? at : *asked_at) {
  what_ = str_cat(code_name(code_), ": ", message_);
  if (asked_at != nullptr) what_ += str_cat(" (", at_.file_name(), ":", at_.line(), ")");
}

Error Error::with_node(std::string_view node_name, std::string_view context) const {
  if (!node_.empty()) return *this;
  Error error = with_context(context);
  error.node_ = node_name;
  return error;
}

Error Error::with_context(std::string_view context) const {
  Error error(code_, str_cat(message_, context), at_);
  error.node_ = node_;
  error.cause_ = cause_;
  return error;
}

Error Error::with_cause(std::exception_ptr cause) const {
  Error error = *this;
  error.cause_ = std::move(cause);
  return error;
}

Error Error::as_type_mismatch() const {
  Error error = *this;
  error.type_mismatch_ = true;
  return error;
}

void throw_type_mismatch(std::source_location at, std::initializer_list<std::string_view> parts) {
  throw_as_class(Error(Code::kInvalidArgument, concat(parts), at).as_type_mismatch());
}

void throw_error(Code code, std::source_location at,
                 std::initializer_list<std::string_view> parts) {
  throw_as_class(Error(code, concat(parts), at));
}

Error current_error() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(Code::kResourceExhausted, "out of memory").with_cause(std::current_exception());
  } catch (const std::exception& error) {
    return Error(Code::kUnknown, error.what()).with_cause(std::current_exception());
  } catch (...) {
    return Error(Code::kUnknown, "an exception of unknown type")
        .with_cause(std::current_exception());
  }
}

}  // namespace rill
