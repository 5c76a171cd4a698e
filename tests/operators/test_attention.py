"""Sliding attention: values, derivatives in torch's transforms, compiled programs, refusals."""

from __future__ import annotations

from typing import Any

import pytest

from support.attention import compare, differentiated, reference
from support.processes import run_python
from support.torch_backend import ops, torch, torch_backend

sliding_attention = torch_backend.attention.sliding_attention
FlopCounterMode = pytest.importorskip("torch.utils.flop_counter").FlopCounterMode
inf, func = float("inf"), torch.func
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning")  # torch's


def inputs(dtype: Any = torch.float64, n: int = 9) -> Any:
    shapes = ((2, 4, n, 5), (2, 2, n, 5), (2, 2, n, 5), (4,))
    return tuple(torch.randn(shape, dtype=dtype) for shape in shapes)


# ---- values --------------------------------------------------------------------------------


def test_random_calls() -> None:
    compare(300, 5e-6)
    compare(40, 1e-12, torch.float64)
    for dtype in (torch.bfloat16, torch.float16):
        compare(40, 2 * torch.finfo(dtype).eps, dtype)


@pytest.mark.parametrize("isa", ["portable", "avx2", "avx512"])
def test_every_instruction_set_beside_guard_pages(isa: str) -> None:
    program = """
from safety.guard_pages import guarded
from support.attention import compare
for at_end in (False, True):
    compare(30, 5e-6, place=lambda array: guarded(array, at_end))
"""
    run_python("-c", program, env={"COOKBOOK_ISA": isa})


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_threads_change_no_bit(dtype: Any) -> None:
    given = inputs(dtype, n=700)
    weights = torch.randn(given[0].shape), torch.randn(given[0].shape[:3])
    one, two, three = (
        differentiated(sliding_attention, given, weights, window=100, threads=threads)
        for threads in (1, 2, 3)
    )
    assert all(map(torch.equal, one, two))
    assert all(map(torch.equal, one, three))


def test_extreme_scores_and_sinks() -> None:
    q, k, v, _ = inputs(torch.float32)
    sink = torch.tensor([1e4, -1e4, -inf, inf])
    for scale in (1e4, -1e4):
        out, lse = sliding_attention(q, k, v, sink, window=4, scale=scale)
        wide = (x.double() for x in (q, k, v, sink))
        right = reference(*wide, window=4, scale=scale)
        for x, y in zip((out, lse), right, strict=True):
            torch.testing.assert_close(x[:, :3].double(), y[:, :3], atol=1e-2, rtol=0)
        assert out[:, 3].eq(0).all()
        assert lse[:, 3].eq(inf).all()
        plain, _ = sliding_attention(q, k, v, window=4, scale=scale)
        assert torch.equal(plain[:, 2], out[:, 2])


def test_a_nan_stays_in_its_row() -> None:
    q, *rest = inputs(torch.float32)
    clean, _ = sliding_attention(q, *rest, window=4)
    q[0, 1, 5, 2] = float("nan")
    out, lse = sliding_attention(q, *rest, window=4)
    assert torch.equal(lse.isnan().nonzero(), torch.tensor([[0, 1, 5]]))
    assert torch.equal(out[~lse.isnan()], clean[~lse.isnan()])
    assert out[0, 1, 5].isnan().all()


# ---- derivatives ---------------------------------------------------------------------------

OPTIONS = {"window": 3, "softcap": 4.0}
ARGUMENTS = inputs()
THREE = tuple(torch.stack((x, x + 1, x * 2)) for x in ARGUMENTS)
ALL = (0, 1, 2, 3)
FUNCTIONS = [lambda *x, f=f: f(*x, **OPTIONS) for f in (sliding_attention, reference)]
attend = FUNCTIONS[0]


def loss_of(f: Any) -> Any:
    return lambda *x: sum(y.pow(2).sum() for y in f(*x))


def checkpointed(f: Any) -> Any:
    q = ARGUMENTS[0].clone().requires_grad_()
    loss = torch.utils.checkpoint.checkpoint(loss_of(f), q, *ARGUMENTS[1:], use_reentrant=False)
    return torch.autograd.grad(loss, q)


def compiled(backend: str) -> Any:
    def gradients(f: Any) -> Any:
        leaves = [x.clone().requires_grad_() for x in ARGUMENTS]
        program = torch.compile(loss_of(f), fullgraph=True, dynamic=True, backend=backend)
        return torch.autograd.grad(program(*leaves), leaves)

    return gradients


TRANSFORMS = {
    "grad": lambda f: func.grad(loss_of(f), ALL)(*ARGUMENTS),
    "vjp": lambda f: func.vjp(f, *ARGUMENTS)[1]((ARGUMENTS[0], ARGUMENTS[0][..., 0])),
    "jacrev": lambda f: func.jacrev(f, ALL)(*ARGUMENTS),
    "map": lambda f: func.vmap(f)(*THREE),
    "map of q": lambda f: func.vmap(f, (3, *[None] * 3))(THREE[0].movedim(0, 3), *ARGUMENTS[1:]),
    "map of sinks": lambda f: func.vmap(f, (None, None, None, 1))(*ARGUMENTS[:3], THREE[3].T),
    "grad, mapped": lambda f: func.vmap(func.grad(loss_of(f), ALL))(*THREE),
    "grad of a map": lambda f: func.grad(lambda *x: func.vmap(loss_of(f))(*x).sum(), ALL)(*THREE),
    "without sinks": lambda f: func.vmap(func.grad(loss_of(f)))(*THREE[:3]),
    "checkpoint": checkpointed,
    "aot_eager": compiled("aot_eager"),
    "inductor": compiled("inductor"),
}


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_transformed(transform: str) -> None:
    torch.testing.assert_close(*(TRANSFORMS[transform](f) for f in FUNCTIONS))


REFUSED_TRANSFORMS = {
    "jvp": lambda f: func.jvp(f, ARGUMENTS, ARGUMENTS),
    "jvp of sinks": lambda f: func.jvp(
        lambda s: f(*ARGUMENTS[:3], s), ARGUMENTS[3:], ARGUMENTS[3:]
    ),
    "compiled jvp": lambda f: torch.compile(
        lambda *x: func.jvp(f, x, x)[1], fullgraph=True, backend="eager"
    )(*ARGUMENTS),
    "hessian": lambda f: func.hessian(f)(*ARGUMENTS),
    "grad twice": lambda f: func.grad(lambda *x: func.grad(f)(*x).sum())(*ARGUMENTS),
}


@pytest.mark.parametrize("transform", REFUSED_TRANSFORMS)
def test_what_has_no_derivative_says_so(transform: str) -> None:
    with pytest.raises(Exception, match=r"has no derivative|NotImplementedError"):
        REFUSED_TRANSFORMS[transform](loss_of(attend))


@pytest.mark.parametrize("n", [3, 4])
def test_what_torch_checks(n: int) -> None:
    leaves = [x.clone().requires_grad_() for x in ARGUMENTS[:n]]
    assert torch.autograd.gradcheck(attend, leaves, check_batched_grad=True)
    results = [x.detach() for x in attend(*leaves)]
    sink = ARGUMENTS[3] if n == 4 else None
    backward = (*results, *ARGUMENTS[:3], sink, *results)
    for name, given in (("sliding_attention", leaves), ("sliding_attention_backward", backward)):
        found = torch.library.opcheck(getattr(ops, name).default, tuple(given), OPTIONS)
        assert set(found.values()) == {"SUCCESS"}


# ---- what else torch asks ------------------------------------------------------------------


def test_one_graph_for_all_sizes() -> None:
    module = torch_backend.attention.SlidingAttention(4, window=3).double()
    sizes = [{2: torch.export.Dim("n")}] * 3
    exported = torch.export.export(module, ARGUMENTS[:3], dynamic_shapes=sizes).module()
    program = torch.compile(attend, fullgraph=True, dynamic=True, backend="eager")
    for n in (5, 9, 40):
        given = inputs(n=n)
        with torch.compiler.set_stance("fail_on_recompile" if n > 5 else "default"):
            torch.testing.assert_close(program(*given), reference(*given, **OPTIONS))
        torch.testing.assert_close(exported(*given[:3]), module(*given[:3]))


def test_autocast_computes_in_float32() -> None:
    q, k, v, sink = inputs(torch.float32)
    with pytest.raises(TypeError, match="k and v must have q's dtype"):
        sliding_attention(q.bfloat16(), k, v, window=3)
    with torch.autocast("cpu"):
        out, lse = sliding_attention(q.bfloat16(), k, v.bfloat16(), sink, window=3)
    right, right_lse = reference(q.bfloat16().float(), k, v.bfloat16().float(), sink, window=3)
    torch.testing.assert_close((out, lse), (right.bfloat16(), right_lse))


@pytest.mark.parametrize(("queries", "keys", "pairs"), [(9, 9, 24), (4, 9, 12), (9, 4, 9)])
def test_the_counted_operations(queries: int, keys: int, pairs: int) -> None:
    q, k, v, _ = inputs()
    with FlopCounterMode(display=False) as counter:
        given = (q[:, :, :queries].requires_grad_(), k[:, :, :keys], v[:, :, :keys])
        sliding_attention(*given, window=3)[0].sum().backward()
    assert counter.get_total_flops() == 2 * (2 + 5) * 2 * 4 * 5 * pairs


Q, K, V, SINK = inputs(torch.float32)
REFUSED = {
    "q must be float32 or": lambda: ((Q.int(), K.int(), V.int()), {}),
    "have 4 dimensions": lambda: ((Q[0], K, V), {}),
    r"v must have shape \(2, 2, 9, 5\)": lambda: ((Q, K, V[:, :, 1:]), {}),
    r"sink must have shape \(4\)": lambda: ((Q, K, V, SINK[1:]), {}),
    "sink must have the dtype": lambda: ((Q, K, V, SINK.double()), {}),
    "k has 2 heads": lambda: ((Q[:, 1:], K, V), {}),
    "size 257 of q": lambda: ([torch.zeros(1, 1, 2, 257)] * 3, {}),
    "window must be at least 1, not 0": lambda: ((Q, K, V), {"window": 0}),
    "softcap must be finite": lambda: ((Q, K, V), {"softcap": inf}),
    "threads must be at least 1": lambda: ((Q, K, V), {"threads": 0}),
    "q must be aligned": lambda: ((unaligned(Q), K, V), {}),
    "on one device": lambda: ((Q, K.to("meta"), V), {}),
    "Could not run": lambda: ((Q.to_sparse(), K, V), {}),
}


def unaligned(x: Any) -> Any:
    memory = bytearray(x.nbytes + 1)
    return torch.frombuffer(memory, dtype=x.dtype, offset=1).view(x.shape)


@pytest.mark.parametrize("message", REFUSED)
def test_refused(message: str) -> None:
    tensors, options = REFUSED[message]()
    with pytest.raises((RuntimeError, NotImplementedError), match=message):
        ops.sliding_attention(*tensors, **{"window": 3} | options)
