#include "rill/io/sqlite_reader.h"
#include "rill/ops/data/core/data_iterator.h"
#include "rill/ops/data/core/dataset_kernel.h"

namespace rill {

extern const OpDecl kSqlDataset, kExperimentalSqlDataset;

namespace {

template <class T>
Tensor number(const SqliteReader& row, int column) {
  return Tensor::scalar(static_cast<T>(row.integer(column)));
}

// A column's value as a scalar of `type`.
Tensor value_of(const SqliteReader& row, int column, DType type) {
  switch (type) {
    case DType::i8:
      return number<std::int8_t>(row, column);
    case DType::i16:
      return number<std::int16_t>(row, column);
    case DType::i32:
      return number<std::int32_t>(row, column);
    case DType::i64:
      return number<std::int64_t>(row, column);
    case DType::u8:
      return number<std::uint8_t>(row, column);
    case DType::u16:
      return number<std::uint16_t>(row, column);
    case DType::boolean:
      return Tensor::scalar(row.integer(column) != 0);
    case DType::f64:
      return Tensor::scalar(row.real(column));
    default:  // DType::string: check_types() has seen to it
      return Tensor::scalar(std::string(row.text(column)));
  }
}

class SqlDataset final : public Dataset {
 public:
  SqlDataset(ElementSpec spec, std::string path, std::string query)
      : Dataset(std::move(spec)), path_(std::move(path)), query_(std::move(query)) {}
  std::unique_ptr<DataIterator> iterate(const PipelineRef& pipeline) const override {
    return std::make_unique<Iterator>(*this, pipeline);
  }

 private:
  class Iterator final : public IteratorOf<SqlDataset> {
   public:
    using IteratorOf::IteratorOf;
    // After an error the query begins anew.
    bool produce(Element& element) override {
      element.clear();
      if (ended_) return false;
      if (rows_ == nullptr) open();
      try {
        ended_ = !rows_->next();
      } catch (const Error&) {
        rows_.reset();
        throw;
      }
      if (ended_) return false;
      const std::vector<DType>& types = dataset().spec().types;
      for (std::size_t i = 0; i < types.size(); ++i)
        element.push_back(value_of(*rows_, static_cast<int>(i), types[i]));
      ++row_;
      return true;
    }
    bool would_wait() const override { return true; }
    void save_stage(StateWriter& state) const override {
      state.put("row", row_);
      state.put("ended", std::int64_t{ended_});
    }
    void restore_stage(const StateReader& state) override {
      row_ = state.integer("row");
      ended_ = state.integer("ended") != 0;
    }

   private:
    // Begins the query, at the row where this walk stands.
    void open() {
      auto rows = std::make_unique<SqliteReader>(dataset().path_, dataset().query_);
      const int wanted = static_cast<int>(dataset().spec().types.size());
      require(rows->column_count() == wanted, "The number of columns in query (",
              rows->column_count(), ") must match the number of elements in output_types (", wanted,
              ").");
      for (std::int64_t i = 0; i < row_; ++i)
        if (!rows->next()) break;
      rows_ = std::move(rows);
    }

    std::unique_ptr<SqliteReader> rows_;
    std::int64_t row_ = 0;
    bool ended_ = false;
  };
  const std::string path_, query_;
};

void check_types(const ElementSpec& spec) {
  constexpr DType kTypes[] = {DType::string, DType::i8,  DType::i16,     DType::i32, DType::i64,
                              DType::u8,     DType::u16, DType::boolean, DType::f64};
  for (const DType type : spec.types)
    require(std::ranges::find(kTypes, type) != std::end(kTypes),
            "Each element of `output_types_` must be one of: DT_STRING, DT_INT8, DT_INT16, "
            "DT_INT32, DT_INT64, DT_UINT8, DT_UINT16, DT_BOOL, DT_DOUBLE ");
  for (const PartialShape& shape : spec.shapes)
    require(shape.rank() == 0, "Each element of `output_shapes_` must be a scalar.");
}

std::shared_ptr<Dataset> sql_dataset(KernelCall& call) {
  ElementSpec spec = stated_spec(call.node());
  check_types(spec);
  const auto& driver = scalar_input<std::string>(call, 0, "driver_name");
  require(driver == "sqlite", "The database type, ", driver,
          ", is not supported by SqlDataset. The set of supported databases is: {'sqlite'}.");
  return std::make_shared<SqlDataset>(std::move(spec),
                                      scalar_input<std::string>(call, 1, "data_source_name"),
                                      scalar_input<std::string>(call, 2, "query"));
}

constexpr KernelEntry kEntries[] = {
    dataset_kernel<sql_dataset>(kSqlDataset),
    dataset_kernel<sql_dataset>(kExperimentalSqlDataset),
};

}  // namespace

extern const KernelTable kSqlDatasetCpu{kEntries};

}  // namespace rill
