"""What tensorflow.python.layers.utils and keras.utils.conv_utils offer to those who write layers."""

from rill._control_flow import smart_cond, smart_constant_value  # noqa: F401
from rill._static import constant_value  # noqa: F401


def convert_data_format(data_format, ndim):
    """"channels_last" as the ops spell it for tensors of that rank."""
    formats = {3: ("NWC", "NCW"), 4: ("NHWC", "NCHW"), 5: ("NDHWC", "NCDHW")}
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError("Invalid data_format:", data_format)
    if ndim not in formats:
        raise ValueError("Input rank not supported:", ndim)
    return formats[ndim][data_format == "channels_first"]


def normalize_tuple(value, n, name):
    """n integers: the value n times, or an iterable of that many."""
    if isinstance(value, int):
        return (value,) * n
    wrong = f"The `{name}` argument must be a tuple of {n} integers. Received: {value}"
    try:
        values = tuple(value)
    except TypeError:
        raise ValueError(wrong) from None
    if len(values) != n:
        raise ValueError(wrong)
    for single in values:
        try:
            int(single)
        except (TypeError, ValueError):
            raise ValueError(f"{wrong} including element {single} of type {type(single)}") from None
    return values


def normalize_data_format(value):
    """"channels_last" or "channels_first"; None is what Keras is set to."""
    if value is None:
        from rill.keras.backend import image_data_format
        value = image_data_format()
    text = value.lower()
    if text not in ("channels_first", "channels_last"):
        raise ValueError("The `data_format` argument must be one of \"channels_first\", \"channels_last\". "
                         f"Received: {value}")
    return text


def normalize_padding(value):
    """"valid", "same" or "causal"."""
    text = value.lower()
    if text not in ("valid", "same", "causal"):
        raise ValueError("The `padding` argument must be a list/tuple or one of \"valid\", \"same\" (or \"causal\", "
                         f"only for `Conv1D). Received: {value}")
    return text


def conv_output_length(input_length, filter_size, padding, stride, dilation=1):
    """The size of a dimension behind a convolution; None where it is not known."""
    if input_length is None:
        return None
    window = filter_size + (filter_size - 1) * (dilation - 1)
    lost = {"same": 0, "causal": 0, "valid": window - 1, "full": 1 - window}[padding]
    return (input_length - lost + stride - 1) // stride


def conv_input_length(output_length, filter_size, padding, stride):
    """The size of a dimension before a convolution."""
    if output_length is None:
        return None
    padded = {"same": filter_size // 2, "valid": 0, "full": filter_size - 1}[padding]
    return (output_length - 1) * stride - 2 * padded + filter_size


def deconv_output_length(input_length, filter_size, padding, stride):
    """The size of a dimension behind a transposed convolution."""
    if input_length is None:
        return None
    return input_length * stride + {"valid": max(filter_size - stride, 0), "full": 2 - stride - filter_size,
                                    "same": 0}[padding]
