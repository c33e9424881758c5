#ifndef TENSORFLOW_CORE_LIB_CORE_STATUS_H_
#define TENSORFLOW_CORE_LIB_CORE_STATUS_H_

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>

#include "tensorflow/core/lib/core/error_codes.pb.h"
#include "tensorflow/core/lib/core/stringpiece.h"
#include "tensorflow/core/platform/logging.h"
#include "tensorflow/core/platform/macros.h"

namespace tensorflow {

// Whether something worked, and if not, why. Success holds no memory.
class Status {
 public:
  Status() {}
  Status(tensorflow::error::Code code, tensorflow::StringPiece message);
  Status(const Status& other);
  Status& operator=(const Status& other);
  Status(Status&& other) noexcept : state_(std::move(other.state_)) {}
  Status& operator=(Status&& other) noexcept {
    state_ = std::move(other.state_);
    return *this;
  }

  static Status OK() { return Status(); }
  bool ok() const { return state_ == nullptr; }
  tensorflow::error::Code code() const { return ok() ? tensorflow::error::OK : state_->code; }
  const string& error_message() const { return ok() ? empty_string() : state_->message; }
  bool operator==(const Status& other) const {
    return code() == other.code() && error_message() == other.error_message();
  }
  bool operator!=(const Status& other) const { return !(*this == other); }

  void Update(const Status& other) {  // keeps the first error
    if (ok()) *this = other;
  }
  string ToString() const;  // "OK", or "Invalid argument: ..."
  void IgnoreError() const {}

 private:
  struct State {
    tensorflow::error::Code code;
    string message;
  };
  static const string& empty_string();
  std::unique_ptr<State> state_;
};

std::ostream& operator<<(std::ostream& out, const Status& status);

typedef std::function<void(const Status&)> StatusCallback;

namespace internal {
// nullptr when it worked, else what TF_CHECK_OK says.
std::string* CheckOkText(const Status& status, const char* expression);
}  // namespace internal

#define TF_CHECK_OK(val)                                                                    \
  while (::tensorflow::internal::CheckResult _result = ::tensorflow::internal::CheckResult( \
             ::tensorflow::internal::CheckOkText((val), #val)))                             \
  LOG(FATAL) << *_result.text
#define TF_QCHECK_OK(val) TF_CHECK_OK(val)
#ifndef NDEBUG
#define TF_DCHECK_OK(val) TF_CHECK_OK(val)
#else
#define TF_DCHECK_OK(val) \
  while (false && (::tensorflow::Status::OK() == (val))) LOG(FATAL)
#endif

}  // namespace tensorflow

#endif
