#include "rill/inspect/profiler/profile_options.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "rill/base/error.h"
#include "rill/inspect/profiler/name_patterns.h"
#include "tensorflow/core/profiler/tfprof_options.pb.h"

namespace rill::profiler {
namespace {

constexpr std::string_view kOrders[] = {
    "name",         "bytes",     "peak_bytes", "residual_bytes",
    "output_bytes", "micros",    "params",     "accelerator_micros",
    "cpu_micros",   "float_ops", "occurrence"};
constexpr std::string_view kFigures[] = {
    "bytes",      "micros",     "params",         "float_ops",    "tensor_value",
    "device",     "op_types",   "occurrence",     "input_shapes", "accelerator_micros",
    "cpu_micros", "peak_bytes", "residual_bytes", "output_bytes"};
constexpr std::string_view kOutputs[] = {"stdout", "none", "file", "timeline", "pprof", "flame"};

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

struct NumberFlag {
  std::string_view name;
  std::int64_t ProfileOptions::*field;
};
// In the order in which they are shown; `step` and what follows stands after the figures.
constexpr NumberFlag kNumbers[] = {
    {"-max_depth", &ProfileOptions::max_depth},
    {"-min_bytes", &ProfileOptions::min_bytes},
    {"-min_peak_bytes", &ProfileOptions::min_peak_bytes},
    {"-min_residual_bytes", &ProfileOptions::min_residual_bytes},
    {"-min_output_bytes", &ProfileOptions::min_output_bytes},
    {"-min_micros", &ProfileOptions::min_micros},
    {"-min_accelerator_micros", &ProfileOptions::min_accelerator_micros},
    {"-min_cpu_micros", &ProfileOptions::min_cpu_micros},
    {"-min_params", &ProfileOptions::min_params},
    {"-min_float_ops", &ProfileOptions::min_float_ops},
    {"-min_occurrence", &ProfileOptions::min_occurrence},
    {"-step", &ProfileOptions::step}};

struct RegexFlag {
  std::string_view name;
  std::vector<std::string> ProfileOptions::*field;
};
constexpr RegexFlag kRegexes[] = {{"-account_type_regexes", &ProfileOptions::account_type_regexes},
                                  {"-start_name_regexes", &ProfileOptions::start_name_regexes},
                                  {"-trim_name_regexes", &ProfileOptions::trim_name_regexes},
                                  {"-show_name_regexes", &ProfileOptions::show_name_regexes},
                                  {"-hide_name_regexes", &ProfileOptions::hide_name_regexes}};

template <class Strings>
std::vector<std::string> to_strings(const Strings& strings) {
  return {strings.begin(), strings.end()};
}

std::vector<std::string> comma_separated(std::string_view text) {
  std::vector<std::string> parts;
  for (const std::string_view part : split(text, ','))
    if (!strip(part).empty()) parts.emplace_back(strip(part));
  return parts;
}

[[noreturn]] void invalid_flag(std::string_view name, std::string_view value) {
  raise(Code::kInvalidArgument, "Invalid option '", name, "' value: '", value, "'");
}

bool parse_bool(std::string_view name, std::string_view value) {
  if (value == "true") return true;
  if (value == "false") return false;
  invalid_flag(name, value);
}

bool parse_number(std::string_view name, std::string_view value, ProfileOptions* options) {
  for (const auto& [flag, field] : kNumbers) {
    if (flag != name) continue;
    const auto end = value.data() + value.size();
    const auto [last, error] = std::from_chars(value.data(), end, options->*field);
    if (error != std::errc{} || last != end) invalid_flag(name, value);
    return true;
  }
  return false;
}

bool parse_regexes(std::string_view name, std::string_view value, ProfileOptions* options) {
  for (const auto& [flag, field] : kRegexes) {
    if (flag != name) continue;
    options->*field = comma_separated(value);
    return true;
  }
  return false;
}

void parse_flag(std::string_view name, std::string_view value, ProfileOptions* options) {
  if (parse_number(name, value, options) || parse_regexes(name, value, options)) return;
  if (name == "-account_displayed_op_only") {
    options->account_displayed_op_only = parse_bool(name, value);
  } else if (name == "-order_by") {
    if (!is_one_of(value, kOrders)) invalid_flag(name, value);
    options->order_by = value;
  } else if (name == "-select") {
    const auto chosen = comma_separated(value);
    for (const auto& figure : chosen)
      if (!is_one_of(figure, kFigures)) invalid_flag(name, value);
    options->select = {chosen.begin(), chosen.end()};
  } else if (name == "-output") {
    parse_output(value, options);
  } else {
    invalid_flag(name, value);
  }
}

std::string unquoted(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c == '\'' || c == '"'; }),
             text.end());
  return text;
}

std::string flag_line(std::string_view name, std::string_view value) {
  std::string line(name);
  line.resize(std::max<std::size_t>(28, line.size()), ' ');
  return line.append(value).append("\n");
}

}  // namespace

void parse_output(std::string_view text, ProfileOptions* options) {
  const auto colon = text.find(':');
  options->output = text.substr(0, colon);
  options->output_options.clear();
  if (colon == std::string_view::npos) return;
  for (const auto& part : comma_separated(text.substr(colon + 1))) {
    const auto equals = part.find('=');
    require(equals != std::string::npos, "Invalid output option '", part, "': expected name=value");
    options->output_options[part.substr(0, equals)] = part.substr(equals + 1);
  }
}

bool is_figure(std::string_view name) { return is_one_of(name, kFigures); }

void ProfileOptions::check() const {
  require(is_one_of(output, kOutputs), "A profile has no output '", output, "'; expected ",
          join({std::begin(kOutputs), std::end(kOutputs)}, ", "));
  if (output != "stdout" && output != "none") {
    const auto file = output_options.find("outfile");
    require(file != output_options.end() && !file->second.empty(), "Output '", output,
            "' needs a file: ", output, ":outfile=FILE");
  }
  for (const auto& [flag, field] : kRegexes) NamePatterns(this->*field);
}

ProfileOptions from_proto(const tensorflow::tfprof::OptionsProto& proto) {
  ProfileOptions options;
  options.max_depth = proto.max_depth();
  options.min_bytes = proto.min_bytes();
  options.min_peak_bytes = proto.min_peak_bytes();
  options.min_residual_bytes = proto.min_residual_bytes();
  options.min_output_bytes = proto.min_output_bytes();
  options.min_micros = proto.min_micros();
  options.min_accelerator_micros = proto.min_accelerator_micros();
  options.min_cpu_micros = proto.min_cpu_micros();
  options.min_params = proto.min_params();
  options.min_float_ops = proto.min_float_ops();
  options.min_occurrence = proto.min_occurrence();
  options.step = proto.step();
  options.order_by = proto.order_by();
  options.account_type_regexes = to_strings(proto.account_type_regexes());
  options.start_name_regexes = to_strings(proto.start_name_regexes());
  options.trim_name_regexes = to_strings(proto.trim_name_regexes());
  options.show_name_regexes = to_strings(proto.show_name_regexes());
  options.hide_name_regexes = to_strings(proto.hide_name_regexes());
  options.account_displayed_op_only = proto.account_displayed_op_only();
  options.select = {proto.select().begin(), proto.select().end()};
  parse_output(proto.output(), &options);
  return options;
}

std::string to_text(const ProfileOptions& options) {
  std::string text;
  for (const auto& [name, field] : kNumbers)
    text += flag_line(name, std::to_string(options.*field));
  text += flag_line("-order_by", options.order_by);
  for (const auto& [name, field] : kRegexes) text += flag_line(name, join(options.*field, ","));
  text +=
      flag_line("-account_displayed_op_only", options.account_displayed_op_only ? "true" : "false");
  text += flag_line("-select", join({options.select.begin(), options.select.end()}, ","));
  std::vector<std::string> how;
  for (const auto& [name, value] : options.output_options) how.push_back(str_cat(name, "=", value));
  return text + flag_line("-output", str_cat(options.output, ":", join(how, ",")));
}

void parse_flags(const std::vector<std::string>& tokens, ProfileOptions* options) {
  for (std::size_t i = 0; i < tokens.size(); i += 2) {
    if (i + 1 == tokens.size()) invalid_flag(tokens[i], "");
    parse_flag(tokens[i], unquoted(tokens[i + 1]), options);
  }
}

}  // namespace rill::profiler
