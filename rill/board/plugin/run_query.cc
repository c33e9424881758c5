#include "rill/board/plugin/run_query.h"

#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "rill/base/error.h"

namespace rill::board {
namespace {

using Kind = HParamValue::Kind;
constexpr int kDeepestQuestion = 100;  // brackets within brackets

// A word of a question, and where it stands.
struct Word {
  enum class Kind { kName, kQuotedName, kText, kNumber, kSign, kEnd };
  Kind kind = Kind::kEnd;
  std::string text;
  std::size_t at = 0;
};

bool is_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '.' || c == '/' || c == '-' || c == ':' || static_cast<unsigned char>(c) >= 0x80;
}

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    const std::size_t begin = at;
    if (c == ' ' || c == '\t' || c == '\n') {
      ++at;
      continue;
    }
    if (c == '`' || c == '"' || c == '\'') {
      const std::size_t end = text.find(c, at + 1);
      require(end != std::string_view::npos, "A quotation that begins at ", at, " has no end");
      words.push_back({c == '`' ? Word::Kind::kQuotedName : Word::Kind::kText,
                       std::string(text.substr(at + 1, end - at - 1)), begin});
      at = end + 1;
    } else if (is_letter(c) || c == '+') {
      while (at < text.size() && (is_letter(text[at]) || text[at] == '+')) ++at;
      const std::string word(text.substr(begin, at - begin));
      double number = 0;
      words.push_back(
          {parse_float(word, &number) ? Word::Kind::kNumber : Word::Kind::kName, word, begin});
    } else {
      const bool is_pair = at + 1 < text.size() && text[at + 1] == '=' &&
                           std::string_view("<>=!").find(c) != std::string_view::npos;
      require(is_pair || std::string_view("()<>=~").find(c) != std::string_view::npos,
              "A question has no ", text.substr(at, 1), " (at ", at, ")");
      at += is_pair ? 2 : 1;
      words.push_back({Word::Kind::kSign, std::string(text.substr(begin, at - begin)), begin});
    }
  }
  words.push_back({Word::Kind::kEnd, "the end", text.size()});
  return words;
}

// What is known of one run.
using Lookup = std::function<HParamValue(const std::string&)>;
using Test = std::function<bool(const Lookup&)>;

class QuestionParser {
 public:
  explicit QuestionParser(std::string_view text) : words_(words_of(text)) {}

  Test test = [](const Lookup&) { return true; };
  std::vector<std::string> names;
  std::string sort_name;
  bool is_descending = false;
  std::size_t limit = std::numeric_limits<std::size_t>::max();

  void parse() {
    if (!is_word("sort") && !is_word("limit") && word().kind != Word::Kind::kEnd) test = either(0);
    if (take("sort")) {
      sort_name = name();
      is_descending = take("desc");
      if (!is_descending) take("asc");
    }
    if (take("limit")) {
      long long number = 0;
      check(word().kind == Word::Kind::kNumber && parse_int(word().text, &number) && number >= 0,
            "a number");
      limit = static_cast<std::size_t>(number);
      ++at_;
    }
    check(word().kind == Word::Kind::kEnd, "and, or, sort, limit or the end");
  }

 private:
  const Word& word() const { return words_[at_]; }
  void check(bool ok, std::string_view wanted) const {
    require(ok, "Expected ", wanted, " instead of ", word().text, " (at ", word().at, ")");
  }
  bool is_word(std::string_view text) const {
    return word().kind == Word::Kind::kName && lower(word().text) == text;
  }
  bool take(std::string_view text) {
    if (!is_word(text)) return false;
    ++at_;
    return true;
  }
  bool take_sign(std::string_view sign) {
    if (word().kind != Word::Kind::kSign || word().text != sign) return false;
    ++at_;
    return true;
  }

  Test either(int depth) {
    Test left = both(depth);
    while (take("or"))
      left = [left, right = both(depth)](const Lookup& run) { return left(run) || right(run); };
    return left;
  }
  Test both(int depth) {
    Test left = single(depth);
    while (take("and"))
      left = [left, right = single(depth)](const Lookup& run) { return left(run) && right(run); };
    return left;
  }
  Test single(int depth) {
    check(depth < kDeepestQuestion, "fewer brackets");
    if (take("not")) return [inner = single(depth + 1)](const Lookup& run) { return !inner(run); };
    if (take_sign("(")) {
      Test inner = either(depth + 1);
      check(take_sign(")"), "a closing bracket");
      return inner;
    }
    return comparison();
  }

  std::string name() {
    check(word().kind == Word::Kind::kName || word().kind == Word::Kind::kQuotedName, "a name");
    const std::string found = words_[at_++].text;
    if (std::ranges::find(names, found) == names.end() && found != "run") names.push_back(found);
    return found;
  }

  std::function<HParamValue(const Lookup&)> operand() {
    if (word().kind == Word::Kind::kNumber) {
      HParamValue value{.kind = Kind::kNumber};
      parse_float(words_[at_++].text, &value.number);
      return [value](const Lookup&) { return value; };
    }
    if (word().kind == Word::Kind::kText) {
      HParamValue value{.kind = Kind::kText, .text = words_[at_++].text};
      return [value](const Lookup&) { return value; };
    }
    if (is_word("true") || is_word("false")) {
      HParamValue value{.kind = Kind::kBoolean, .number = is_word("true") ? 1.0 : 0.0};
      ++at_;
      return [value](const Lookup&) { return value; };
    }
    return [found = name()](const Lookup& run) { return run(found); };
  }

  Test comparison() {
    const auto left = operand();
    if (take_sign("~")) {
      check(word().kind == Word::Kind::kText || word().kind == Word::Kind::kName, "a pattern");
      const auto pattern = std::make_shared<const RE2>(words_[at_++].text, RE2::Quiet);
      require(pattern->ok(), "This is no pattern: ", pattern->pattern());
      return [left, pattern](const Lookup& run) {
        const HParamValue value = left(run);
        return value.kind == Kind::kText && RE2::PartialMatch(value.text, *pattern);
      };
    }
    for (const std::string_view sign : {"<=", ">=", "!=", "==", "=", "<", ">"})
      if (take_sign(sign)) {
        return [left, right = operand(), sign](const Lookup& run) {
          return compare(left(run), sign, right(run));
        };
      }
    return [left](const Lookup& run) {
      const HParamValue value = left(run);
      return value.kind == Kind::kBoolean ? value.number != 0 : value.kind != Kind::kNone;
    };
  }

  static bool compare(const HParamValue& a, std::string_view sign, const HParamValue& b) {
    if (a.kind == Kind::kNone || b.kind == Kind::kNone) return false;
    if ((a.kind == Kind::kText) != (b.kind == Kind::kText)) return sign == "!=";
    const bool is_text = a.kind == Kind::kText;
    const bool is_less = is_text ? a.text < b.text : a.number < b.number;
    const bool is_more = is_text ? a.text > b.text : a.number > b.number;
    const bool is_equal = is_text ? a.text == b.text : a.number == b.number;
    if (sign == "<") return is_less;
    if (sign == ">") return is_more;
    if (sign == "<=") return is_less || is_equal;
    if (sign == ">=") return is_more || is_equal;
    return is_equal == (sign != "!=");
  }

  const std::vector<Word> words_;
  std::size_t at_ = 0;
};

constexpr std::string_view kStatistics[] = {"last", "first", "min", "max", "mean", "count", "step"};

HParamValue statistic(const ScalarColumns& scalars, std::string_view name) {
  if (scalars.size() == 0) return {};
  const std::size_t last = scalars.size() - 1;
  const auto number = [](double value) { return HParamValue{Kind::kNumber, value}; };
  if (name == "first") return number(scalars.values[0]);
  if (name == "count") return number(static_cast<double>(scalars.size()));
  if (name == "step") return number(static_cast<double>(scalars.steps[last]));
  if (name == "last") return number(scalars.values[last]);
  double least = HUGE_VAL, most = -HUGE_VAL, sum = 0;
  for (std::size_t i = 0; i <= last; ++i) {
    least = std::min(least, scalars.values[i]);
    most = std::max(most, scalars.values[i]);
    sum += scalars.values[i];
  }
  return number(name == "min"   ? least
                : name == "max" ? most
                                : sum / static_cast<double>(scalars.size()));
}

HParamValue scalar_value(const Run& run, const std::string& name) {
  return run.with_lock([&](const Run::Contents& contents) -> HParamValue {
    const auto series = [&](std::string_view tag) -> const ScalarColumns* {
      const auto found = contents.series.find(tag);
      return found != contents.series.end() && found->second.is_scalar() ? &found->second.scalars
                                                                         : nullptr;
    };
    if (const ScalarColumns* whole = series(name)) return statistic(*whole, "last");
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) return {};
    const std::string_view end = std::string_view(name).substr(dot + 1);
    if (std::ranges::find(kStatistics, end) == std::end(kStatistics)) return {};
    const ScalarColumns* const part = series(std::string_view(name).substr(0, dot));
    return part != nullptr ? statistic(*part, end) : HParamValue{};
  });
}

}  // namespace

QueryResult run_query(const LogStore& logs, std::string_view text) {
  QuestionParser question(text);
  question.parse();
  std::map<std::string, std::map<std::string, HParamValue>> hparams;
  for (HParamSession& session : read_sessions(logs, {}))
    hparams[session.run] = std::move(session.hparams);
  QueryResult result{.columns = question.names, .rows = {}};
  std::vector<std::pair<HParamValue, QueryResult::Row>> found;
  for (const auto& run : logs.runs()) {
    const Lookup lookup = [&](const std::string& name) -> HParamValue {
      if (name == "run") return {Kind::kText, 0, run->name()};
      const auto& own = hparams[run->name()];
      if (const auto known = own.find(name); known != own.end()) return known->second;
      return scalar_value(*run, name);
    };
    if (!question.test(lookup)) continue;
    QueryResult::Row row{.run = run->name(), .values = {}};
    for (const std::string& name : result.columns) row.values.push_back(lookup(name));
    found.emplace_back(question.sort_name.empty() ? HParamValue{} : lookup(question.sort_name),
                       std::move(row));
  }
  if (!question.sort_name.empty())
    std::ranges::stable_sort(found, [&](const auto& a, const auto& b) {
      const bool a_there = a.first.kind != Kind::kNone, b_there = b.first.kind != Kind::kNone;
      if (a_there != b_there) return a_there;  // what has no value comes last
      return question.is_descending ? comes_before(b.first, a.first)
                                    : comes_before(a.first, b.first);
    });
  for (auto& [key, row] : found) {
    if (result.rows.size() == question.limit) break;
    result.rows.push_back(std::move(row));
  }
  return result;
}

}  // namespace rill::board
