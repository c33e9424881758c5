#include "rill/api/keras/layer_fields.h"

#include "rill/api/keras/constraints.h"
#include "rill/api/keras/described.h"
#include "rill/base/error.h"
#include "rill/base/text.h"

namespace rill::keras {
namespace {

using Sizes = std::vector<std::int64_t>;

// 1, 2 or 3 for "Conv2D" and its like, else 0.
std::size_t rank_of(const std::string& class_name) {
  for (const std::size_t rank : {1U, 2U, 3U})
    if (class_name.find(str_cat(rank, "D")) != std::string::npos) return rank;
  return 0;
}
bool is_pooling(const std::string& class_name) {
  return class_name.find("Pooling") != std::string::npos;
}
bool is_recurrent(const std::string& class_name) {
  return class_name == "SimpleRNN" || class_name == "GRU" || class_name == "LSTM" ||
         class_name == "ConvLSTM2D";
}

Sizes sizes_of(const Json& value, const std::string& name) {
  if (is_null(value)) return {};
  if (value.kind == Json::Kind::number) return {int_of(value, name)};
  Sizes sizes;
  for (const Json& item : value.items) sizes.push_back(int_of(item, name));
  return sizes;
}

// Pairs, one of them where there is one dimension: as (1, 1).
Json json_of_margins(const backend::Margins& margins) {
  std::vector<Json> pairs;
  for (const auto& [before, after] : margins) pairs.push_back(json_of(Sizes{before, after}));
  return pairs.size() == 1 ? pairs[0] : json_array(std::move(pairs));
}
backend::Margins margins_of(const Json& value, std::size_t rank, const std::string& name) {
  if (value.kind == Json::Kind::number)
    return backend::Margins(rank, {int_of(value, name), int_of(value, name)});
  const bool one_pair =
      rank == 1 && value.items.size() == 2 && value.items[0].kind == Json::Kind::number;
  if (one_pair) return {{int_of(value.items[0], name), int_of(value.items[1], name)}};
  backend::Margins margins;
  for (const Json& item : value.items) {
    const Sizes both = sizes_of(item, name);
    require(both.size() == 1 || both.size() == 2, name, " has pairs, not ", to_text(item));
    margins.emplace_back(both[0], both.back());
  }
  return margins;
}

template <class T>
Json written(const T& value) {
  return json_of(value);
}
void read(const Json& value, const std::string& name, std::int64_t& to) {
  to = int_of(value, name);
}
void read(const Json& value, const std::string& name, int& to) {
  to = static_cast<int>(int_of(value, name));
}
void read(const Json& value, const std::string& name, double& to) { to = number_of(value, name); }
void read(const Json& value, const std::string& name, bool& to) { to = bool_of(value, name); }
void read(const Json& value, const std::string& name, std::string& to) {
  to = is_null(value) ? std::string() : text_of(value, name);
}
void read(const Json& value, const std::string& name, Sizes& to) { to = sizes_of(value, name); }
template <class T>
void read(const Json& value, const std::string& name, std::optional<T>& to) {
  if (is_null(value)) return to.reset();
  read(value, name, to.emplace());
}

struct Field {
  std::string_view name;
  Json (*write)(const Recipe&);
  void (*read)(Recipe&, const Json&, const std::string& name);
};

// A field that is kept as it is, in the settings or the arguments.
template <auto Part, auto Member>
constexpr Field plain(std::string_view name) {
  return {name, [](const Recipe& r) { return written((r.*Part).*Member); },
          [](Recipe& r, const Json& value, const std::string& what) {
            read(value, what, (r.*Part).*Member);
          }};
}
constexpr auto kSettings = &Recipe::settings;
constexpr auto kArguments = &Recipe::arguments;
using S = LayerSettings;
using A = LayerArguments;

// Where there is none it is the layer's own, which files name.
template <auto Member>
Json initializer_of(const Recipe& r, const char* otherwise) {
  const Initializer& given = r.arguments.*Member;
  return initializers::serialize(given ? given : initializers::deserialize(json_of(otherwise)));
}

template <auto Member>
constexpr Field arguments_regularizer(std::string_view name) {
  return {name, [](const Recipe& r) { return regularizers::serialize(r.arguments.*Member); },
          [](Recipe& r, const Json& value, const std::string&) {
            r.arguments.*Member = regularizers::deserialize(value);
          }};
}
template <auto Member>
constexpr Field arguments_constraint(std::string_view name) {
  return {name, [](const Recipe& r) { return constraints::serialize(r.arguments.*Member); },
          [](Recipe& r, const Json& value, const std::string&) {
            r.arguments.*Member = constraints::deserialize(value);
          }};
}
void read_kernel(Recipe& r, const Json& value, const std::string&) {
  r.arguments.kernel_initializer = initializers::deserialize(value);
}
Json glorot_kernel(const Recipe& r) {
  return initializer_of<&A::kernel_initializer>(r, "glorot_uniform");
}
// Of LayerNormalization, BatchNormalization and PReLU.
template <auto Member>
constexpr Field weight_initializer(std::string_view name) {
  return {name,
          [](const Recipe& r) {
            const Initializer& given = (r.settings.*Member).initializer;
            const bool ones = Member == &S::gamma;
            return initializers::serialize(
                given ? given : initializers::deserialize(json_of(ones ? "ones" : "zeros")));
          },
          [](Recipe& r, const Json& value, const std::string&) {
            (r.settings.*Member).initializer = initializers::deserialize(value);
          }};
}
template <auto Member>
constexpr Field weight_regularizer(std::string_view name) {
  return {name,
          [](const Recipe& r) { return regularizers::serialize((r.settings.*Member).regularizer); },
          [](Recipe& r, const Json& value, const std::string&) {
            (r.settings.*Member).regularizer = regularizers::deserialize(value);
          }};
}
template <auto Member>
constexpr Field weight_constraint(std::string_view name) {
  return {name, [](const Recipe&) { return Json(); },
          [](Recipe& r, const Json& value, const std::string&) {
            (r.settings.*Member).constraint =
                constraints::as_constraint(constraints::deserialize(value));
          }};
}
// What this interface has no choice of: null, or false.
template <bool kFalse>
constexpr Field fixed(std::string_view name) {
  return {name, [](const Recipe&) { return kFalse ? json_of(false) : Json(); },
          [](Recipe&, const Json& value, const std::string& what) {
            require(is_null(value) || (value.kind == Json::Kind::boolean && !value.boolean) ||
                        what == "input_length",
                    what, " = ", to_text(value), " of a layer in a file");
          }};
}

const Field kFields[] = {
    plain<kSettings, &S::units>("units"),
    plain<kSettings, &S::filters>("filters"),
    plain<kSettings, &S::n>("n"),
    plain<kSettings, &S::input_dim>("input_dim"),
    plain<kSettings, &S::output_dim>("output_dim"),
    plain<kSettings, &S::implementation>("implementation"),
    plain<kSettings, &S::kernel_size>("kernel_size"),
    plain<kSettings, &S::pool_size>("pool_size"),
    plain<kSettings, &S::dims>("dims"),
    plain<kSettings, &S::target_shape>("target_shape"),
    plain<kSettings, &S::interpolation>("interpolation"),
    plain<kSettings, &S::normalize>("normalize"),
    plain<kSettings, &S::use_scale>("use_scale"),
    plain<kSettings, &S::center>("center"),
    plain<kSettings, &S::scale>("scale"),
    plain<kSettings, &S::rate>("rate"),
    plain<kSettings, &S::stddev>("stddev"),
    plain<kSettings, &S::mask_value>("mask_value"),
    plain<kSettings, &S::l1>("l1"),
    plain<kSettings, &S::l2>("l2"),
    plain<kSettings, &S::alpha>("alpha"),
    plain<kSettings, &S::theta>("theta"),
    plain<kSettings, &S::max_value>("max_value"),
    plain<kSettings, &S::negative_slope>("negative_slope"),
    plain<kSettings, &S::threshold>("threshold"),
    plain<kSettings, &S::noise_shape>("noise_shape"),
    plain<kArguments, &A::depth_multiplier>("depth_multiplier"),
    plain<kArguments, &A::use_bias>("use_bias"),
    plain<kArguments, &A::unit_forget_bias>("unit_forget_bias"),
    plain<kArguments, &A::reset_after>("reset_after"),
    plain<kArguments, &A::return_sequences>("return_sequences"),
    plain<kArguments, &A::return_state>("return_state"),
    plain<kArguments, &A::go_backwards>("go_backwards"),
    plain<kArguments, &A::unroll>("unroll"),
    plain<kArguments, &A::mask_zero>("mask_zero"),
    plain<kArguments, &A::dropout>("dropout"),
    plain<kArguments, &A::recurrent_dropout>("recurrent_dropout"),
    plain<kArguments, &A::epsilon>("epsilon"),
    plain<kArguments, &A::momentum>("momentum"),
    plain<kArguments, &A::seed>("seed"),
    weight_initializer<&S::beta>("beta_initializer"),
    weight_initializer<&S::gamma>("gamma_initializer"),
    weight_initializer<&S::alpha_weight>("alpha_initializer"),
    weight_regularizer<&S::beta>("beta_regularizer"),
    weight_regularizer<&S::gamma>("gamma_regularizer"),
    weight_regularizer<&S::alpha_weight>("alpha_regularizer"),
    weight_constraint<&S::beta>("beta_constraint"),
    weight_constraint<&S::gamma>("gamma_constraint"),
    weight_constraint<&S::alpha_weight>("alpha_constraint"),
    arguments_regularizer<&A::kernel_regularizer>("kernel_regularizer"),
    arguments_regularizer<&A::kernel_regularizer>("depthwise_regularizer"),
    arguments_regularizer<&A::kernel_regularizer>("pointwise_regularizer"),
    arguments_regularizer<&A::kernel_regularizer>("embeddings_regularizer"),
    arguments_regularizer<&A::bias_regularizer>("bias_regularizer"),
    arguments_constraint<&A::kernel_constraint>("kernel_constraint"),
    arguments_constraint<&A::kernel_constraint>("depthwise_constraint"),
    arguments_constraint<&A::kernel_constraint>("pointwise_constraint"),
    arguments_constraint<&A::kernel_constraint>("embeddings_constraint"),
    arguments_constraint<&A::bias_constraint>("bias_constraint"),
    {"kernel_initializer", glorot_kernel, read_kernel},
    {"depthwise_initializer", glorot_kernel, read_kernel},
    {"pointwise_initializer", glorot_kernel, read_kernel},
    {"embeddings_initializer",
     [](const Recipe& r) { return initializer_of<&A::kernel_initializer>(r, "uniform"); },
     read_kernel},
    {"recurrent_initializer",
     [](const Recipe& r) { return initializer_of<&A::recurrent_initializer>(r, "orthogonal"); },
     [](Recipe& r, const Json& value, const std::string&) {
       r.arguments.recurrent_initializer = initializers::deserialize(value);
     }},
    {"bias_initializer",
     [](const Recipe& r) { return initializer_of<&A::bias_initializer>(r, "zeros"); },
     [](Recipe& r, const Json& value, const std::string&) {
       r.arguments.bias_initializer = initializers::deserialize(value);
     }},
    {"activity_regularizer",
     [](const Recipe& r) {
       if (r.class_name == "ActivityRegularization") return Json();
       return regularizers::serialize(Penalty{r.arguments.activity_regularizer});
     },
     [](Recipe& r, const Json& value, const std::string&) {
       r.arguments.activity_regularizer = regularizers::deserialize(value).of;
     }},
    {"activation",
     [](const Recipe& r) {
       const auto& given = r.arguments.activation ? r.arguments.activation : r.settings.activation;
       if (!given) return json_of(is_recurrent(r.class_name) ? "tanh" : "linear");
       return json_of(activations::serialize(*given));
     },
     [](Recipe& r, const Json& value, const std::string& name) {
       if (!is_null(value)) r.arguments.activation = Activation(text_of(value, name));
     }},
    {"recurrent_activation",
     [](const Recipe& r) {
       const auto& given = r.arguments.recurrent_activation;
       return json_of(given ? activations::serialize(*given) : "hard_sigmoid");
     },
     [](Recipe& r, const Json& value, const std::string& name) {
       if (!is_null(value)) r.arguments.recurrent_activation = Activation(text_of(value, name));
     }},
    {"strides",
     [](const Recipe& r) {
       if (!r.arguments.strides.empty()) return json_of(r.arguments.strides);
       return json_of(is_pooling(r.class_name) ? r.settings.pool_size
                                               : Sizes(rank_of(r.class_name), 1));
     },
     [](Recipe& r, const Json& value, const std::string& name) {
       r.arguments.strides = sizes_of(value, name);
     }},
    {"dilation_rate",
     [](const Recipe& r) {
       const Sizes& given = r.arguments.dilation_rate;
       return json_of(given.empty() ? Sizes(rank_of(r.class_name), 1) : given);
     },
     [](Recipe& r, const Json& value, const std::string& name) {
       r.arguments.dilation_rate = sizes_of(value, name);
     }},
    {"data_format",
     [](const Recipe& r) {
       const std::string& given = r.arguments.data_format;
       return json_of(given.empty() ? backend::image_data_format() : given);
     },
     [](Recipe& r, const Json& value, const std::string& name) {
       read(value, name, r.arguments.data_format);
     }},
    // Of a convolution or a pooling its kind, of ZeroPadding how much.
    {"padding",
     [](const Recipe& r) {
       return r.settings.margins.empty() ? json_of(r.arguments.padding)
                                         : json_of_margins(r.settings.margins);
     },
     [](Recipe& r, const Json& value, const std::string& name) {
       if (value.kind == Json::Kind::string)
         r.arguments.padding = value.text;
       else
         r.settings.margins = margins_of(value, rank_of(r.class_name), name);
     }},
    {"cropping", [](const Recipe& r) { return json_of_margins(r.settings.margins); },
     [](Recipe& r, const Json& value, const std::string& name) {
       r.settings.margins = margins_of(value, rank_of(r.class_name), name);
     }},
    {"size",
     [](const Recipe& r) {
       return r.settings.size.size() == 1 ? json_of(r.settings.size[0]) : json_of(r.settings.size);
     },
     [](Recipe& r, const Json& value, const std::string& name) {
       r.settings.size = sizes_of(value, name);
     }},
    {"axes",
     [](const Recipe& r) {
       return r.settings.axes.size() == 1 ? json_of(r.settings.axes[0]) : json_of(r.settings.axes);
     },
     [](Recipe& r, const Json& value, const std::string& name) {
       r.settings.axes = sizes_of(value, name);
     }},
    {"axis",
     [](const Recipe& r) {
       if (r.class_name == "LayerNormalization" && !r.settings.axes.empty())
         return json_of(r.settings.axes);
       return r.class_name == "BatchNormalization" || r.class_name == "LayerNormalization"
                  ? json_of(Sizes{r.settings.axis})
                  : json_of(r.settings.axis);
     },
     [](Recipe& r, const Json& value, const std::string& name) {
       const Sizes axes = sizes_of(value, name);
       require(axes.size() == 1 || r.class_name == "LayerNormalization", name, " is one number");
       if (r.class_name == "LayerNormalization")
         r.settings.axes = axes;
       else
         r.settings.axis = static_cast<int>(axes[0]);
     }},
    {"shared_axes",
     [](const Recipe& r) {
       return r.settings.shared_axes.empty() ? Json() : json_of(r.settings.shared_axes);
     },
     [](Recipe& r, const Json& value, const std::string& name) {
       r.settings.shared_axes = sizes_of(value, name);
     }},
    {"moving_mean_initializer",
     [](const Recipe&) {
       return initializers::serialize(initializers::deserialize(json_of("zeros")));
     },
     [](Recipe&, const Json&, const std::string&) {}},
    {"moving_variance_initializer",
     [](const Recipe&) {
       return initializers::serialize(initializers::deserialize(json_of("ones")));
     },
     [](Recipe&, const Json&, const std::string&) {}},
    fixed<false>("input_length"),
    fixed<false>("output_padding"),
    fixed<false>("recurrent_regularizer"),
    fixed<false>("recurrent_constraint"),
    fixed<true>("stateful"),
    fixed<true>("time_major"),
};

const Field& field(const std::string& name) {
  for (const Field& known : kFields)
    if (known.name == name) return known;
  raise(Code::kInvalidArgument, "'", name, "' is no setting of a layer");
}

#define RILL_BIAS                                                    \
  "use_bias kernel_initializer bias_initializer kernel_regularizer " \
  "bias_regularizer activity_regularizer kernel_constraint bias_constraint"
#define RILL_CONV "filters kernel_size strides padding data_format dilation_rate activation "
#define RILL_RNN                                                                             \
  "return_sequences return_state go_backwards stateful unroll time_major units activation "  \
  "recurrent_activation use_bias kernel_initializer recurrent_initializer bias_initializer " \
  "kernel_regularizer recurrent_regularizer bias_regularizer activity_regularizer "          \
  "kernel_constraint recurrent_constraint bias_constraint dropout recurrent_dropout "

struct ClassFields {
  std::string_view class_names, fields;
};
constexpr ClassFields kClasses[] = {
    {" Dense ", "units activation " RILL_BIAS},
    {" Activation ", "activation"},
    {" Dropout AlphaDropout ", "rate noise_shape seed"},
    {" SpatialDropout1D GaussianDropout ", "rate"},
    {" SpatialDropout2D SpatialDropout3D ", "rate data_format"},
    {" GaussianNoise ", "stddev"},
    {" Flatten GlobalAveragePooling1D GlobalAveragePooling2D GlobalAveragePooling3D "
     "GlobalMaxPooling1D GlobalMaxPooling2D GlobalMaxPooling3D ",
     "data_format"},
    {" Reshape ", "target_shape"},
    {" Permute ", "dims"},
    {" RepeatVector ", "n"},
    {" Masking ", "mask_value"},
    {" ActivityRegularization ", "l1 l2"},
    {" Embedding ",
     "input_dim output_dim embeddings_initializer embeddings_regularizer activity_regularizer "
     "embeddings_constraint mask_zero input_length"},
    {" Conv1D Conv2D Conv3D ", RILL_CONV RILL_BIAS},
    {" Conv2DTranspose Conv3DTranspose ", RILL_CONV "output_padding " RILL_BIAS},
    {" SeparableConv1D SeparableConv2D ",
     RILL_CONV "depth_multiplier use_bias depthwise_initializer pointwise_initializer "
               "bias_initializer depthwise_regularizer pointwise_regularizer bias_regularizer "
               "activity_regularizer depthwise_constraint pointwise_constraint bias_constraint"},
    {" DepthwiseConv2D ",
     "kernel_size strides padding data_format depth_multiplier activation use_bias "
     "depthwise_initializer bias_initializer depthwise_regularizer bias_regularizer "
     "activity_regularizer depthwise_constraint bias_constraint"},
    {" LocallyConnected1D LocallyConnected2D ",
     "filters kernel_size strides padding data_format activation implementation " RILL_BIAS},
    {" MaxPooling1D MaxPooling2D MaxPooling3D AveragePooling1D AveragePooling2D "
     "AveragePooling3D ",
     "pool_size strides padding data_format"},
    {" ZeroPadding1D ", "padding"},
    {" ZeroPadding2D ZeroPadding3D ", "padding data_format"},
    {" Cropping1D ", "cropping"},
    {" Cropping2D Cropping3D ", "cropping data_format"},
    {" UpSampling1D ", "size"},
    {" UpSampling2D ", "size data_format interpolation"},
    {" UpSampling3D ", "size data_format"},
    {" BatchNormalization ",
     "axis momentum epsilon center scale beta_initializer gamma_initializer "
     "moving_mean_initializer moving_variance_initializer beta_regularizer gamma_regularizer "
     "beta_constraint gamma_constraint"},
    {" LayerNormalization ",
     "axis epsilon center scale beta_initializer gamma_initializer beta_regularizer "
     "gamma_regularizer beta_constraint gamma_constraint"},
    {" SimpleRNN ", RILL_RNN},
    {" GRU ", RILL_RNN "reset_after"},
    {" LSTM ", RILL_RNN "unit_forget_bias"},
    {" ConvLSTM2D ",
     RILL_RNN "unit_forget_bias filters kernel_size strides padding data_format dilation_rate"},
    {" Add Subtract Multiply Average Maximum Minimum ", ""},
    {" Concatenate Softmax ", "axis"},
    {" Dot ", "axes normalize"},
    {" Attention AdditiveAttention ", "use_scale"},
    {" LeakyReLU ELU ", "alpha"},
    {" ThresholdedReLU ", "theta"},
    {" ReLU ", "max_value negative_slope threshold"},
    {" PReLU ", "alpha_initializer alpha_regularizer alpha_constraint shared_axes"},
};
#undef RILL_BIAS
#undef RILL_CONV
#undef RILL_RNN

// Settings that other classes of its row have.
bool lacks(const std::string& class_name, std::string_view name) {
  if (class_name == "SimpleRNN") return name == "recurrent_activation";
  return class_name == "ConvLSTM2D" &&
         (name == "units" || name == "unroll" || name == "time_major");
}

}  // namespace

std::vector<std::string> field_names(const std::string& class_name) {
  const std::string searched = " " + class_name + " ";
  std::vector<std::string> names;
  for (const ClassFields& known : kClasses) {
    if (known.class_names.find(searched) == std::string_view::npos) continue;
    for (std::size_t begin = 0; begin < known.fields.size();) {
      const std::size_t end = std::min(known.fields.find(' ', begin), known.fields.size());
      const std::string name(known.fields.substr(begin, end - begin));
      if (!name.empty() && !lacks(class_name, name)) names.push_back(name);
      begin = end + 1;
    }
  }
  return names;
}

Json field_of(const Recipe& recipe, const std::string& name) { return field(name).write(recipe); }
void set_field(Recipe& recipe, const std::string& name, const Json& value) {
  field(name).read(recipe, value, name);
}

}  // namespace rill::keras
