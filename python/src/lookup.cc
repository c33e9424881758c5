#include "lookup.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "class_call.h"
#include "rill/api/lookup/mutable_tables.h"
#include "rill/api/lookup/vocabularies.h"

namespace rill::python {
namespace {

using namespace lookup;

Input value(nb::handle given, const char* name) {
  return input_of(given, DType::invalid, "", name);
}

DType type_or_invalid(nb::handle dtype) {
  return dtype.is_none() ? DType::invalid : base_type(as_dtype(dtype));
}

std::optional<std::int64_t> optional_number(nb::handle number) {
  if (number.is_none()) return {};
  return nb::cast<std::int64_t>(number);
}

// Makes an object in place, in the graph of the tensors among `arguments`.
template <class Make>
void constructed(std::initializer_list<nb::handle> arguments, Make make) {
  std::vector<PyObject*> values;
  for (nb::handle argument : arguments) values.push_back(argument.ptr());
  const InCallersPlace place(values);
  building(make);
}

template <class Table>
std::vector<nb::object> with_handle(const Table& table, std::initializer_list<nb::handle> more) {
  std::vector<nb::object> arguments;
  try {
    arguments.push_back(give(table.resource_handle()));
  } catch (const Error&) {  // a vocabulary without a table
  }
  for (nb::handle item : more) arguments.push_back(nb::borrow(item));
  return arguments;
}

nb::object find(LookupTable& table, nb::object keys, nb::handle name) {
  const bool sparse = !is_tensor(keys) && nb::hasattr(keys, "dense_shape");
  nb::object words = sparse ? nb::object(keys.attr("values")) : keys;
  nb::object found = built(with_handle(table, {words}), [&] {
    return table.lookup(value(words, "keys"), {text_or_empty(name)});
  });
  if (!sparse) return found;
  return nb::borrow(keys.type())(keys.attr("indices"), found, keys.attr("dense_shape"));
}

template <class Table>
nb::object exported(Table& table, nb::handle name) {
  nb::object list = built(with_handle(table, {}), [&] {
    const TableContents all = table.export_({text_or_empty(name)});
    return std::vector<Output>{all.keys, all.values};
  });
  return nb::make_tuple(list[0], list[1]);
}

void bind_initializers(nb::module_& m) {
  nb::class_<TableInitializer>(m, "TableInitializerBase")
      .def_prop_ro("key_dtype", [](TableInitializer& i) { return dtype_object(i.key_dtype()); })
      .def_prop_ro("value_dtype", [](TableInitializer& i) { return dtype_object(i.value_dtype()); })
      .def(
          "initialize",
          [](TableInitializer& i, nb::object table) {
            nb::object handle = table.attr("resource_handle");
            return built({handle},
                         [&]() -> Node& { return i.initialize(tensor_object(handle).output); });
          },
          nb::arg("table"));
  nb::class_<KeyValueTensorInitializer, TableInitializer>(m, "KeyValueTensorInitializer")
      .def(
          "__init__",
          [](KeyValueTensorInitializer* self, nb::handle keys, nb::handle values,
             nb::handle key_dtype, nb::handle value_dtype, nb::handle name) {
            constructed({keys, values}, [&] {
              new (self) KeyValueTensorInitializer(
                  value(keys, "keys"), value(values, "values"),
                  {type_or_invalid(key_dtype), type_or_invalid(value_dtype), text_or_empty(name)});
            });
          },
          nb::arg("keys"), nb::arg("values"), nb::arg("key_dtype") = nb::none(),
          nb::arg("value_dtype") = nb::none(), nb::arg("name") = nb::none());
  nb::class_<TextFileInitializer, TableInitializer>(m, "TextFileInitializer")
      .def(
          "__init__",
          [](TextFileInitializer* self, nb::handle filename, nb::handle key_dtype,
             std::int64_t key_index, nb::handle value_dtype, std::int64_t value_index,
             nb::handle vocab_size, const std::string& delimiter, nb::handle name) {
            constructed({filename}, [&] {
              new (self) TextFileInitializer(
                  value(filename, "filename"), as_dtype(key_dtype), key_index,
                  as_dtype(value_dtype), value_index,
                  {optional_number(vocab_size), delimiter, text_or_empty(name)});
            });
          },
          nb::arg("filename"), nb::arg("key_dtype"), nb::arg("key_index"), nb::arg("value_dtype"),
          nb::arg("value_index"), nb::arg("vocab_size") = nb::none(), nb::arg("delimiter") = "\t",
          nb::arg("name") = nb::none());
}

void bind_interface(nb::module_& m) {
  nb::class_<LookupTable> c(m, "LookupInterface");
  c.def_prop_ro("key_dtype", [](LookupTable& t) { return dtype_object(t.key_dtype()); });
  c.def_prop_ro("value_dtype", [](LookupTable& t) { return dtype_object(t.value_dtype()); });
  c.def_prop_ro("name", [](LookupTable& t) { return t.name(); });
  c.def_prop_ro("resource_handle", [](LookupTable& t) -> nb::object {
    return building([&] { return give(t.resource_handle()); });
  });
  c.def("lookup", find, nb::arg("keys"), nb::arg("name") = nb::none());
  c.def(
      "size",
      [](LookupTable& t, nb::handle name) {
        return built(with_handle(t, {}), [&] { return t.size({text_or_empty(name)}); });
      },
      nb::arg("name") = nb::none());
}

void bind_static_tables(nb::module_& m) {
  nb::class_<TableNode, LookupTable>(m, "TableNode").def_prop_ro("default_value", [](TableNode& t) {
    return give(t.default_value());
  });
  nb::class_<StaticHashTable, TableNode> c(m, "StaticHashTable");
  c.def(
      "__init__",
      [](StaticHashTable* self, TableInitializer& initializer, nb::handle default_value,
         nb::handle name, nb::handle shared_name) {
        constructed({default_value}, [&] {
          new (self) StaticHashTable(initializer, value(default_value, "default_value"),
                                     {text_or_empty(shared_name), text_or_empty(name)});
        });
      },
      nb::arg("initializer"), nb::arg("default_value"), nb::arg("name") = nb::none(),
      nb::arg("shared_name") = nb::none());
  c.def_prop_ro("initializer", [](StaticHashTable& t) { return give(t.initializer()); });
  c.def_prop_ro("init", [](StaticHashTable& t) { return give(t.initializer()); });
  c.def("export", exported<StaticHashTable>, nb::arg("name") = nb::none());
  nb::class_<StaticVocabularyTable, LookupTable> v(m, "StaticVocabularyTable");
  v.def(
      "__init__",
      [](StaticVocabularyTable* self, nb::handle initializer, std::int64_t num_oov_buckets,
         nb::handle lookup_key_dtype, nb::handle name) {
        constructed({}, [&] {
          const TableInitializer* words =
              initializer.is_none() ? nullptr : nb::cast<TableInitializer*>(initializer);
          new (self) StaticVocabularyTable(
              words, num_oov_buckets, {type_or_invalid(lookup_key_dtype), text_or_empty(name)});
        });
      },
      nb::arg("initializer").none(), nb::arg("num_oov_buckets"),
      nb::arg("lookup_key_dtype") = nb::none(), nb::arg("name") = nb::none());
  v.def(
      "_init_around",
      [](nb::handle self, nb::handle table, nb::handle key_dtype, std::int64_t num_oov_buckets,
         const std::string& name) {
        std::shared_ptr<const StaticHashTable> around;
        if (!table.is_none()) around = nb::cast<std::shared_ptr<StaticHashTable>>(table);
        DType keys = type_or_invalid(key_dtype);
        if (keys == DType::invalid) keys = around == nullptr ? DType::string : around->key_dtype();
        building([&] {
          if (around == nullptr && num_oov_buckets <= 0)
            value_error("oov_buckets must be > 0 if no table is supplied, but was ",
                        num_oov_buckets);
          new (nb::inst_ptr<StaticVocabularyTable>(self))
              StaticVocabularyTable(around, keys, num_oov_buckets, name);
        });
        nb::inst_mark_ready(self);
      },
      nb::arg("table").none(), nb::arg("key_dtype").none(), nb::arg("num_oov_buckets"),
      nb::arg("name"));
  const auto initializer = [](StaticVocabularyTable& t) -> nb::object {
    return t.initializer() == nullptr ? nb::none() : give(*t.initializer());
  };
  v.def_prop_ro("initializer", initializer);
  v.def_prop_ro("init", initializer);
}

void bind_mutable_tables(nb::module_& m) {
  nb::class_<MutableTable, TableNode> c(m, "MutableTable");
  const auto insert = [](MutableTable& t, nb::object keys, nb::object values, nb::handle name) {
    return built(with_handle(t, {keys, values}), [&]() -> Node& {
      return t.insert(value(keys, "keys"), value(values, "values"), {text_or_empty(name)});
    });
  };
  const auto remove = [](MutableTable& t, nb::object keys, nb::handle name) {
    return built(with_handle(t, {keys}),
                 [&]() -> Node& { return t.remove(value(keys, "keys"), {text_or_empty(name)}); });
  };
  for (const char* method : {"insert", "insert_or_assign"})
    c.def(method, insert, nb::arg("keys"), nb::arg("values"), nb::arg("name") = nb::none());
  for (const char* method : {"remove", "erase"})
    c.def(method, remove, nb::arg("keys"), nb::arg("name") = nb::none());
  c.def("export", exported<MutableTable>, nb::arg("name") = nb::none());
  nb::class_<MutableHashTable, MutableTable>(m, "MutableHashTable")
      .def(
          "__init__",
          [](MutableHashTable* self, nb::handle key_dtype, nb::handle value_dtype,
             nb::handle default_value, nb::handle shared_name, const std::string& name,
             bool checkpoint) {
            constructed({default_value}, [&] {
              new (self) MutableHashTable(as_dtype(key_dtype), as_dtype(value_dtype),
                                          value(default_value, "default_value"),
                                          {text_or_empty(shared_name), name, checkpoint});
            });
          },
          nb::arg("key_dtype"), nb::arg("value_dtype"), nb::arg("default_value"),
          nb::arg("shared_name") = nb::none(), nb::arg("name") = "MutableHashTable",
          nb::arg("checkpoint") = true);
  nb::class_<DenseHashTable, MutableTable>(m, "DenseHashTable")
      .def(
          "__init__",
          [](DenseHashTable* self, nb::handle key_dtype, nb::handle value_dtype,
             nb::handle default_value, nb::handle empty_key, nb::handle deleted_key,
             nb::handle initial_num_buckets, const std::string& name, bool checkpoint) {
            constructed({default_value, empty_key, deleted_key}, [&] {
              new (self) DenseHashTable(
                  as_dtype(key_dtype), as_dtype(value_dtype), value(default_value, "default_value"),
                  value(empty_key, "empty_key"), value(deleted_key, "deleted_key"),
                  {optional_number(initial_num_buckets), std::string(), name, checkpoint});
            });
          },
          nb::arg("key_dtype"), nb::arg("value_dtype"), nb::arg("default_value"),
          nb::arg("empty_key"), nb::arg("deleted_key"), nb::arg("initial_num_buckets") = nb::none(),
          nb::arg("name") = "MutableDenseHashTable", nb::arg("checkpoint") = true);
}

using TableRef = std::shared_ptr<LookupTable>;

template <class Make>
TableRef made(nb::handle argument, Make make) {
  PyObject* const values[] = {argument.ptr()};
  const InCallersPlace place(values);
  return building(make);
}

void bind_vocabularies(nb::module_& m) {
  const auto any = [](const char* name) { return nb::arg(name).none(); };
  m.def(
      "index_table_from_file",
      [](nb::handle file, std::int64_t buckets, nb::handle vocab_size, std::int64_t default_value,
         nb::handle key_dtype, nb::handle name, std::int64_t key_column, std::int64_t value_column,
         const std::string& delimiter) {
        return made(file, [&] {
          return index_table_from_file(
              value(file, "vocabulary_file"),
              {buckets, optional_number(vocab_size), default_value, as_dtype(key_dtype), key_column,
               value_column, delimiter, text_or_empty(name)});
        });
      },
      any("vocabulary_file"), any("num_oov_buckets"), any("vocab_size"), any("default_value"),
      any("key_dtype"), any("name"), any("key_column_index"), any("value_column_index"),
      any("delimiter"));
  m.def(
      "index_table_from_tensor",
      [](nb::handle words, std::int64_t buckets, std::int64_t default_value, nb::handle dtype,
         nb::handle name) {
        return made(words, [&] {
          IndexTableOptions options;
          options.num_oov_buckets = buckets;
          options.default_value = default_value;
          options.key_dtype = as_dtype(dtype);
          options.name = text_or_empty(name);
          return index_table_from_tensor(value(words, "vocabulary_list"), options);
        });
      },
      any("vocabulary_list"), any("num_oov_buckets"), any("default_value"), any("dtype"),
      any("name"));
  m.def(
      "index_to_string_table_from_file",
      [](nb::handle file, nb::handle vocab_size, const std::string& default_value, nb::handle name,
         std::int64_t key_column, std::int64_t value_column, const std::string& delimiter) {
        return made(file, [&] {
          return index_to_string_table_from_file(
              value(file, "vocabulary_file"),
              {optional_number(vocab_size), default_value, key_column, value_column, delimiter,
               text_or_empty(name)});
        });
      },
      any("vocabulary_file"), any("vocab_size"), any("default_value"), any("name"),
      any("key_column_index"), any("value_column_index"), any("delimiter"));
  m.def(
      "index_to_string_table_from_tensor",
      [](nb::handle words, const std::string& default_value, nb::handle name) {
        return made(words, [&] {
          StringTableOptions options;
          options.default_value = default_value;
          options.name = text_or_empty(name);
          return index_to_string_table_from_tensor(value(words, "vocabulary_list"), options);
        });
      },
      any("vocabulary_list"), any("default_value"), any("name"));
}

constexpr Function kFunctions[] = {
    {"initializers.tables_initializer(name='init_all_tables')",
     [](const Call& call) { return give(tables_initializer({call.name()})); },
     "Fills all tables that are to be filled once."},
    {"initialize_all_tables(name='init_all_tables')",
     [](const Call& call) { return give(tables_initializer({call.name()})); },
     "The older name of tables_initializer."},
};

}  // namespace

void bind_lookup(nb::module_& m) {
  bind_initializers(m);
  bind_interface(m);
  bind_static_tables(m);
  bind_mutable_tables(m);
  bind_vocabularies(m);
  add_functions(kFunctions);
}

}  // namespace rill::python
