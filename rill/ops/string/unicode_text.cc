#include "rill/ops/string/unicode_text.h"

#include <unicode/locid.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

#include <limits>

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

std::int32_t script_of(std::int32_t character) {
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(character, &status);
  return U_SUCCESS(status) ? static_cast<std::int32_t>(script) : -1;
}

}  // namespace rill
