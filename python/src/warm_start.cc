// Variables that start with what a checkpoint has, row by row where rows belong to words.
#include <nanobind/stl/string.h>

#include "array_functions.h"
#include "call.h"
#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "kept.h"
#include "package.h"
#include "plain_values.h"
#include "rill/api/saver/remapped_matrix.h"
#include "rill/api/saver/warm_start.h"
#include "saver.h"
#include "shapes.h"
#include "variables.h"

namespace rill::python {
namespace {

// A function of a program that takes a shape, of which one number may be a tensor.
train::FreshValues fresh_values_of(nb::handle given) {
  if (given.is_none()) return {};
  nb::object made = nb::borrow(given);
  if (PyType_Check(made.ptr())) made = made();
  if (!PyCallable_Check(made.ptr()))
    type_error("initializer must be callable, instead of being ", repr_of(given), " of type ",
               repr_of(given.type()), ".");
  return [held = keep(made)](const train::FreshShape& shape) {
    nb::list dims;
    if (const auto* known = std::get_if<std::int64_t>(&shape.rows))
      dims.append(*known);
    else
      dims.append(give(std::get<Output>(shape.rows)));
    dims.append(shape.columns);
    return as_tensor(input_of(kept(held)(dims), DType::invalid, "", "Const"));
  };
}

train::VocabInfo vocab_info_of(nb::handle info) {
  const auto number = [&](const char* name) { return integer_of(info.attr(name)); };
  return {.new_vocab = str_of(info.attr("new_vocab")),
          .new_vocab_size = number("new_vocab_size"),
          .num_oov_buckets = number("num_oov_buckets"),
          .old_vocab = str_of(info.attr("old_vocab")),
          .old_vocab_size = number("old_vocab_size"),
          .backup_initializer = fresh_values_of(info.attr("backup_initializer")),
          .axis = static_cast<int>(number("axis"))};
}

train::ToWarmStart to_warm_start(nb::handle given) {
  if (given.is_none()) return std::monostate();
  if (PyUnicode_Check(given.ptr())) return str_of(given);
  if (!PyList_Check(given.ptr()))
    value_error("`vars_to_warm_start must be a `list` or `str`.  Given type is ",
                repr_of(given.type()));
  std::vector<std::string> names;
  std::vector<Variable> variables;
  for (nb::handle item : given) {
    if (PyUnicode_Check(item.ptr())) names.push_back(str_of(item));
    if (is_variable(item)) variables.push_back(variable_object(item).variable);
  }
  const std::size_t count = nb::len(given);
  if (names.size() == count) return names;
  if (variables.size() == count) return variables;
  value_error("If `vars_to_warm_start` is a list, it must be all `Variable` or all `str`.  Given: ",
              repr_of(given));
}

// --- initializers --------------------------------------------------------------------------------

std::optional<PartitionInfo> partition_of(nb::handle given) {
  if (given.is_none()) return std::nullopt;
  const auto list = [&](const char* name) {
    std::vector<std::int64_t> values;
    for (nb::handle value : given.attr(name)) values.push_back(integer_of(value));
    return values;
  };
  return PartitionInfo{list("full_shape"), list("var_offset")};
}

// What get_variable calls with a shape, a type and a part.
nb::object give_initializer(const Initializer& initializer) {
  const nb::object make = nb::cpp_function(
      [initializer](nb::handle shape, nb::handle dtype, nb::handle partition_info) {
        const auto part = partition_of(partition_info);
        const DType type = base_type(as_dtype(dtype));
        return building([&] {
          return give(initializer({as_shape(shape).full(), type, part ? &*part : nullptr}));
        });
      },
      nb::arg("shape"), nb::arg("dtype"), nb::arg("partition_info").none());
  return package::from_checkpoint(make);
}

train::RemapInitializerOptions remap_options(const Call& c) {
  const auto file = [&](const char* name) { return c.optional_input(name, DType::string); };
  train::RemapInitializerOptions o;
  if (c.knows("old_row_vocab_size")) o.old_row_vocab_size = c.integer("old_row_vocab_size");
  o.old_row_vocab_file = file("old_row_vocab_file");
  o.new_row_vocab_file = file("new_row_vocab_file");
  o.old_col_vocab_file = file("old_col_vocab_file");
  o.new_col_vocab_file = file("new_col_vocab_file");
  o.num_row_oov_buckets = c.integer("num_row_oov_buckets");
  o.num_col_oov_buckets = c.integer("num_col_oov_buckets");
  o.max_rows_in_memory = c.integer("max_rows_in_memory");
  o.initializer = fresh_values_of(c["initializer"]);
  return o;
}

constexpr Function kFunctions[] = {
    {"train.warm_start(ckpt_to_initialize_from, vars_to_warm_start='.*', "
     "var_name_to_vocab_info=None, var_name_to_prev_var_name=None)",
     [](const Call& c) -> nb::object {
       train::WarmStartOptions options{.vars_to_warm_start =
                                           to_warm_start(c["vars_to_warm_start"])};
       if (c.has("var_name_to_vocab_info"))
         for (const auto& [name, info] : nb::cast<nb::dict>(c["var_name_to_vocab_info"]))
           if (!info.is_none())
             options.var_name_to_vocab_info.emplace(str_of(name), vocab_info_of(info));
       if (c.has("var_name_to_prev_var_name"))
         for (const auto& [name, old] : nb::cast<nb::dict>(c["var_name_to_prev_var_name"]))
           options.var_name_to_prev_var_name.emplace(str_of(name), str_of(old));
       train::warm_start(c.text("ckpt_to_initialize_from"), options);
       return nb::none();
     },
     "Makes variables start with the values of a checkpoint, by name and by vocabulary."},
    {"contrib.framework.load_and_remap_matrix(ckpt_path, old_tensor_name, new_row_vocab_offset, "
     "num_rows_to_load, new_col_vocab_size, initializer, old_row_vocab_size=-1, "
     "old_row_vocab_file=None, new_row_vocab_file=None, old_col_vocab_file=None, "
     "new_col_vocab_file=None, num_row_oov_buckets=0, num_col_oov_buckets=0, "
     "max_rows_in_memory=-1)",
     [](const Call& c) -> nb::object {
       const train::RemapInitializerOptions o = remap_options(c);
       return give(train::load_and_remap_matrix(
           text_input(c, "ckpt_path"), text_input(c, "old_tensor_name"),
           c.integer("new_row_vocab_offset"), c.integer("num_rows_to_load"),
           c.integer("new_col_vocab_size"), o.initializer, o));
     },
     "A matrix of a checkpoint, with rows and columns in the order of other vocabularies."},
    {"contrib.framework.load_and_remap_matrix_initializer(ckpt_path, old_tensor_name, "
     "new_row_vocab_size, new_col_vocab_size, old_row_vocab_size=-1, old_row_vocab_file=None, "
     "new_row_vocab_file=None, old_col_vocab_file=None, new_col_vocab_file=None, "
     "num_row_oov_buckets=0, num_col_oov_buckets=0, initializer=None, max_rows_in_memory=-1)",
     [](const Call& c) -> nb::object {
       return give_initializer(train::load_and_remap_matrix_initializer(
           text_input(c, "ckpt_path"), text_input(c, "old_tensor_name"),
           c.integer("new_row_vocab_size"), c.integer("new_col_vocab_size"), remap_options(c)));
     },
     "An initializer from a matrix of a checkpoint, by vocabularies of its rows and columns."},
    {"contrib.framework.load_variable_slot_initializer(ckpt_path, old_tensor_name, "
     "primary_partition_info, new_row_vocab_size, new_col_vocab_size, old_row_vocab_file=None, "
     "new_row_vocab_file=None, old_col_vocab_file=None, new_col_vocab_file=None, "
     "num_row_oov_buckets=0, num_col_oov_buckets=0, initializer=None, max_rows_in_memory=-1)",
     [](const Call& c) -> nb::object {
       const Input path = text_input(c, "ckpt_path"), name = text_input(c, "old_tensor_name");
       const std::int64_t rows = c.integer("new_row_vocab_size"),
                          columns = c.integer("new_col_vocab_size");
       const auto part = partition_of(c["primary_partition_info"]);
       return give_initializer(part ? train::load_variable_slot_initializer(
                                          path, name, *part, rows, columns, remap_options(c))
                                    : train::load_and_remap_matrix_initializer(
                                          path, name, rows, columns, remap_options(c)));
     },
     "An initializer of a slot of a variable, by vocabularies of the variable's rows and columns."},
    {"contrib.framework.load_embedding_initializer(ckpt_path, embedding_tensor_name, "
     "new_vocab_size, embedding_dim, old_vocab_file, new_vocab_file, old_vocab_size=-1, "
     "num_oov_buckets=0, initializer=None, max_rows_in_memory=-1)",
     [](const Call& c) -> nb::object {
       return give_initializer(train::load_embedding_initializer(
           text_input(c, "ckpt_path"), text_input(c, "embedding_tensor_name"),
           c.integer("new_vocab_size"), c.integer("embedding_dim"), text_input(c, "old_vocab_file"),
           text_input(c, "new_vocab_file"),
           {.old_vocab_size = c.integer("old_vocab_size"),
            .num_oov_buckets = c.integer("num_oov_buckets"),
            .initializer = fresh_values_of(c["initializer"]),
            .max_rows_in_memory = c.integer("max_rows_in_memory")}));
     },
     "An initializer from embeddings of a checkpoint, a row for each word."},
    {"contrib.framework.load_linear_multiclass_bias_initializer(ckpt_path, bias_tensor_name, "
     "new_class_vocab_size, old_class_vocab_file, new_class_vocab_file, num_class_oov_buckets=0, "
     "initializer=None, max_rows_in_memory=-1)",
     [](const Call& c) -> nb::object {
       return give_initializer(train::load_linear_multiclass_bias_initializer(
           text_input(c, "ckpt_path"), text_input(c, "bias_tensor_name"),
           c.integer("new_class_vocab_size"), text_input(c, "old_class_vocab_file"),
           text_input(c, "new_class_vocab_file"),
           {.num_oov_buckets = c.integer("num_class_oov_buckets"),
            .initializer = fresh_values_of(c["initializer"]),
            .max_rows_in_memory = c.integer("max_rows_in_memory")}));
     },
     "An initializer from biases of a checkpoint, a row for each class."},
};

}  // namespace

void bind_warm_start() { add_functions(kFunctions); }

}  // namespace rill::python
