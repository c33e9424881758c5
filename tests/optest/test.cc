#include <cstdio>
#include <regex>

#include "rill/base/error.h"
#include "rill/base/file_system.h"
#include "rill/graph/refusal.h"
#include "rill/ops/register.h"
#include "tests/optest/case_directory.h"
#include "tests/optest/commands.h"
#include "tests/optest/eagerly.h"
#include "tests/optest/golden.h"
#include "tests/optest/on_cpu.h"

namespace rill {
namespace {

struct Answer {
  Code code = Code::kOk;
  std::string message;
  std::vector<Tensor> outputs;
  bool used_files = false;
  bool is_skipped = false;  // it belongs to graphs, and rows run eagerly
};

constexpr std::int64_t kPatienceMs = 10'000;
int skipped = 0;

// With constants every pass may take part; fed values cannot be folded.
Answer ask(const NamedCase& c, InputMode mode, const SessionOptions& options = {}) {
  Answer answer;
  const std::uint64_t uses = file_system_uses();
  try {
    if (!c.row.graph.empty()) empty_case_directory();
    const CaseGraph graph = case_graph(c.row, standard_ops().at(c.row.op), mode);
    if (rows_run_eagerly()) {
      auto values = run_eagerly(graph, kPatienceMs);
      answer.is_skipped = !values;
      if (values) answer.outputs = std::move(*values);
    } else {
      Session session(load(graph), options);
      answer.outputs = session.run(graph.feeds, graph.fetches, graph.targets);
    }
  } catch (const Refusal& refusal) {
    answer.code = refusal.code();
    answer.message = str_cat(refusal.what(), "\n", refusal.when_run(), "\n", refusal.when_built());
  } catch (...) {
    const Error error = current_error();
    answer.code = error.code();
    answer.message = without_case_directory(error.what());
  }
  answer.used_files = file_system_uses() != uses;
  for (Tensor& output : answer.outputs) output = without_case_directory(output);
  return answer;
}

// By their declarations, which the model server believes.
bool may_use_files(const Op& op) {
  return op.has(kReachesOut | kUsesOpened) || op.file_attr.names_file != nullptr;
}

bool contains(const std::string& message, const char* pattern) {
  return std::regex_search(message, std::regex(pattern));
}

// What a shape function says and what a kernel says often differ, so the row's pattern need be in
// only one of TensorFlow's two messages, and then in ours of that mode.
std::string compare_error(const NamedCase& c, const Answer& got, const Golden& want) {
  if (want.code == Code::kOk) return "TensorFlow accepts this row";
  if (got.code == Code::kOk) return str_cat("no error, TensorFlow says: ", want.message);
  if (got.code != want.code)
    return str_cat("the error is ", got.message, "; TensorFlow's is ", code_name(want.code), ": ",
                   want.message);
  if (contains(want.message, c.row.error) && !contains(got.message, c.row.error))
    return str_cat("the message is ", got.message, "; TensorFlow's is ", want.message);
  return "";
}

std::string compare_output(const OpCase& row, const Tensor& got,
                           const std::variant<Tensor, Sample>& want) {
  const Tolerance tolerance{row.rtol, row.atol};
  return std::visit(
      [&](const auto& w) -> std::string {
        if (row.compare == Compare::kValues) return difference(got, w, tolerance);
        DType dtype;
        Shape shape;
        if constexpr (std::is_same_v<std::decay_t<decltype(w)>, Sample>)
          dtype = w.dtype, shape = w.shape;
        else
          dtype = w.dtype(), shape = w.shape();
        if (got.dtype() == dtype && got.shape() == shape) return "";
        return str_cat("is ", got.dtype(), got.shape(), ", TensorFlow has ", dtype, shape);
      },
      want);
}

std::string compare_outputs(const OpCase& row, const Answer& got, const Golden& want) {
  if (got.code != Code::kOk) return got.message;
  if (want.code != Code::kOk)
    return str_cat("TensorFlow refuses this row: ", code_name(want.code), ": ", want.message);
  if (got.outputs.size() != want.outputs.size())
    return str_cat(got.outputs.size(), " outputs, TensorFlow has ", want.outputs.size());
  for (std::size_t i = 0; i < got.outputs.size(); ++i)
    if (std::string wrong = compare_output(row, got.outputs[i], want.outputs[i]); !wrong.empty())
      return str_cat("output ", i, ": ", wrong);
  return "";
}

Golden stated(const OpCase& row) {
  Golden golden;
  golden.fingerprint = fingerprint(row);
  for (const Tensor& output : row.want) golden.outputs.emplace_back(output);
  return golden;
}

using Goldens = std::map<std::string, Golden>;

std::string compare_answers(const Answer& there, const Answer& on_cpu) {
  if (there.code != on_cpu.code)
    return str_cat("ends with ", code_name(there.code), " (", there.message, "), on the CPU with ",
                   code_name(on_cpu.code), " (", on_cpu.message, ")");
  return bits_differ(there.outputs, on_cpu.outputs);
}

// A rewrite may have found a fused kernel on the CPU alone: then both run without rewrites.
std::string compare_with_cpu(const NamedCase& c, InputMode mode, const Answer& there) {
  if (!compares_with_cpu() || c.row.compare != Compare::kValues) return "";
  const std::string wrong = compare_answers(there, ask(c, mode, options_of_row(true)));
  if (wrong.empty()) return "";
  return compare_answers(ask(c, mode, options_of_row(false, false)),
                         ask(c, mode, options_of_row(true, false)));
}

std::string check_mode(const char* stem, const NamedCase& c, InputMode mode,
                       const Goldens& goldens) {
  const bool fails = c.row.error[0] != '\0';
  const std::string key = fails && mode == InputMode::kFed ? c.name + "@fed" : c.name;
  const auto it = goldens.find(key);
  if (it == goldens.end() && c.row.want.empty())
    return str_cat("there is no golden; run ./do goldens ", stem, ", or state .want");
  const Golden golden = it == goldens.end() ? stated(c.row) : it->second;
  if (golden.fingerprint != fingerprint(c.row))
    return str_cat("the row has changed since the golden was made; run ./do goldens ", stem);
  const Answer answer = ask(c, mode);
  if (answer.is_skipped) return ++skipped, "";
  // Other nodes of a row with a graph of its own may write the files that the op reads.
  const bool alone = c.row.graph.empty();
  if (alone && answer.used_files && !may_use_files(standard_ops().at(c.row.op)))
    return "it uses files, which its declaration does not state";
  const std::string wrong =
      fails ? compare_error(c, answer, golden) : compare_outputs(c.row, answer, golden);
  return wrong.empty() ? compare_with_cpu(c, mode, answer) : wrong;
}

bool pattern_is_from_tensorflow(const NamedCase& c, const Goldens& goldens) {
  for (const std::string& key : {c.name, c.name + "@fed"})
    if (const auto it = goldens.find(key); it != goldens.end())
      if (contains(it->second.message, c.row.error)) return true;
  return false;
}

// Rows that see what a session has for itself: names of nodes, what ends with a step, what nobody
// has used before; and two that a shape function refuses, which is not asked where values are
// known.
bool needs_session(std::string_view stem) {
  constexpr std::string_view kStems[] = {"batch",
                                         "iterator_handle",
                                         "multi_device_iterator",
                                         "parse_sequence",
                                         "placeholder",
                                         "several_variables",
                                         "sparse_tensors_map",
                                         "summary",
                                         "tensor_array",
                                         "wav"};
  return std::ranges::find(kStems, stem) != std::end(kStems);
}

// An op that runs at once knows all shapes and values: what it says is what TensorFlow says of one
// of the two modes.
bool check_row_eagerly(const char* stem, const NamedCase& c, const Goldens& goldens) {
  if (needs_session(stem)) return ++skipped, true;
  std::string wrong;
  for (const InputMode mode : {InputMode::kFed, InputMode::kConstant})
    if (wrong = check_mode(stem, c, mode, goldens); wrong.empty()) return true;
  std::printf("FAILED %s/%s (eagerly): %s\n", stem, c.name.c_str(), wrong.c_str());
  return false;
}

// True when the row agrees in both modes.
bool check_row(const char* stem, const NamedCase& c, const Goldens& goldens) {
  if (rows_run_eagerly()) return check_row_eagerly(stem, c, goldens);
  for (const InputMode mode : {InputMode::kConstant, InputMode::kFed}) {
    const std::string wrong = check_mode(stem, c, mode, goldens);
    if (wrong.empty()) continue;
    std::printf("FAILED %s/%s (inputs %s): %s\n", stem, c.name.c_str(),
                mode == InputMode::kFed ? "fed" : "constant", wrong.c_str());
    return false;
  }
  if (c.row.error[0] == '\0' || pattern_is_from_tensorflow(c, goldens)) return true;
  std::printf("FAILED %s/%s: TensorFlow's message does not contain '%s'\n", stem, c.name.c_str(),
              c.row.error);
  return false;
}

}  // namespace

int test_cases(const std::string& stem) {
  int passed = 0, failed = 0;
  for (const OpCases* table : selected(stem)) {
    const Goldens goldens = load_goldens(table->stem);
    for (const NamedCase& c : named_cases(*table))
      ++(check_row(table->stem, c, goldens) ? passed : failed);
  }
  if (stem.empty() && !rows_run_eagerly()) {
    for (const std::string& complaint : missing_rows()) {
      std::printf("FAILED %s\n", complaint.c_str());
      ++failed;
    }
  }
  std::printf("%d passed, %d failed\n", passed - skipped, failed);
  if (rows_run_eagerly()) std::printf("%d rows belong to graphs\n", skipped);
  return failed == 0 ? 0 : 1;
}

}  // namespace rill
