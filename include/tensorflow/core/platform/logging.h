#ifndef TENSORFLOW_CORE_PLATFORM_LOGGING_H_
#define TENSORFLOW_CORE_PLATFORM_LOGGING_H_

#include <sstream>
#include <string>

#include "tensorflow/core/platform/macros.h"
#include "tensorflow/core/platform/types.h"

namespace tensorflow {
const int INFO = 0;
const int WARNING = 1;
const int ERROR = 2;
const int FATAL = 3;
const int NUM_SEVERITIES = 4;

namespace internal {

class LogMessage {
 public:
  LogMessage(const char* fname, int line, int severity)
      : fname_(fname), line_(line), severity_(severity) {}
  ~LogMessage();  // writes the line to standard error, as TF_CPP_MIN_LOG_LEVEL allows
  std::ostream& stream() { return text_; }

  static int64 MinVLogLevel();  // TF_CPP_MIN_VLOG_LEVEL
  // As above, unless TF_CPP_VMODULE ("file=2,other=1") says otherwise of this file.
  static bool VmoduleActivated(const char* fname, int level);

 private:
  std::ostringstream text_;
  const char* fname_;
  int line_, severity_;
};

struct Voidifier {
  template <typename T>
  void operator&(const T&) const {}
};

// LOG(FATAL) and failed CHECKs throw instead of ending the process: inside a kernel the step fails
// with the message, and a program that does not catch it ends as it always did.
class LogMessageFatal {
 public:
  LogMessageFatal(const char* file, int line) : fname_(file), line_(line) {}
  TF_ATTRIBUTE_NORETURN ~LogMessageFatal() noexcept(false);
  std::ostream& stream() { return text_; }

 private:
  std::ostringstream text_;
  const char* fname_;
  int line_;
};

template <typename A, typename B>
string CheckText(const A& a, const B& b, const char* expression) {
  std::ostringstream out;
  out << expression << " (" << a << " vs. " << b << ")";
  return out.str();
}
inline string CheckText(std::nullptr_t, std::nullptr_t, const char* expression) {
  return expression;
}

#define RILL_CHECK_COMPARISON(name, op)                                                      \
  template <typename A, typename B>                                                          \
  inline std::string* Check##name(const A& a, const B& b, const char* expression) {          \
    return TF_PREDICT_TRUE(a op b) ? nullptr : new std::string(CheckText(a, b, expression)); \
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
RILL_CHECK_COMPARISON(EQ, ==)
RILL_CHECK_COMPARISON(NE, !=)
RILL_CHECK_COMPARISON(LE, <=)
RILL_CHECK_COMPARISON(LT, <)
RILL_CHECK_COMPARISON(GE, >=)
RILL_CHECK_COMPARISON(GT, >)
#pragma GCC diagnostic pop
#undef RILL_CHECK_COMPARISON

// Owns the text of a failed comparison while the message is put together.
struct CheckResult {
  explicit CheckResult(std::string* t) : text(t) {}
  ~CheckResult() { delete text; }
  CheckResult(CheckResult&& other) : text(other.text) { other.text = nullptr; }
  explicit operator bool() const { return TF_PREDICT_FALSE(text != nullptr); }
  std::string* text;
};

template <typename T>
T&& CheckNotNull(const char* file, int line, const char* expression, T&& t) {
  if (t == nullptr) LogMessageFatal(file, line).stream() << string(expression);
  return static_cast<T&&>(t);
}

}  // namespace internal
}  // namespace tensorflow

#define _TF_LOG_INFO \
  ::tensorflow::internal::LogMessage(__FILE__, __LINE__, ::tensorflow::INFO).stream()
#define _TF_LOG_WARNING \
  ::tensorflow::internal::LogMessage(__FILE__, __LINE__, ::tensorflow::WARNING).stream()
#define _TF_LOG_ERROR \
  ::tensorflow::internal::LogMessage(__FILE__, __LINE__, ::tensorflow::ERROR).stream()
#define _TF_LOG_FATAL ::tensorflow::internal::LogMessageFatal(__FILE__, __LINE__).stream()
#define _TF_LOG_QFATAL _TF_LOG_FATAL
#ifdef NDEBUG
#define _TF_LOG_DFATAL _TF_LOG_ERROR
#else
#define _TF_LOG_DFATAL _TF_LOG_FATAL
#endif
#define LOG(severity) _TF_LOG_##severity

#define VLOG_IS_ON(lvl) ::tensorflow::internal::LogMessage::VmoduleActivated(__FILE__, (lvl))
#define VLOG(level)                       \
  TF_PREDICT_TRUE(!VLOG_IS_ON(level))     \
  ? (void)0                               \
  : ::tensorflow::internal::Voidifier() & \
          ::tensorflow::internal::LogMessage(__FILE__, __LINE__, ::tensorflow::INFO).stream()
#ifdef NDEBUG
#define DVLOG(level) \
  while (false) VLOG(level)
#else
#define DVLOG(level) VLOG(level)
#endif

#define LOG_FIRST_N(severity, n)                                              \
  for (static int rill_log_count = 0; rill_log_count < (n); ++rill_log_count) \
    for (bool rill_log_once = true; rill_log_once; rill_log_once = false) LOG(severity)

#define CHECK(condition) \
  if (TF_PREDICT_FALSE(!(condition))) LOG(FATAL) << "Check failed: " #condition " "

#define RILL_CHECK_OP(name, op, a, b)                                                       \
  while (::tensorflow::internal::CheckResult _result = ::tensorflow::internal::CheckResult( \
             ::tensorflow::internal::Check##name((a), (b), #a " " #op " " #b)))             \
  ::tensorflow::internal::LogMessageFatal(__FILE__, __LINE__).stream()                      \
      << "Check failed: " << *_result.text << " "
#define CHECK_EQ(a, b) RILL_CHECK_OP(EQ, ==, a, b)
#define CHECK_NE(a, b) RILL_CHECK_OP(NE, !=, a, b)
#define CHECK_LE(a, b) RILL_CHECK_OP(LE, <=, a, b)
#define CHECK_LT(a, b) RILL_CHECK_OP(LT, <, a, b)
#define CHECK_GE(a, b) RILL_CHECK_OP(GE, >=, a, b)
#define CHECK_GT(a, b) RILL_CHECK_OP(GT, >, a, b)
#define CHECK_NOTNULL(val) \
  ::tensorflow::internal::CheckNotNull(__FILE__, __LINE__, "'" #val "' Must be non NULL", (val))
#define QCHECK(condition) CHECK(condition)
#define QCHECK_EQ(a, b) CHECK_EQ(a, b)
#define QCHECK_NE(a, b) CHECK_NE(a, b)

#ifndef NDEBUG
#define DCHECK(condition) CHECK(condition)
#define DCHECK_EQ(a, b) CHECK_EQ(a, b)
#define DCHECK_NE(a, b) CHECK_NE(a, b)
#define DCHECK_LE(a, b) CHECK_LE(a, b)
#define DCHECK_LT(a, b) CHECK_LT(a, b)
#define DCHECK_GE(a, b) CHECK_GE(a, b)
#define DCHECK_GT(a, b) CHECK_GT(a, b)
#else
#define DCHECK(condition) \
  while (false && (condition)) LOG(FATAL)
#define RILL_NO_CHECK_OP(a, b) \
  while (false && ((void)(a), (void)(b), 0)) LOG(FATAL)
#define DCHECK_EQ(a, b) RILL_NO_CHECK_OP(a, b)
#define DCHECK_NE(a, b) RILL_NO_CHECK_OP(a, b)
#define DCHECK_LE(a, b) RILL_NO_CHECK_OP(a, b)
#define DCHECK_LT(a, b) RILL_NO_CHECK_OP(a, b)
#define DCHECK_GE(a, b) RILL_NO_CHECK_OP(a, b)
#define DCHECK_GT(a, b) RILL_NO_CHECK_OP(a, b)
#endif

#endif
