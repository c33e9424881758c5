#include "rill/ops/string/map_strings.h"
#include "rill/ops/string/unicode_text.h"
#include "rill/ops/string/white_space.h"

namespace rill {

extern const OpDecl kStringLower, kStringUpper, kStringStrip;

namespace {

char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
char ascii_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

template <char (*change)(char)>
void change_ascii(KernelCall& call) {
  map_strings<std::string>(call, 20, 0.2, [](const std::string& text, std::string& out) {
    out = text;
    std::ranges::transform(out, out.begin(), change);
  });
}

template <std::string (*change)(std::string_view)>
void change_utf8(KernelCall& call) {
  map_strings<std::string>(call, 200, 4, [](const std::string& text, std::string& out) {
    // TensorFlow hands ICU a C string, which ends at the first NUL.
    out = change(std::string_view(text).substr(0, text.find('\0')));
  });
}

bool is_utf8(const KernelCall& call) { return !call.node().attr<std::string>("encoding").empty(); }

void string_lower(KernelCall& call) {
  is_utf8(call) ? change_utf8<utf8_lower>(call) : change_ascii<ascii_lower>(call);
}

void string_upper(KernelCall& call) {
  is_utf8(call) ? change_utf8<utf8_upper>(call) : change_ascii<ascii_upper>(call);
}

void string_strip(KernelCall& call) {
  map_strings<std::string>(call, 20, 0.1, [](const std::string& text, std::string& out) {
    const auto is_text = [](char c) { return !is_space(c); };
    const auto begin = std::find_if(text.begin(), text.end(), is_text);
    out.assign(begin, std::find_if(text.rbegin(), std::reverse_iterator(begin), is_text).base());
  });
}

constexpr KernelEntry kEntries[] = {{.op = &kStringLower, .run = string_lower},
                                    {.op = &kStringUpper, .run = string_upper},
                                    {.op = &kStringStrip, .run = string_strip}};

}  // namespace

extern const KernelTable kStringCaseCpu{kEntries};

}  // namespace rill
