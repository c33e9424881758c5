#include "tests/script/script.h"

#include <fstream>
#include <regex>

#include "rill/base/error.h"
#include "tests/optest/compare.h"
#include "tests/script/literal.h"
#include "tests/script/program.h"

namespace rill::script {
namespace {

constexpr std::string_view kExpected = "----";
constexpr std::string_view kError = "error ";
constexpr Tolerance kTolerance{1e-5, 1e-7};

std::string check_shape(const Tensor& got, Scanner& in) {
  const Tensor dims = parse_literal(in).tensor(DType::i64);
  const Shape want(std::span<const std::int64_t>(dims.flat<std::int64_t>()));
  return got.shape() == want ? "" : str_cat("shape is ", got.shape(), ", expected ", want);
}

std::string check_value(const Tensor& got, const std::string& expected) {
  Scanner in(expected);
  if (in.take_word("shape")) return check_shape(got, in);
  const Literal literal = parse_literal(in);
  if (!in.at_end()) in.fail("the end");
  const Tensor want = literal.tensor(got.dtype());
  if (difference(got, want, kTolerance).empty()) return "";
  return str_cat("got ", summary(got, 20), "; expected ", summary(want, 20));
}

std::string check_values(const std::vector<Tensor>& got, const std::vector<std::string>& expected) {
  if (expected.empty()) return "";
  if (got.size() != expected.size())
    return str_cat(got.size(), " values were fetched, ", expected.size(), " are expected");
  for (std::size_t i = 0; i < got.size(); ++i)
    if (std::string wrong = check_value(got[i], expected[i]); !wrong.empty())
      return str_cat("fetch ", i, ": ", wrong);
  return "";
}

bool expects_error(const Statement& step) {
  return step.expected.size() == 1 && step.expected[0].starts_with(kError);
}

// `expected` is "Code: regular expression"; the code may be one, too: "(Cancelled|Aborted)".
std::string check_error(const Error& got, std::string_view expected) {
  const std::size_t colon = expected.find(':');
  const std::string_view code = strip(expected.substr(0, colon));
  const std::string pattern(colon == expected.npos ? "" : strip(expected.substr(colon + 1)));
  if (!std::regex_match(std::string(code_name(got.code())), std::regex(std::string(code))))
    return str_cat("the error is ", code_name(got.code()), ", not ", code, ": ", got.what());
  // [^] rather than a dot, which does not match the line breaks in messages.
  const std::regex regex(std::regex_replace(pattern, std::regex(R"(\.\*)"), "[^]*"));
  return std::regex_search(std::string(got.what()), regex) ? ""
                                                           : str_cat("the message is ", got.what());
}

std::string check(Program* program, const Statement& step) {
  std::vector<Tensor> values;
  try {
    values = program->execute(step.statement);
  } catch (...) {
    const Error error = current_error();
    if (!expects_error(step)) return error.what();
    return check_error(error, std::string_view(step.expected[0]).substr(kError.size()));
  }
  if (expects_error(step)) return str_cat("there was no error, expected: ", step.expected[0]);
  try {
    return check_values(values, step.expected);
  } catch (...) {
    return current_error().what();
  }
}

}  // namespace

std::vector<Statement> read_script(const std::string& path) {
  std::ifstream in(path);
  if (!in) raise(Code::kNotFound, "cannot read ", path);
  std::vector<Statement> steps;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const std::string text(strip(line));
    if (text.empty() || text[0] == '#') continue;
    const bool continues = line[0] == ' ' || line[0] == '\t';
    const bool expected = text.starts_with(kExpected);
    if ((continues || expected) && steps.empty())
      raise(Code::kInvalidArgument, path, ":", number, ": no statement above");
    if (expected)
      steps.back().expected.emplace_back(strip(std::string_view(text).substr(kExpected.size())));
    else if (continues)
      (steps.back().expected.empty() ? steps.back().statement : steps.back().expected.back()) +=
          " " + text;
    else
      steps.push_back({number, text, {}});
  }
  return steps;
}

std::vector<std::string> run_script(const std::vector<Statement>& steps,
                                    const SessionOptions& options) {
  Program program(options);
  std::vector<std::string> wrong;
  for (const Statement& step : steps)
    if (std::string what = check(&program, step); !what.empty())
      wrong.push_back(str_cat("line ", step.line, ": ", step.statement, "\n    ", what));
  return wrong;
}

}  // namespace rill::script
