#ifndef TENSORFLOW_CORE_UTIL_COMMAND_LINE_FLAGS_H_
#define TENSORFLOW_CORE_UTIL_COMMAND_LINE_FLAGS_H_

#include <functional>
#include <string>
#include <vector>

#include "tensorflow/core/platform/types.h"

namespace tensorflow {

// One flag of a program: its name, where its value goes, and what it is for. On the command line
// --name=value, or --name for a bool.
class Flag {
 public:
  Flag(const char* name, int32* dst, const string& usage_text);
  Flag(const char* name, int64* dst, const string& usage_text);
  Flag(const char* name, float* dst, const string& usage_text);
  Flag(const char* name, bool* dst, const string& usage_text);
  Flag(const char* name, string* dst, const string& usage_text);
  // A hook takes the value and returns false to refuse it.
  Flag(const char* name, std::function<bool(int32)> hook, int32 default_value_for_display,
       const string& usage_text);
  Flag(const char* name, std::function<bool(int64)> hook, int64 default_value_for_display,
       const string& usage_text);
  Flag(const char* name, std::function<bool(float)> hook, float default_value_for_display,
       const string& usage_text);
  Flag(const char* name, std::function<bool(bool)> hook, bool default_value_for_display,
       const string& usage_text);
  Flag(const char* name, std::function<bool(string)> hook, string default_value_for_display,
       const string& usage_text);

 private:
  friend class Flags;
  Flag(const char* name, const char* type, const string& shown, const string& usage_text);
  // Takes `--name=value` when it is this flag's; `ok` is false when the value makes no sense.
  bool Parse(const string& argument, bool* ok) const;

  string name_, type_, shown_default_, usage_;
  bool is_bool_;
  std::function<bool(const string&)> set_;
};

class Flags {
 public:
  // Takes the flags it knows out of argv; false when a value makes no sense.
  static bool Parse(int* argc, char** argv, const std::vector<Flag>& flag_list);
  static string Usage(const string& cmdline, const std::vector<Flag>& flag_list);
};

}  // namespace tensorflow

#endif
