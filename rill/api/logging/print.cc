#include "rill/api/logging/print.h"

#include <algorithm>
#include <array>

#include "rill/api/core/texts.h"
#include "rill/api/gen/logging.h"
#include "rill/base/error.h"

namespace rill {
namespace {

constexpr std::array<std::string_view, 5> kStreams = {"stdout", "stderr", "log(info)",
                                                      "log(warning)", "log(error)"};

void check_stream(const std::string& stream) {
  require(std::ranges::find(kStreams, stream) != kStreams.end() || stream.starts_with("file://"),
          "Unsupported output stream, logging level, or file.", stream,
          ". Supported streams are sys.stdout, sys.stderr, tf.logging.info, tf.logging.warning, "
          "tf.logging.error. File needs to be in the form of 'file://<filepath>'.");
}

Node& write(const Input& text, const PrintOptions& options, std::source_location at) {
  check_stream(options.output_stream);
  return raw::PrintV2(
      text, {.output_stream = options.output_stream, .end = options.end, .name = options.name}, at);
}

bool is_text(const Input& input) {
  if (!input.is_output()) return false;
  const Output tensor = input.output();
  return base_type(tensor.dtype()) == DType::string && tensor.shape().rank() == 0;
}

}  // namespace

std::string placeholder_for(const std::string& text) {
  std::string placeholder = "{}";
  for (int digit = 0; text.find(placeholder) != text.npos; digit = (digit + 7) % 10)
    placeholder += static_cast<char>('0' + digit);
  return placeholder;
}

Node& print_formatted(const std::string& text, const Inputs& tensors,
                      const std::string& placeholder, const PrintOptions& options,
                      std::source_location at) {
  check_stream(options.output_stream);
  if (tensors.size() == 1 && text == placeholder && is_text(tensors[0]))
    return write(tensors[0], options, at);
  Scope scope = here(at);
  const Output formatted = scope
                               .add("StringFormat", {tensors},
                                    {{"template", text},
                                     {"placeholder", placeholder},
                                     {"summarize", options.summarize.value_or(3)}},
                                    options.name.empty() ? std::string() : options.name + "_format")
                               .output();
  return write(formatted, options, at);
}

Node& print(const Inputs& inputs, const PrintOptions& options, std::source_location at) {
  std::string fixed;
  for (const Input& input : inputs)
    if (input.is_value()) fixed += value_text(input.value(DType::invalid)) + options.sep;
  const std::string placeholder = placeholder_for(fixed);
  std::vector<std::string> parts;
  std::vector<Input> tensors;
  for (const Input& input : inputs) {
    parts.push_back(input.is_value() ? value_text(input.value(DType::invalid)) : placeholder);
    if (!input.is_value()) tensors.push_back(input);
  }
  return print_formatted(join(parts, options.sep), tensors, placeholder, options, at);
}

Output Print(const Input& input, const Inputs& data, const PrintThroughOptions& options,
             std::source_location at) {
  return raw::Print(input, data,
                    {.message = options.message,
                     .first_n = options.first_n.value_or(-1),
                     .summarize = options.summarize.value_or(3),
                     .name = options.name},
                    at);
}

Output timestamp(const TimestampOptions& options, std::source_location at) {
  return raw::Timestamp({.name = options.name}, at);
}

}  // namespace rill
