#include "rill/ops/string/map_strings.h"
#include "rill/ops/string/number_text.h"

namespace rill {

extern const OpDecl kStringToNumber;

namespace {

template <class T>
void string_to_number(KernelCall& call) {
  map_strings<T>(call, 20, 1, [](const std::string& text, T& number) {
    require(read_number(text, &number),
            "StringToNumberOp could not correctly convert string: ", text);
  });
}

template <class T>
constexpr KernelEntry to_number_entry() {
  return {.op = &kStringToNumber, .types = dtype_of<T>, .run = string_to_number<T>};
}
constexpr KernelEntry kEntries[] = {to_number_entry<float>(), to_number_entry<double>(),
                                    to_number_entry<std::int32_t>(),
                                    to_number_entry<std::int64_t>()};

}  // namespace

extern const KernelTable kStringToNumberCpu{kEntries};

}  // namespace rill
