#pragma once

#include <string>
#include <string_view>

namespace rill {

// A node calls the gradient of a function under the function's token and this ending.
inline constexpr std::string_view kGradientEnding = "/gradient";

inline bool is_gradient_token(std::string_view token) { return token.ends_with(kGradientEnding); }
inline std::string gradient_token(std::string_view token) {
  return std::string(token).append(kGradientEnding);
}
inline std::string function_token(std::string_view gradient) {
  return std::string(gradient.substr(0, gradient.size() - kGradientEnding.size()));
}

}  // namespace rill
