"""What tf.test.TestCase asserts of arrays, and of structures of them."""

import collections

import numpy as np

from rill._ragged_tensor import RaggedTensor, RaggedTensorValue


def _loose(dtype, tolerances):
    """The tolerances of the coarser of float32, float16 and bfloat16 where `dtype` is such."""
    return tolerances.get(getattr(dtype, "name", str(dtype)))


def _is_ragged(value):
    return isinstance(value, (RaggedTensor, RaggedTensorValue))


class ArrayAssertions:
    """Mixed into TestCase; needs its `evaluate`."""

    def _GetNdArray(self, a):
        if not isinstance(a, (np.ndarray, np.generic)):
            a = self.evaluate(a) if self._is_symbolic(a) else a
        return a if isinstance(a, np.ndarray) else np.array(a)

    def _nested_lists(self, a):
        """The nested lists of a ragged tensor or value, of an array, of lists of arrays."""
        a = self.evaluate(a) if self._is_symbolic(a) else a
        if isinstance(a, RaggedTensorValue):
            return a.to_list()
        if isinstance(a, (list, tuple)):
            return [self._nested_lists(item) for item in a]
        return self._GetNdArray(a).tolist()

    def _check_ragged(self, a, b, msg):
        """Both as nested lists, once it is sure that the dimensions of both are ragged alike."""
        if _is_ragged(a) and _is_ragged(b):
            self.assertEqual(a.ragged_rank, b.ragged_rank, msg)
        return self._nested_lists(a), self._nested_lists(b)

    def _explain(self, msg, *lines):
        return "\n".join([*lines, msg] if msg else lines)

    def _check_shapes(self, a, b, msg):
        self.assertEqual(a.shape, b.shape, self._explain(
            msg, f"Shape mismatch: expected {a.shape}, got {b.shape}."))

    # --- close ------------------------------------------------------------------------------------------------

    def assertAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None):
        """|a - b| <= atol + rtol * |b| everywhere, NaN being close to NaN; dicts, tuples and lists part by part."""
        self._close(a, b, rtol, atol, msg, path="")

    def _close(self, a, b, rtol, atol, msg, path):
        if _is_ragged(a) or _is_ragged(b):
            a, b = self._check_ragged(a, b, msg)
            return self._lists_close(a, b, rtol, atol, msg, path)
        if hasattr(a, "_asdict"):
            a = a._asdict()
        if hasattr(b, "_asdict"):
            b = b._asdict()
        is_dict = isinstance(a, collections.abc.Mapping)
        if is_dict != isinstance(b, collections.abc.Mapping):
            raise ValueError(f"Can't compare dict to non-dict, a{path} vs b{path}. {msg or ''}")
        if is_dict:
            self.assertEqual(set(a), set(b), self._explain(msg, f"mismatched keys: a{path} has {sorted(a)}, "
                                                           f"b{path} has {sorted(b)}"))
            for key in a:
                self._close(a[key], b[key], rtol, atol, msg, f"{path}[{key}]")
            return
        if isinstance(a, (list, tuple)) and not self._as_arrays(a, b):
            self.assertEqual(len(a), len(b), self._explain(msg, f"Mismatched length: a{path} has {len(a)} "
                                                           f"items, but b{path} has {len(b)} items"))
            for i, (x, y) in enumerate(zip(a, b)):
                self._close(x, y, rtol, atol, msg, f"{path}[{i}]")
            return
        self._arrays_close(a, b, rtol, atol, msg, path)

    def _lists_close(self, a, b, rtol, atol, msg, path):
        self.assertEqual(type(a) is list, type(b) is list, self._explain(msg, f"a{path} and b{path} differ in rank"))
        if type(a) is not list:
            return self._arrays_close([a], [b], rtol, atol, msg, path)
        self.assertEqual(len(a), len(b), self._explain(msg, f"a{path} and b{path} have different lengths"))
        for i, (x, y) in enumerate(zip(a, b)):
            self._lists_close(x, y, rtol, atol, msg, f"{path}[{i}]")

    def _as_arrays(self, a, b):
        """Lists of numbers are compared as arrays, uneven ones part by part."""
        try:
            shapes = [self._GetNdArray(value) for value in (a, b)]
        except (ValueError, TypeError):
            return False
        return all(value.dtype != object for value in shapes)

    def _arrays_close(self, a, b, rtol, atol, msg, path):
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        if a.size == 0 and b.size == 0:
            return
        self._check_shapes(a, b, msg)
        close = np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True)
        if np.all(close):
            return
        where = np.where(np.atleast_1d(~close))
        x, y = (a[where], b[where]) if a.ndim else (a, b)
        explained = self._explain(
            msg, f"Mismatched value: a{path} is different from b{path}.",
            f"not close where = {where}", f"not close lhs = {x}", f"not close rhs = {y}",
            f"not close dif = {np.abs(x - y)}", f"not close tol = {atol + rtol * np.abs(y)}",
            f"dtype = {a.dtype}, shape = {a.shape}")
        np.testing.assert_allclose(a, b, rtol=rtol, atol=atol, err_msg=explained, equal_nan=True)
        self.fail(explained)  # of types that NumPy finds close

    def assertAllCloseAccordingToType(self, a, b, rtol=1e-6, atol=1e-6, float_rtol=1e-6, float_atol=1e-6,
                                      half_rtol=1e-3, half_atol=1e-3, bfloat16_rtol=1e-2,
                                      bfloat16_atol=1e-2, msg=None):
        """assertAllClose, less strict for values of few digits."""
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        coarse = {"float32": (float_rtol, float_atol), "complex64": (float_rtol, float_atol),
                  "float16": (half_rtol, half_atol), "bfloat16": (bfloat16_rtol, bfloat16_atol)}
        for dtype in (a.dtype, b.dtype):
            looser = _loose(dtype, coarse)
            if looser is not None:
                rtol, atol = max(rtol, looser[0]), max(atol, looser[1])
        self.assertAllClose(a, b, rtol=rtol, atol=atol, msg=msg)

    def assertNotAllClose(self, a, b, **kwargs):
        """Somewhere the two are not close."""
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        raise AssertionError("The two values are close at all elements")

    def assertNear(self, f1, f2, err, msg=None):
        self.assertTrue(f1 == f2 or abs(f1 - f2) <= err, self._explain(
            msg, f"{f1} != {f2} +/- {err}"))

    def assertArrayNear(self, farray1, farray2, err, msg=None):
        self.assertEqual(len(farray1), len(farray2), msg)
        for x, y in zip(farray1, farray2):
            self.assertNear(float(x), float(y), err, msg)

    def assertNDArrayNear(self, ndarray1, ndarray2, err, msg=None):
        difference = np.linalg.norm(np.asarray(ndarray1) - np.asarray(ndarray2))
        self.assertTrue(difference < err, self._explain(msg, f"|a - b| is {difference}, not below {err}"))

    # --- equal ------------------------------------------------------------------------------------------------

    def assertAllEqual(self, a, b, msg=None):
        """The same shape and the same elements; NaN equals NaN."""
        if _is_ragged(a) or _is_ragged(b):
            return self.assertEqual(*self._check_ragged(a, b, msg), msg)
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        self._check_shapes(a, b, msg)
        same = a == b
        if a.dtype.kind in "fc" and b.dtype.kind in "fc":
            same = np.logical_or(same, np.logical_and(np.isnan(a), np.isnan(b)))
        if np.all(same):
            return
        where = np.where(np.logical_not(same))
        x, y = (a[where], b[where]) if np.ndim(a) else (a, b)
        explained = self._explain(msg, f"not equal where = {where}", f"not equal lhs = {x!r}",
                                  f"not equal rhs = {y!r}")
        np.testing.assert_array_equal(a, b, err_msg=explained)
        self.fail(explained)  # of types that NumPy finds equal

    def assertNotAllEqual(self, a, b, msg=None):
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        raise AssertionError(self._explain(msg, "The two values are equal at all elements."))

    # --- bounds -----------------------------------------------------------------------------------------------

    def assertAllGreater(self, a, comparison_target):
        self.assertGreater(np.min(self._GetNdArray(a)), comparison_target)

    def assertAllLess(self, a, comparison_target):
        self.assertLess(np.max(self._GetNdArray(a)), comparison_target)

    def assertAllGreaterEqual(self, a, comparison_target):
        self.assertGreaterEqual(np.min(self._GetNdArray(a)), comparison_target)

    def assertAllLessEqual(self, a, comparison_target):
        self.assertLessEqual(np.max(self._GetNdArray(a)), comparison_target)

    def assertAllInRange(self, target, lower_bound, upper_bound, open_lower_bound=False,
                         open_upper_bound=False):
        """Everything between the bounds, which count as inside unless open."""
        target = self._GetNdArray(target)
        if target.dtype.kind not in "fiu":
            raise AssertionError(f"The value of {target} does not have an ordered numeric type, instead it "
                                 f"has type: {target.dtype}")
        below = target <= lower_bound if open_lower_bound else target < lower_bound
        above = target >= upper_bound if open_upper_bound else target > upper_bound
        wrong = below | above | np.isnan(target)
        if np.any(wrong):
            left, right = "(" if open_lower_bound else "[", ")" if open_upper_bound else "]"
            raise AssertionError(f"{target[wrong]} at {np.where(wrong)} is not in the range "
                                 f"{left}{lower_bound}, {upper_bound}{right}")

    def assertAllInSet(self, target, expected_set):
        """Every element is one of the set."""
        found = np.unique(self._GetNdArray(target))
        strange = np.setdiff1d(found, list(expected_set))
        if strange.size:
            raise AssertionError(f"{strange.size} unique element(s) are not in the set {expected_set}: "
                                 f"{strange}")

    def assertDTypeEqual(self, target, expected_dtype):
        actual = target.dtype if hasattr(target, "dtype") else self._GetNdArray(target).dtype
        self.assertEqual(actual, expected_dtype)

    def assertShapeEqual(self, np_array, tf_tensor, msg=None):
        """An array and a tensor have one shape."""
        if not isinstance(np_array, (np.ndarray, np.generic)):
            raise TypeError("np_array must be a Numpy ndarray or Numpy scalar")
        self.assertAllEqual(np_array.shape, tf_tensor.get_shape().as_list(), msg=msg)
