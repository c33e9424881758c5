#pragma once

#include <cstdint>

namespace rill {

// Traits of ops, beside those of op_decl.h, by which the runtime knows that the memory of a
// variable can be filled where it lies.
inline constexpr std::uint32_t kAssigns = 1u << 27;  // input 1 becomes the variable on input 0
// Its kernel finds outputs that hold memory it may write over: that of the variable which will be
// assigned the output, still in the variable. It takes it or sets the output to something else.
inline constexpr std::uint32_t kFillsVariables = 1u << 28;

}  // namespace rill
