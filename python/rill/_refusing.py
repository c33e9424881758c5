"""Names of parts of TensorFlow that Rill does not have, in modules that libraries import though few of their users need
them. They can be imported, named as a base class and looked at; who calls one learns what is missing."""

_AUTOGRAPH = "AutoGraph's transformation of source code"
_TENSORRT = "TensorRT"
_TPU = "tensor processing units"
_NCCL = "NVIDIA's collective communication library"
_BIJECTORS = "bijectors of tf.contrib.distributions"

# Per module what it would need, and its names.
_MODULES = {
    "python.autograph.converters.break_statements": (_AUTOGRAPH, "transform"),
    "python.autograph.converters.continue_statements": (_AUTOGRAPH, "transform"),
    "python.autograph.converters.return_statements": (_AUTOGRAPH, "transform"),
    "python.autograph.core.converter": (
        _AUTOGRAPH, "Base ConversionOptions EntityContext ProgramContext apply_ standard_analysis"),
    "python.autograph.core.naming": (_AUTOGRAPH, "Namer"),
    "python.autograph.impl.api": (_AUTOGRAPH, "converted_call"),
    "python.autograph.pyct.anno": (_AUTOGRAPH, "Basic Static copyanno dup getanno hasanno setanno"),
    "python.autograph.pyct.compiler": (_AUTOGRAPH, "ast_to_object ast_to_source"),
    "python.autograph.pyct.inspect_utils": (_AUTOGRAPH, "getnamespace getfutureimports"),
    "python.autograph.pyct.parser": (_AUTOGRAPH, "parse parse_entity parse_expression parse_str"),
    "python.autograph.pyct.qual_names": (_AUTOGRAPH, "QN resolve"),
    "python.autograph.pyct.templates": (_AUTOGRAPH, "replace replace_as_expression"),
    "python.autograph.pyct.transformer": (_AUTOGRAPH, "Base Context EntityInfo"),
    "python.autograph.pyct.common_transformers.anf": (_AUTOGRAPH, "transform"),
    "python.ops.parallel_for.gradients": ("vectorised loops", "batch_jacobian jacobian"),
    "python.ops.parallel_for.control_flow_ops": ("vectorised loops", "for_loop pfor vectorized_map"),
    **{path: ("cuDNN", "CudnnCompatibleGRUCell CudnnCompatibleLSTMCell CudnnGRU CudnnGRUSaveable CudnnLSTM "
                       "CudnnLSTMSaveable CudnnRNNRelu CudnnRNNReluSaveable CudnnRNNTanh CudnnRNNTanhSaveable")
       for path in ("contrib.cudnn_rnn", "contrib.cudnn_rnn.python.layers.cudnn_rnn",
                    "contrib.cudnn_rnn.python.ops.cudnn_rnn_ops")},
    "python.tpu.topology": (_TPU, "Topology"),
    "python.tpu.device_assignment": (_TPU, "DeviceAssignment device_assignment"),
    "contrib.tensorrt": (
        _TENSORRT, "TRTEngineOp TrtPrecisionMode add_test_value calib_graph_to_infer_graph create_inference_graph"),
    "contrib.nccl": (_NCCL, "all_max all_min all_prod all_sum broadcast reduce_sum"),
    "contrib.quantize": (
        "simulated quantisation of training graphs", "create_eval_graph create_training_graph "
        "experimental_create_eval_graph experimental_create_training_graph"),
    "contrib.tfprof.tfprof_logger": ("the profiler", "merge_default_op_log write_op_log"),
    "contrib.tfprof.model_analyzer": ("the profiler", "Profiler advise print_model_analysis profile"),
    "contrib.distributions.bijectors": (
        _BIJECTORS, "AbsoluteValue Affine AffineLinearOperator AffineScalar BatchNormalization Bijector Chain "
        "CholeskyOuterProduct ConditionalBijector Exp FillTriangular Gumbel Identity Inline Invert Kumaraswamy "
        "MaskedAutoregressiveFlow MatrixInverseTriL Ordered Permute PowerTransform RealNVP Reshape ScaleTriL Sigmoid "
        "SinhArcsinh SoftmaxCentered Softplus Softsign Square TransformDiagonal Weibull "
        "masked_autoregressive_default_template masked_dense real_nvp_default_template"),
}


def _refusing(path, name, needed):
    def refuse(self, *args, **kwargs):
        raise NotImplementedError(f"tensorflow.{path}.{name} needs {needed}, which Rill does not have")

    return type(name, (), {"__init__": refuse, "__module__": f"tensorflow.{path}", "_refuses": True,
                           "__doc__": f"Refuses to work: it needs {needed}."})


def modules():
    """The paths of these modules."""
    return _MODULES.keys()


def names(path):
    """The names in one of them."""
    return _MODULES[path][1].split() if path in _MODULES else []


def find(path, name):
    """What refuses under a name, or None."""
    return _refusing(path, name, _MODULES[path][0]) if name in names(path) else None
