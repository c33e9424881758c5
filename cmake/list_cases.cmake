# Writes LIST, which gives the case tables of one SOURCE to rill_optest's main program.
file(STRINGS ${SOURCE} tables REGEX "^extern const OpCases k[A-Za-z0-9]+")
list(TRANSFORM tables REPLACE "^extern const OpCases (k[A-Za-z0-9]+).*" "\\1")
if(NOT tables)
  message(FATAL_ERROR "${SOURCE} has no table: extern const OpCases k...Cases{...}")
endif()
list(TRANSFORM tables PREPEND "extern const OpCases " OUTPUT_VARIABLE declared)
list(JOIN declared ";\n" declared)
list(JOIN tables ", &" tables)
file(WRITE ${LIST} "#include \"tests/optest/op_case.h\"
namespace rill {
${declared};
std::span<const OpCases* const> all_cases() {
  static const OpCases* const cases[] = {&${tables}};
  return cases;
}
}
")
