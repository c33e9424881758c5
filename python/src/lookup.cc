#include "lookup.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "class_call.h"
#include "keep_graph.h"
#include "rill/api/lookup/mutable_tables.h"
#include "rill/api/lookup/vocabularies.h"

namespace rill::python {
namespace {

DType type_or_invalid(nb::handle dtype) {
  return dtype.is_none() ? DType::invalid : base_type(as_dtype(dtype));
}

// Makes an object in place, in the graph of the tensors among `arguments`.
template <class T, class Make>
void constructed_table(T* self, std::initializer_list<nb::handle> arguments, Make make) {
  std::vector<PyObject*> values;
  for (nb::handle argument : arguments) values.push_back(argument.ptr());
  const InCallersPlace place(values);
  building(make);
  keep_graph(nb::object(nb::find(*self)), default_graph());
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

nb::object find(lookup::LookupTable& table, nb::object keys, nb::handle name) {
  const bool sparse = !is_tensor(keys) && nb::hasattr(keys, "dense_shape");
  nb::object words = sparse ? nb::object(keys.attr("values")) : keys;
  nb::object found = built(with_handle(table, {words}), [&] {
    return table.lookup(any_input(words, "keys"), {text_or_empty(name)});
  });
  if (!sparse) return found;
  return nb::borrow(keys.type())(keys.attr("indices"), found, keys.attr("dense_shape"));
}

template <class Table>
nb::object exported(Table& table, nb::handle name) {
  nb::object list = built(with_handle(table, {}), [&] {
    const lookup::TableContents all = table.export_({text_or_empty(name)});
    return std::vector<Output>{all.keys, all.values};
  });
  return nb::make_tuple(list[0], list[1]);
}

void bind_table_initializers(nb::module_& m) {
  nb::class_<lookup::TableInitializer>(m, "TableInitializerBase", nb::dynamic_attr())
      .def_prop_ro("key_dtype",
                   [](lookup::TableInitializer& i) { return dtype_object(i.key_dtype()); })
      .def_prop_ro("value_dtype",
                   [](lookup::TableInitializer& i) { return dtype_object(i.value_dtype()); })
      .def(
          "initialize",
          [](lookup::TableInitializer& i, nb::object table) {
            nb::object handle = table.attr("resource_handle");
            return built({handle},
                         [&]() -> Node& { return i.initialize(tensor_object(handle).output); });
          },
          nb::arg("table"));
  nb::class_<lookup::KeyValueTensorInitializer, lookup::TableInitializer>(
      m, "KeyValueTensorInitializer")
      .def(
          "__init__",
          [](lookup::KeyValueTensorInitializer* self, nb::handle keys, nb::handle values,
             nb::handle key_dtype, nb::handle value_dtype, nb::handle name) {
            constructed_table(self, {keys, values}, [&] {
              new (self) lookup::KeyValueTensorInitializer(
                  any_input(keys, "keys"), any_input(values, "values"),
                  {type_or_invalid(key_dtype), type_or_invalid(value_dtype), text_or_empty(name)});
            });
          },
          nb::arg("keys"), nb::arg("values"), nb::arg("key_dtype") = nb::none(),
          nb::arg("value_dtype") = nb::none(), nb::arg("name") = nb::none());
  nb::class_<lookup::TextFileInitializer, lookup::TableInitializer>(m, "TextFileInitializer")
      .def(
          "__init__",
          [](lookup::TextFileInitializer* self, nb::handle filename, nb::handle key_dtype,
             std::int64_t key_index, nb::handle value_dtype, std::int64_t value_index,
             nb::handle vocab_size, const std::string& delimiter, nb::handle name) {
            constructed_table(self, {filename}, [&] {
              new (self) lookup::TextFileInitializer(
                  any_input(filename, "filename"), as_dtype(key_dtype), key_index,
                  as_dtype(value_dtype), value_index,
                  {optional_number<std::int64_t>(vocab_size), delimiter, text_or_empty(name)});
            });
          },
          nb::arg("filename"), nb::arg("key_dtype"), nb::arg("key_index"), nb::arg("value_dtype"),
          nb::arg("value_index"), nb::arg("vocab_size") = nb::none(), nb::arg("delimiter") = "\t",
          nb::arg("name") = nb::none());
}

void bind_interface(nb::module_& m) {
  nb::class_<lookup::LookupTable> c(m, "LookupInterface", nb::dynamic_attr());
  c.def_prop_ro("key_dtype", [](lookup::LookupTable& t) { return dtype_object(t.key_dtype()); });
  c.def_prop_ro("value_dtype",
                [](lookup::LookupTable& t) { return dtype_object(t.value_dtype()); });
  c.def_prop_ro("name", [](lookup::LookupTable& t) { return t.name(); });
  c.def_prop_ro("resource_handle", [](lookup::LookupTable& t) -> nb::object {
    return building([&] { return give(t.resource_handle()); });
  });
  c.def("lookup", find, nb::arg("keys"), nb::arg("name") = nb::none());
  c.def(
      "size",
      [](lookup::LookupTable& t, nb::handle name) {
        return built(with_handle(t, {}), [&] { return t.size({text_or_empty(name)}); });
      },
      nb::arg("name") = nb::none());
}

void bind_static_tables(nb::module_& m) {
  nb::class_<lookup::TableNode, lookup::LookupTable>(m, "TableNode")
      .def_prop_ro("default_value", [](lookup::TableNode& t) { return give(t.default_value()); });
  nb::class_<lookup::StaticHashTable, lookup::TableNode> c(m, "StaticHashTable");
  c.def(
      "__init__",
      [](lookup::StaticHashTable* self, lookup::TableInitializer& initializer,
         nb::handle default_value, nb::handle name, nb::handle shared_name) {
        constructed_table(self, {default_value}, [&] {
          new (self) lookup::StaticHashTable(initializer, any_input(default_value, "default_value"),
                                             {text_or_empty(shared_name), text_or_empty(name)});
        });
      },
      nb::arg("initializer"), nb::arg("default_value"), nb::arg("name") = nb::none(),
      nb::arg("shared_name") = nb::none());
  c.def_prop_ro("initializer", [](lookup::StaticHashTable& t) { return give(t.initializer()); });
  c.def_prop_ro("init", [](lookup::StaticHashTable& t) { return give(t.initializer()); });
  c.def("export", exported<lookup::StaticHashTable>, nb::arg("name") = nb::none());
  nb::class_<lookup::StaticVocabularyTable, lookup::LookupTable> v(m, "StaticVocabularyTable");
  v.def(
      "__init__",
      [](lookup::StaticVocabularyTable* self, nb::handle initializer, std::int64_t num_oov_buckets,
         nb::handle lookup_key_dtype, nb::handle name) {
        constructed_table(self, {}, [&] {
          const lookup::TableInitializer* words =
              initializer.is_none() ? nullptr : nb::cast<lookup::TableInitializer*>(initializer);
          new (self) lookup::StaticVocabularyTable(
              words, num_oov_buckets, {type_or_invalid(lookup_key_dtype), text_or_empty(name)});
        });
      },
      nb::arg("initializer").none(), nb::arg("num_oov_buckets"),
      nb::arg("lookup_key_dtype") = nb::none(), nb::arg("name") = nb::none());
  v.def(
      "_init_around",
      [](nb::handle self, nb::handle table, nb::handle key_dtype, std::int64_t num_oov_buckets,
         const std::string& name) {
        std::shared_ptr<const lookup::StaticHashTable> around;
        if (!table.is_none()) around = nb::cast<std::shared_ptr<lookup::StaticHashTable>>(table);
        DType keys = type_or_invalid(key_dtype);
        if (keys == DType::invalid) keys = around == nullptr ? DType::string : around->key_dtype();
        building([&] {
          if (around == nullptr && num_oov_buckets <= 0)
            value_error("oov_buckets must be > 0 if no table is supplied, but was ",
                        num_oov_buckets);
          new (nb::inst_ptr<lookup::StaticVocabularyTable>(self))
              lookup::StaticVocabularyTable(around, keys, num_oov_buckets, name);
        });
        nb::inst_mark_ready(self);
        keep_graph(nb::borrow(self), default_graph());
      },
      nb::arg("table").none(), nb::arg("key_dtype").none(), nb::arg("num_oov_buckets"),
      nb::arg("name"));
  const auto initializer = [](lookup::StaticVocabularyTable& t) -> nb::object {
    return t.initializer() == nullptr ? nb::none() : give(*t.initializer());
  };
  v.def_prop_ro("initializer", initializer);
  v.def_prop_ro("init", initializer);
  v.def_prop_ro("_table", [](lookup::StaticVocabularyTable& t) {
    return std::const_pointer_cast<lookup::StaticHashTable>(t.table());
  });
}

void bind_mutable_tables(nb::module_& m) {
  nb::class_<lookup::MutableTable, lookup::TableNode> c(m, "MutableTable");
  const auto insert = [](lookup::MutableTable& t, nb::object keys, nb::object values,
                         nb::handle name) {
    return built(with_handle(t, {keys, values}), [&]() -> Node& {
      return t.insert(any_input(keys, "keys"), any_input(values, "values"), {text_or_empty(name)});
    });
  };
  const auto remove = [](lookup::MutableTable& t, nb::object keys, nb::handle name) {
    return built(with_handle(t, {keys}), [&]() -> Node& {
      return t.remove(any_input(keys, "keys"), {text_or_empty(name)});
    });
  };
  for (const char* method : {"insert", "insert_or_assign"})
    c.def(method, insert, nb::arg("keys"), nb::arg("values"), nb::arg("name") = nb::none());
  for (const char* method : {"remove", "erase"})
    c.def(method, remove, nb::arg("keys"), nb::arg("name") = nb::none());
  c.def("export", exported<lookup::MutableTable>, nb::arg("name") = nb::none());
  nb::class_<lookup::MutableHashTable, lookup::MutableTable>(m, "MutableHashTable")
      .def(
          "__init__",
          [](lookup::MutableHashTable* self, nb::handle key_dtype, nb::handle value_dtype,
             nb::handle default_value, nb::handle shared_name, const std::string& name,
             bool checkpoint) {
            constructed_table(self, {default_value}, [&] {
              new (self) lookup::MutableHashTable(as_dtype(key_dtype), as_dtype(value_dtype),
                                                  any_input(default_value, "default_value"),
                                                  {text_or_empty(shared_name), name, checkpoint});
            });
          },
          nb::arg("key_dtype"), nb::arg("value_dtype"), nb::arg("default_value"),
          nb::arg("shared_name") = nb::none(), nb::arg("name") = "MutableHashTable",
          nb::arg("checkpoint") = true);
  nb::class_<lookup::DenseHashTable, lookup::MutableTable>(m, "DenseHashTable")
      .def(
          "__init__",
          [](lookup::DenseHashTable* self, nb::handle key_dtype, nb::handle value_dtype,
             nb::handle default_value, nb::handle empty_key, nb::handle deleted_key,
             nb::handle initial_num_buckets, const std::string& name, bool checkpoint) {
            constructed_table(self, {default_value, empty_key, deleted_key}, [&] {
              new (self) lookup::DenseHashTable(as_dtype(key_dtype), as_dtype(value_dtype),
                                                any_input(default_value, "default_value"),
                                                any_input(empty_key, "empty_key"),
                                                any_input(deleted_key, "deleted_key"),
                                                {optional_number<std::int64_t>(initial_num_buckets),
                                                 std::string(), name, checkpoint});
            });
          },
          nb::arg("key_dtype"), nb::arg("value_dtype"), nb::arg("default_value"),
          nb::arg("empty_key"), nb::arg("deleted_key"), nb::arg("initial_num_buckets") = nb::none(),
          nb::arg("name") = "MutableDenseHashTable", nb::arg("checkpoint") = true);
}

template <class Make>
nb::object make_table(nb::handle argument, Make make) {
  PyObject* const values[] = {argument.ptr()};
  const InCallersPlace place(values);
  return keep_graph(nb::cast(building(make)), default_graph());
}

void bind_vocabularies(nb::module_& m) {
  const auto any = [](const char* name) { return nb::arg(name).none(); };
  m.def(
      "index_table_from_file",
      [](nb::handle file, std::int64_t buckets, nb::handle vocab_size, std::int64_t default_value,
         nb::handle key_dtype, nb::handle name, std::int64_t key_column, std::int64_t value_column,
         const std::string& delimiter) {
        return make_table(file, [&] {
          return lookup::index_table_from_file(
              any_input(file, "vocabulary_file"),
              {buckets, optional_number<std::int64_t>(vocab_size), default_value,
               as_dtype(key_dtype), key_column, value_column, delimiter, text_or_empty(name)});
        });
      },
      any("vocabulary_file"), any("num_oov_buckets"), any("vocab_size"), any("default_value"),
      any("key_dtype"), any("name"), any("key_column_index"), any("value_column_index"),
      any("delimiter"));
  m.def(
      "index_table_from_tensor",
      [](nb::handle words, std::int64_t buckets, std::int64_t default_value, nb::handle dtype,
         nb::handle name) {
        return make_table(words, [&] {
          lookup::IndexTableOptions options;
          options.num_oov_buckets = buckets;
          options.default_value = default_value;
          options.key_dtype = as_dtype(dtype);
          options.name = text_or_empty(name);
          const bool is_empty = is_sequence(words) && nb::len(words) == 0;
          const DType type = is_empty ? options.key_dtype : DType::invalid;
          return lookup::index_table_from_tensor(input_of(words, type, "", "vocabulary_list"),
                                                 options);
        });
      },
      any("vocabulary_list"), any("num_oov_buckets"), any("default_value"), any("dtype"),
      any("name"));
  m.def(
      "index_to_string_table_from_file",
      [](nb::handle file, nb::handle vocab_size, const std::string& default_value, nb::handle name,
         std::int64_t key_column, std::int64_t value_column, const std::string& delimiter) {
        return make_table(file, [&] {
          return lookup::index_to_string_table_from_file(
              any_input(file, "vocabulary_file"),
              {optional_number<std::int64_t>(vocab_size), default_value, key_column, value_column,
               delimiter, text_or_empty(name)});
        });
      },
      any("vocabulary_file"), any("vocab_size"), any("default_value"), any("name"),
      any("key_column_index"), any("value_column_index"), any("delimiter"));
  m.def(
      "index_to_string_table_from_tensor",
      [](nb::handle words, const std::string& default_value, nb::handle name) {
        return make_table(words, [&] {
          lookup::StringTableOptions options;
          options.default_value = default_value;
          options.name = text_or_empty(name);
          return lookup::index_to_string_table_from_tensor(any_input(words, "vocabulary_list"),
                                                           options);
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
  bind_table_initializers(m);
  bind_interface(m);
  bind_static_tables(m);
  bind_mutable_tables(m);
  bind_vocabularies(m);
  add_functions(kFunctions);
}

}  // namespace rill::python
