#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tensorflow::tfprof {
class OptionsProto;
}

namespace rill::profiler {

// What a profile shows and where it goes: the options of TensorFlow's tfprof, with the defaults of
// its command line. Regexes match whole names; an empty list of them matches nothing.
struct ProfileOptions {
  std::int64_t max_depth = 10;  // of trees; hops in the graph view; all but one row of the op view

  // What is below any of these is left out. Bytes and times count with all that is below a node.
  std::int64_t min_bytes = 0, min_peak_bytes = 0, min_residual_bytes = 0, min_output_bytes = 0;
  std::int64_t min_micros = 0, min_accelerator_micros = 0, min_cpu_micros = 0;
  std::int64_t min_params = 0, min_float_ops = 0, min_occurrence = 0;

  std::int64_t step = -1;  // -1: the mean of all steps
  std::string order_by = "name";

  std::vector<std::string> account_type_regexes = {
      ".*"};  // of ops, devices and types in the op log
  std::vector<std::string> start_name_regexes = {".*"};
  std::vector<std::string> trim_name_regexes;
  std::vector<std::string> show_name_regexes = {".*"};
  std::vector<std::string> hide_name_regexes;
  bool account_displayed_op_only = false;

  std::set<std::string> select = {"micros"};
  std::string output = "stdout";                      // or none, file, timeline, pprof, flame
  std::map<std::string, std::string> output_options;  // "outfile"

  // Throws InvalidArgument for an output that there is not or that lacks its file, and for a regex
  // that does not compile. As in TensorFlow an unknown figure is shown as such, and an unknown
  // order is that of names.
  void check() const;

  bool selects(std::string_view what) const { return select.count(std::string(what)) > 0; }
};

bool is_figure(std::string_view name);  // that `select` may name

// "file:outfile=/tmp/x" as the two parts it has; throws InvalidArgument.
void parse_output(std::string_view text, ProfileOptions* options);

ProfileOptions from_proto(const tensorflow::tfprof::OptionsProto& proto);

// A line for each option, "-max_depth                  10", as the command line shows them.
std::string to_text(const ProfileOptions& options);

// Sets what "-max_depth 3 -select micros,bytes" says; quotes around a value are dropped. Throws
// InvalidArgument: "Invalid option '-x' value: 'v'".
void parse_flags(const std::vector<std::string>& tokens, ProfileOptions* options);

}  // namespace rill::profiler
