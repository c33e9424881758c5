#include "tensorflow/core/lib/core/status.h"

#include <ostream>

#include "rill/compat/convert.h"

namespace tensorflow {
namespace {

const char* code_text(error::Code code) {
  static constexpr const char* kTexts[] = {"OK",
                                           "Cancelled",
                                           "Unknown",
                                           "Invalid argument",
                                           "Deadline exceeded",
                                           "Not found",
                                           "Already exists",
                                           "Permission denied",
                                           "Resource exhausted",
                                           "Failed precondition",
                                           "Aborted",
                                           "Out of range",
                                           "Unimplemented",
                                           "Internal",
                                           "Unavailable",
                                           "Data loss",
                                           "Unauthenticated"};
  const int number = static_cast<int>(code);
  return number >= 0 && number < 17 ? kTexts[number] : "Unknown code";
}

}  // namespace

Status::Status(error::Code code, StringPiece message) {
  if (code == error::OK) return;
  state_.reset(new State{code, message.ToString()});
}

Status::Status(const Status& other) { *this = other; }

Status& Status::operator=(const Status& other) {
  if (this != &other) state_.reset(other.state_ ? new State(*other.state_) : nullptr);
  return *this;
}

string Status::ToString() const {
  if (ok()) return "OK";
  return string(code_text(state_->code)) + ": " + state_->message;
}

const string& Status::empty_string() {
  static const string& empty = *new string;
  return empty;
}

std::ostream& operator<<(std::ostream& out, const Status& status) {
  return out << status.ToString();
}

namespace internal {

std::string* CheckOkText(const Status& status, const char* expression) {
  if (status.ok()) return nullptr;
  return new std::string("Non-OK-status: " + std::string(expression) +
                         " status: " + status.ToString());
}

}  // namespace internal

rill::Error to_error(const Status& status) {
  return rill::Error(static_cast<rill::Code>(status.code()), status.error_message());
}

Status to_status(const rill::Error& error) {
  return Status(static_cast<error::Code>(error.code()), error.message());
}

Status current_status() { return to_status(rill::current_error()); }

}  // namespace tensorflow
