#include <cstdio>

#include "rill/base/text.h"
#include "tensorflow/core/lib/strings/numbers.h"
#include "tensorflow/core/util/command_line_flags.h"

namespace tensorflow {
namespace {

bool parse_flag(const string& text, int32* value) { return strings::safe_strto32(text, value); }
bool parse_flag(const string& text, int64* value) { return strings::safe_strto64(text, value); }
bool parse_flag(const string& text, float* value) { return strings::safe_strtof(text, value); }
bool parse_flag(const string& text, string* value) { return *value = text, true; }
bool parse_flag(const string& text, bool* value) {
  const string lowered = rill::lower(text);
  *value = lowered == "true" || lowered == "1" || text.empty();
  return *value || lowered == "false" || lowered == "0";
}

template <class T>
string shown(const T& value) {
  return rill::str_cat(value);
}
string shown(const string& value) { return "\"" + value + "\""; }

template <class T>
std::function<bool(const string&)> setter(T* dst) {
  return [dst](const string& text) { return parse_flag(text, dst); };
}
template <class T>
std::function<bool(const string&)> hooked(std::function<bool(T)> hook) {
  return [hook](const string& text) {
    T value{};
    return parse_flag(text, &value) && hook(value);
  };
}

}  // namespace

Flag::Flag(const char* name, const char* type, const string& shown, const string& usage_text)
    : name_(name),
      type_(type),
      shown_default_(shown),
      usage_(usage_text),
      is_bool_(type_ == "bool") {}

#define RILL_DEFINE_FLAG(TYPE, NAME)                                                           \
  Flag::Flag(const char* name, TYPE* dst, const string& usage_text)                            \
      : Flag(name, NAME, shown(*dst), usage_text) {                                            \
    set_ = setter(dst);                                                                        \
  }                                                                                            \
  Flag::Flag(const char* name, std::function<bool(TYPE)> hook, TYPE default_value_for_display, \
             const string& usage_text)                                                         \
      : Flag(name, NAME, shown(default_value_for_display), usage_text) {                       \
    set_ = hooked<TYPE>(std::move(hook));                                                      \
  }
RILL_DEFINE_FLAG(int32, "int32")
RILL_DEFINE_FLAG(int64, "int64")
RILL_DEFINE_FLAG(float, "float")
RILL_DEFINE_FLAG(bool, "bool")
RILL_DEFINE_FLAG(string, "string")
#undef RILL_DEFINE_FLAG

bool Flag::Parse(const string& argument, bool* ok) const {
  *ok = true;
  const string start = "--" + name_;
  if (argument == start && is_bool_) return *ok = set_("true"), true;
  if (argument.compare(0, start.size() + 1, start + "=") != 0) return false;
  *ok = set_(argument.substr(start.size() + 1));
  if (!*ok)
    std::fprintf(stderr, "Couldn't interpret value %s for flag %s.\n",
                 argument.substr(start.size() + 1).c_str(), name_.c_str());
  return true;
}

bool Flags::Parse(int* argc, char** argv, const std::vector<Flag>& flag_list) {
  bool all_ok = true, only_names = false;
  int kept = 1;
  for (int i = 1; i < *argc; ++i) {
    bool taken = false;
    if (string(argv[i]) == "--") {
      only_names = true;
    } else if (!only_names) {
      for (const Flag& flag : flag_list) {
        bool ok = true;
        taken = flag.Parse(argv[i], &ok);
        all_ok = all_ok && ok;
        if (taken) break;
      }
    }
    if (!taken) argv[kept++] = argv[i];
  }
  if (*argc > 0) {
    *argc = kept;
    argv[kept] = nullptr;
  }
  for (int i = 1; i < *argc; ++i) {
    if (string(argv[i]) == "--") break;
    if (string(argv[i]) == "--help") return false;
  }
  return all_ok;
}

string Flags::Usage(const string& cmdline, const std::vector<Flag>& flag_list) {
  string text = "usage: " + cmdline + "\n";
  if (!flag_list.empty()) text += "Flags:\n";
  for (const Flag& flag : flag_list) {
    string line = "--" + flag.name_ + "=" + flag.shown_default_;
    if (line.size() < 33) line.resize(33, ' ');
    text += "\t" + line + "\t" + flag.type_ + "\t" + flag.usage_ + "\n";
  }
  return text;
}

}  // namespace tensorflow
