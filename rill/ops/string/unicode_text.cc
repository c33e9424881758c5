#include "rill/ops/string/unicode_text.h"

#include <unicode/locid.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <array>
#include <limits>
#include <memory>

#include "rill/base/error.h"

namespace rill {
namespace {

icu::UnicodeString unicode(std::string_view text) {
  require(text.size() <= std::numeric_limits<std::int32_t>::max() / 4, "a string of ", text.size(),
          " bytes is too long for Unicode's rules of case");
  return icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())});
}

std::string utf8(const icu::UnicodeString& text) {
  std::string bytes;
  return text.toUTF8String(bytes);
}

}  // namespace

std::string utf8_lower(std::string_view text) {
  return utf8(unicode(text).toLower(icu::Locale::getRoot()));
}

std::string utf8_upper(std::string_view text) {
  return utf8(unicode(text).toUpper(icu::Locale::getRoot()));
}

namespace {

std::int32_t look_up_script(std::int32_t character) {
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(character, &status);
  return U_SUCCESS(status) ? static_cast<std::int32_t>(script) : -1;
}

// Of all characters that texts are mostly made of: the first 2^16.
using Scripts = std::array<std::int16_t, std::size_t{1} << 16>;

}  // namespace

std::int32_t script_of(std::int32_t character) {
  static const auto kScripts = [] {
    auto scripts = std::make_unique<Scripts>();
    for (std::size_t i = 0; i < scripts->size(); ++i)
      (*scripts)[i] = static_cast<std::int16_t>(look_up_script(static_cast<std::int32_t>(i)));
    return scripts;
  }();
  const auto at = static_cast<std::uint32_t>(character);
  return at < kScripts->size() ? (*kScripts)[at] : look_up_script(character);
}

}  // namespace rill
