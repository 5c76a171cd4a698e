"""check_op: what is wrong with an operator of PyTorch, and what to change.

torch.library.opcheck compares an operator with its schema and its fake kernel for the arguments
that it is given. check_op gives it other layouts and sizes of them too, and asks what it does not:
values of derivatives, versions, memory at the edge of a page, vmap, and runs that differ.
"""

from __future__ import annotations

import ctypes
import faulthandler
import mmap
import multiprocessing
import os
import signal
import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, compress
from typing import Any

import torch.fx.experimental.symbolic_shapes  # type: ignore[import-not-found, unused-ignore]
from torch.autograd.gradcheck import GradcheckError  # type: ignore[import-not-found, unused-ignore]

from ffi_cookbook.bindings._glue.sharing import Turn

Values = dict[str, Any]  # the arguments of a call by name
_map_only = torch.utils._pytree.tree_map_only


@Turn()
def check_op(op: Any, samples: Iterable[tuple[Any, ...] | Values]) -> list[str]:
    """Return what is wrong with an operator, also where torch.library.opcheck does not look.

    Each finding has the name of the check, what to change, and a sample that shows it. What the
    operator refuses with an exception is not wrong. On a CPU, its first calls are in a fork, since
    an operator may crash; those under autograd, which torch refuses in a fork, come after them. One
    thread at a time runs it: it changes settings of the process.

    Args:
        op: what torch.library.custom_op returns, `torch.ops.mine.op`, or an overload of it.
        samples: arguments, as tuples or as dicts by name. Odd and distinct sizes show most. If a
            tensor requires grad, derivatives are checked: they must exist at these values.
    """
    op = getattr(op, "_opoverload", getattr(op, "default", op))
    if not isinstance(op, torch._ops.OpOverload):
        raise TypeError(f"op must be an operator of torch, not {op!r}")
    found: dict[str, str] = {}
    with warnings.catch_warnings(action="ignore"), torch.no_grad(), torch.random.fork_rng([]):
        for sample in samples:
            call = _Call(op, sample)
            for check in (_runs, _writes, _opcheck, _derivatives):
                forked = call.on_cpu and check in (_runs, _writes)
                findings = (_forked if forked else _findings)(check, call)
                found |= {finding.partition(" [")[0]: finding for finding in findings}
                if findings and forked:
                    break
    return [*found.values()]


class _Call:
    """An operator and one sample; `shown` has the arguments of the last call, `note` gets them."""

    def __init__(self, op: Any, sample: Any) -> None:
        schema, named = op._schema.arguments, isinstance(sample, dict)
        self.op, self.shown = op, ""
        self.note: Callable[[str], object] = len
        self.values = sample if named else {a.name: v for a, v in zip(schema, sample, strict=False)}
        self.tensors = {n: v.detach() for n, v in self.values.items() if torch.is_tensor(v)}
        self.floats = {name: t for name, t in self.tensors.items() if t.is_floating_point()}
        self.on_cpu = all(tensor.device.type == "cpu" for tensor in self.tensors.values())
        self.written = [a.name for a in schema if a.is_write and a.name in self.tensors]

    def copies(self, /, **changes: Any) -> Values:
        """Return arguments that a call may change, some of them replaced."""

        def copy(tensor: Any) -> Any:
            return tensor.detach().clone().requires_grad_(tensor.requires_grad)

        return {**_map_only(torch.Tensor, copy, self.values), **changes}

    def run(self, values: Values) -> list[Any]:
        """Return what the operator returns, and then the arguments that it writes to."""
        shown = {n: (v.dtype, v.shape, v.stride()) for n, v in values.items() if n in self.tensors}
        self.shown = ", ".join(f"{name}={value}" for name, value in (values | shown).items())
        self.note(self.shown)
        if torch.Tag.nondeterministic_seeded in self.op.tags:
            torch.manual_seed(0)
        results = torch.utils._pytree.tree_leaves(self.op(**values))
        return [*results, *(values[name] for name in self.written)]


def _attempt(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a function returns, or None if it refuses."""
    try:
        return function(*arguments)
    except Exception:
        return None


def _differ(found: Any, expected: Any, rtol: float = 0.01, atol: float = 1e-4) -> bool:
    """Return True if both are results, and differ."""
    try:
        if found is not None and expected is not None:
            torch.testing.assert_close(found, expected, rtol=rtol, atol=atol, equal_nan=True)
    except (AssertionError, TypeError):  # TypeError: a tangent is None
        return True
    return False


def _forked(check: Callable[[_Call], Iterator[str]], call: _Call) -> list[str]:
    """Return what a check yields in a fork of this process."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if not child:
        try:
            faulthandler.disable()  # a crash is reported by what is returned
            signal.alarm(300)
            torch.set_num_threads(1)  # the other threads are not in a fork
            call.note = sender.send
            sender.send(_findings(check, call))
        finally:
            os._exit(0)
    sender.close()
    message: Any = ""
    try:
        while isinstance(message, str):
            message = receiver.recv()
    except EOFError:
        message = [f"memory: it crashed: read arguments alone, write what is declared [{message}]"]
    os.waitpid(child, 0)
    return [*message]


def _findings(check: Callable[[_Call], Iterator[str]], call: _Call) -> list[str]:
    try:
        return [f"{check.__name__[1:]}: {change} [{call.shown}]" for change in check(call)]
    except Exception as error:
        return [f"{check.__name__[1:]}: accept what raises {error!r:.300} [{call.shown}]"]


LAYOUTS: list[Callable[[Any], Any]] = [
    lambda t: torch.cat([t.new_zeros(5), t.reshape(-1)])[5:].view(t.shape),
    lambda t: torch.stack([torch.zeros_like(t), t], -1)[..., 1],
    lambda t: t.movedim(0, -1).contiguous().movedim(-1, 0),
    lambda t: t[..., :1].expand(t.shape),  # the last is not for what is written to
]


def _variants(call: _Call) -> Iterator[Values]:
    """Yield the sample, also with other layouts, 0 or n + 1 as a size, float64, a tensor twice."""
    yield call.copies()
    for name, tensor in call.tensors.items():
        for lay in LAYOUTS[:-1] if name in call.written else LAYOUTS:
            if tensor.dim() and tensor.numel():
                yield call.copies(**{name: lay(tensor)})
    for size in {n for tensor in call.tensors.values() for n in tensor.shape} - {0, 1}:
        for indices in ([], [*range(size), 0]):
            values = call.copies()
            for name, tensor in call.tensors.items():
                for dim in [dim for dim, n in enumerate(tensor.shape) if n == size]:
                    chosen = torch.tensor(indices, dtype=torch.int64, device=tensor.device)
                    values[name] = values[name].detach().index_select(dim, chosen)
            yield values
    yield call.copies(**{name: tensor.double() for name, tensor in call.floats.items()})
    for one, other in [] if call.written else combinations(call.tensors, 2):
        values = call.copies()
        if values[one].shape == values[other].shape:
            yield {**values, other: values[one]}


def _paged(tensor: Any, at_end: bool, written: bool) -> Any:
    """Return a copy, read only unless written, that ends or starts at an inaccessible page."""
    page, pages = mmap.PAGESIZE, -(-tensor.nbytes // mmap.PAGESIZE)
    start = page * (pages + 1) - tensor.nbytes if at_end else page
    memory = mmap.mmap(-1, page * (pages + 2))
    flat = torch.frombuffer(memory, dtype=tensor.dtype, count=tensor.numel(), offset=start)
    flat.copy_(tensor.reshape(-1))
    for index, n, access in ((0, 1, 0), (1, pages, 3 if written else 1), (pages + 1, 1, 0)):
        address = ctypes.c_void_p(flat.data_ptr() - start + page * index)
        ctypes.CDLL(None).mprotect(address, ctypes.c_size_t(page * n), access)
    return flat.view(tensor.shape)


def _runs(call: _Call) -> Iterator[str]:
    numbers, dtype = torch.get_rng_state(), torch.get_default_dtype()
    expected = call.run(call.copies())
    same = torch.equal(torch.get_rng_state(), numbers) and torch.get_default_dtype() == dtype
    if not same and torch.Tag.nondeterministic_seeded not in call.op.tags:
        yield "declare Tag.nondeterministic_seeded, and leave the default dtype as it is"
    for change, context in (
        ("for equal arguments, or declare Tag.nondeterministic_seeded", torch.no_grad),
        ("in inference mode", torch.inference_mode),
        ("if a tensor requires grad", torch.enable_grad),
    ):
        with context():
            if _differ(_attempt(call.run, call.copies()), expected, 0, 0):
                yield f"return the same {change}"
                return
    device = next((tensor.device.type for tensor in call.tensors.values()), "cpu")
    with torch.autocast(device):
        cast = _attempt(call.run, call.copies()) or expected
    dtypes = [
        (one.dtype, plain.dtype)
        for one, plain in zip(cast, expected, strict=True)
        if torch.is_tensor(one)
    ]
    if any(dtype not in (plain, torch.get_autocast_dtype(device)) for dtype, plain in dtypes):
        yield "under autocast, return its dtype, or the one without it"
    if call.on_cpu:
        torch.set_deterministic_debug_mode("warn")  # in this fork, torch.empty returns NaN
        if _differ(call.run(call.copies()), expected):
            yield "write every element of what torch.empty returns"


def _writes(call: _Call) -> Iterator[str]:
    for end in (True, False) if call.on_cpu else ():
        full = {name: tensor for name, tensor in call.tensors.items() if tensor.numel()}
        paged = {name: _paged(tensor, end, name in call.written) for name, tensor in full.items()}
        _attempt(call.run, call.copies(**paged))
    for values in _variants(call):
        _attempt(call.run, values)
    values = call.copies()
    versions = {name: values[name]._version for name in call.written}
    call.run(values)
    for name, version in versions.items():
        if values[name]._version == version and not torch.equal(values[name], call.tensors[name]):
            yield f"count the write to {name}: increment_version in ADInplaceOrView"
    others = {name: -t - 1 for name, t in call.floats.items() if name in call.written and t.numel()}
    changed = call.copies(**{name: tensor.clone() for name, tensor in others.items()})
    _attempt(call.run, changed)
    for name, other in others.items():
        if torch.equal(changed[name], other) and torch.equal(values[name], call.tensors[name]):
            yield f"write to {name}, or do not declare it in the schema"


def _opcheck(call: _Call) -> Iterator[str]:
    symbols = torch.fx.experimental.symbolic_shapes.ShapeEnv()
    mode = torch._subclasses.FakeTensorMode(shape_env=symbols)
    fakes = _map_only(torch.Tensor, mode.from_tensor, call.copies())
    with mode:
        _attempt(lambda: call.op(**fakes))
    options: dict[str, Any] = {"raise_exception": False}
    for values in _variants(call):
        plain = _map_only(torch.Tensor, lambda t: t.contiguous().clone(), values)
        expected, found = (_attempt(call.run, one) for one in (plain, values))
        if found is None:
            continue
        if _differ(found, expected):
            yield "follow strides and storage offsets, also if two arguments are one tensor"
        for name, tensor in call.tensors.items():
            for dim, size in enumerate(values[name].shape):
                if size > tensor.shape[dim] and fakes[name].shape[dim].node.expr.is_number:
                    yield f"let the fake kernel not make {name}.shape[{dim}] a number"
        with torch.set_grad_enabled(not call.written):
            results = torch.library.opcheck(call.op, (), values, **options)
        for test, result in results.items():
            if isinstance(result, Exception):
                yield f"satisfy opcheck's {test}: {result!r:.300}"
                return
        options["test_utils"] = ["test_schema", "test_faketensor"]  # enough for the others
    copies = call.copies()
    expected = _attempt(lambda: [torch.stack([one, one]) for one in call.run(copies)])
    for names, dim in [([*call.floats], -1), *(([name], 0) for name in call.floats)]:
        pairs = {name: torch.stack([call.floats[name]] * 2, dim) for name in names}
        mapped = torch.vmap(lambda one: call.run({**copies, **one}), (dict.fromkeys(names, dim),))
        if not call.written and _differ(_attempt(mapped, pairs), expected):
            yield "mend the rule for vmap"


def _derivatives(call: _Call) -> Iterator[str]:
    wanted = [name for name in call.floats if call.values[name].requires_grad]
    if not wanted or call.written:
        return
    fixed = {name: tensor.double() for name, tensor in call.floats.items()}
    bounds = {"eps": 1e-6, "atol": 1e-5, "rtol": 1e-3}
    if _attempt(call.run, call.copies(**fixed)) is None:
        fixed, bounds = call.floats, {"eps": 1e-2, "atol": 0.05, "rtol": 0.05}
    inputs = [fixed[name].clone().requires_grad_() for name in wanted]
    copies = call.copies(**fixed)
    with torch.enable_grad():
        results = _attempt(call.run, {**copies, **dict(zip(wanted, inputs, strict=True))}) or ()
    graded = [torch.is_tensor(one) and one.requires_grad for one in results]

    def function(*tensors: Any, lay: Any = torch.clone, after: Any = torch.clone) -> Any:
        values = {**copies, **dict(zip(wanted, map(lay, tensors), strict=True))}
        return tuple(map(after, compress(call.run(values), graded)))

    def wrong(check: Any = torch.autograd.gradcheck, batched: bool = False, **ways: Any) -> bool:
        bounds["check_batched_grad"] = batched
        try:
            with torch.enable_grad():
                check(lambda *x: function(*x, **ways), inputs, fast_mode=True, **bounds)
        except GradcheckError as error:
            return error.__cause__ is None  # else vmap refuses
        except Exception:
            pass
        return False

    if wrong():
        yield "mend the backward: the gradient is wrong"
        return
    if wrong(batched=True):
        yield "mend the backward under vmap: batched gradients are wrong"
    if wrong(torch.autograd.gradgradcheck):
        yield "mend the gradient's gradient, or refuse it by once_differentiable"
    ways: list[dict[str, Any]] = [{"lay": lay, "after": lay} for lay in LAYOUTS[:-1]]
    if any(wrong(**way) for way in (*ways, {"lay": LAYOUTS[-1]}, {"after": torch.sum})):
        yield "follow strides in backward: of arguments, and of the gradient that it is given"
    steps = [bounds["eps"] * torch.rand_like(tensor) for tensor in inputs]
    ends = (function(*map(add, inputs, steps)) for add in (torch.add, torch.sub))
    slopes = [(a - b) / 2 for a, b in zip(*ends, strict=True)]
    if _differ(_attempt(_tangents, function, inputs, steps), slopes, 0.01, 1e-3 * bounds["eps"]):
        yield "register a jvp, or refuse tangents, which are wrong, or zero without a word"


def _tangents(function: Any, inputs: Any, directions: Any) -> Any:
    with torch.autograd.forward_ad.dual_level():
        duals = map(torch.autograd.forward_ad.make_dual, inputs, directions)
        return [torch.autograd.forward_ad.unpack_dual(dual).tangent for dual in function(*duals)]
