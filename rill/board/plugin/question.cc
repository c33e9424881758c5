#include "rill/board/plugin/question.h"

#include "rill/base/text.h"
#include "rill/board/data/markdown.h"

namespace rill::board {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string url_decoded(std::string_view text, bool plus_is_blank) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
                           hex_digit(text[i + 2]) >= 0;
    if (is_escape) {
      decoded += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      decoded += text[i] == '+' && plus_is_blank ? ' ' : text[i];
    }
  }
  return decoded;
}

std::string url_encoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') ||
                          std::string_view("-_.~").find(c) != std::string_view::npos;
    if (is_plain)
      encoded += c;
    else
      encoded += {'%', kDigits[code >> 4], kDigits[code & 15]};
  }
  return encoded;
}

Question::Question(const net::HttpRequest& request, std::string_view target) : request_(request) {
  const std::size_t query = target.find('?');
  path_ = url_decoded(target.substr(0, query), false);
  if (query != std::string_view::npos) take_pairs(target.substr(query + 1));
  if (request.method == "POST" &&
      request.content_type.starts_with("application/x-www-form-urlencoded"))
    take_pairs(request.body);
  if (request.method == "POST" && request.content_type.starts_with("multipart/form-data")) {
    // Parts of short texts, as scripts send forms.
    const std::size_t at = request.content_type.find("boundary=");
    if (at == std::string::npos) return;
    std::string_view name = std::string_view(request.content_type).substr(at + 9);
    if (name.size() > 1 && name.front() == '"') name = name.substr(1, name.find('"', 1) - 1);
    const std::string boundary = str_cat("--", name);
    std::string_view rest = request.body;
    for (std::size_t begin = rest.find(boundary); begin != std::string_view::npos;) {
      rest.remove_prefix(begin + boundary.size());
      begin = rest.find(boundary);
      const std::string_view part = rest.substr(0, begin);
      const std::size_t body = part.find("\r\n\r\n"), field = part.find("name=\"");
      if (body == std::string_view::npos || field == std::string_view::npos || field > body)
        continue;
      const std::string_view label = part.substr(field + 6, part.find('"', field + 6) - field - 6);
      std::string_view value = part.substr(body + 4);
      if (value.ends_with("\r\n")) value.remove_suffix(2);
      parameters_.emplace_back(label, value);
    }
  }
}

void Question::take_pairs(std::string_view text) {
  for (const std::string_view pair : split(text, '&')) {
    const std::size_t equals = pair.find('=');
    if (pair.empty()) continue;
    parameters_.emplace_back(
        url_decoded(pair.substr(0, equals)),
        equals == std::string_view::npos ? "" : url_decoded(pair.substr(equals + 1)));
  }
}

bool Question::has(std::string_view name) const {
  for (const auto& [known, value] : parameters_)
    if (known == name) return true;
  return false;
}

std::string Question::parameter_or(std::string_view name, std::string_view otherwise) const {
  for (const auto& [known, value] : parameters_)
    if (known == name) return value;
  return std::string(otherwise);
}

std::string Question::parameter(std::string_view name) const {
  require(has(name), "query parameter \"", name, "\" is required");
  return parameter_or(name, "");
}

double Question::number_or(std::string_view name, double otherwise) const {
  double value = 0;
  return parse_float(parameter_or(name, ""), &value) ? value : otherwise;
}

std::size_t Question::count_or(std::string_view name, std::size_t otherwise) const {
  if (!has(name)) return otherwise;
  long long value = 0;
  require(parse_int(parameter_or(name, ""), &value) && value >= 0 && value < 1'000'000'000,
          "query parameter \"", name, "\" must be a number that is not negative");
  return static_cast<std::size_t>(value);
}

std::vector<std::string> Question::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [known, value] : parameters_)
    if (known == name) values.push_back(value);
  return values;
}

std::shared_ptr<const Run> asked_run(const BoardFacts& board, const Question& question,
                                     std::string_view what) {
  const std::string name = question.parameter("run");
  auto run = board.logs.run(name);
  if (!run)
    raise(Code::kNotFound, "No ", what, " for run='", name, "', tag='",
          question.parameter_or("tag", ""), "'");
  return run;
}

const Series& asked_series(const Run::Contents& contents, const Question& question,
                           std::string_view run, std::string_view plugin, std::string_view what) {
  const std::string tag = question.parameter("tag");
  const auto found = contents.series.find(tag);
  if (found == contents.series.end() || found->second.metadata.plugin != plugin)
    raise(Code::kNotFound, "No ", what, " for run='", run, "', tag='", tag, "'");
  return found->second;
}

Answer tags_answer(const BoardFacts& board, std::string_view plugin,
                   FunctionRef<void(const Series&, JsonOut&)> more) {
  JsonOut json;
  json.open_object();
  for (const auto& run : board.logs.runs())
    run->with_lock([&](const Run::Contents& contents) {
      bool is_first = true;
      for (const auto& [tag, series] : contents.series) {
        if (series.metadata.plugin != plugin) continue;
        if (std::exchange(is_first, false)) json.key(run->name()).open_object();
        json.key(tag).open_object();
        json.member("displayName", series.metadata.display_name);
        json.member("description", series.metadata.description.empty()
                                       ? ""
                                       : markdown_to_html(series.metadata.description));
        more(series, json);
        json.close_object();
      }
      if (!is_first) json.close_object();
    });
  json.close_object();
  return json_answer(json);
}

StoredSeries asked_stored(const BoardFacts& board, const Question& question,
                          std::string_view plugin, std::string_view what) {
  const auto run = asked_run(board, question, what);
  return run->with_lock([&](const Run::Contents& contents) {
    const Series& series = asked_series(contents, question, run->name(), plugin, what);
    return StoredSeries{series.stored, contents.paths, series.metadata};
  });
}

}  // namespace rill::board
