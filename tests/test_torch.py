"""The torch door's operators as torch sees them: schemas, fake kernels, gradients, tensors."""

from __future__ import annotations

import gc
import pickle
import re
import shutil
import subprocess
import threading
import weakref
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from doors import door, missing, needs
from nine_records import FILE, SCHEMA

from bindings.errors import Code
from bindings.records import index
from bindings.records.arena import Arena
from bindings.tokenizer import Model, sample_texts, train

torch = needs("torch")

# torch warns of itself: jit.script in forward mode, .grad of what opcheck makes.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:FutureWarning"),
    pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor:UserWarning"),
]


@pytest.fixture(autouse=True, scope="module")
def opened() -> ModuleType:
    return door("torch")


@pytest.fixture(scope="module")
def model() -> Model:
    ranks = train(sample_texts(50_000), 400, "gpt2")
    return Model.from_ranks(ranks, pattern="gpt2", special_tokens={"<|end|>": 1000})


@pytest.fixture(scope="module")
def blob(model: Model) -> Any:
    return torch.from_dlpack(model.blob)


def octets(data: bytes) -> Any:
    return torch.tensor(list(data), dtype=torch.uint8)


def zeros(*shape: int) -> Any:
    return torch.zeros(shape, dtype=torch.int64)


# ---- what opcheck can tell -----------------------------------------------------------------


def opcheck(name: str, *arguments: Any, **options: Any) -> None:
    """Mutation and aliasing as the schema says, the fake kernel's results as the real one's, the
    same again when traced with symbolic sizes."""
    overload = getattr(torch.ops.ffi_cookbook, name).default
    results = torch.library.opcheck(overload, arguments, options)
    assert set(results.values()) == {"SUCCESS"}


@pytest.mark.parametrize(("m", "k", "n"), [(5, 7, 3), (0, 7, 3), (5, 0, 3), (5, 7, 0), (1, 1, 1)])
def test_opcheck_matmul(m: int, k: int, n: int) -> None:
    a, b = torch.randn(m, k), torch.randn(k, n)
    opcheck("matmul", a, b)
    opcheck("matmul", a.T.contiguous().T, torch.randn(k, 2 * n)[:, ::2], threads=2)
    opcheck("matmul", a.double().requires_grad_(), b.double().requires_grad_())
    opcheck("matmul_out", a, b, torch.empty(m, n))


@pytest.mark.parametrize(
    ("of_a", "of_b"), [((4,), (4,)), ((), (4,)), ((4,), ()), ((1,), (4,)), ((4,), (1,)), ((0,), ())]
)
def test_opcheck_batches(of_a: Any, of_b: Any) -> None:
    a, b = torch.randn(*of_a, 5, 7), torch.randn(*of_b, 7, 3)
    opcheck("matmul", a, b, threads=2)
    opcheck("matmul", a.double().requires_grad_(), b.double().requires_grad_())
    opcheck("matmul_out", a, b, torch.empty((a @ b).shape))


def test_opcheck_records() -> None:
    file, arena = octets(FILE), Arena(SCHEMA, 9, [(40, 200)] * 6)
    memory, table = torch.zeros(len(arena.memory), dtype=torch.uint8), torch.tensor(arena.table)
    opcheck("index_records", file, zeros(20, 2), zeros(4))
    opcheck("index_records", file[:-1].clone(), zeros(20, 2), zeros(4), verify=False, final=False)
    opcheck("decode_examples", file, octets(SCHEMA.buffer), memory, table, zeros(4), 9)
    spans, schema = torch.tensor(index(FILE)), octets(SCHEMA.buffer)
    opcheck("gather_examples", file, spans, schema, memory, table, zeros(4))
    fields = torch.tensor([[0, 4, 1, 0, 0]])
    opcheck("decode_fixed", file[:40].clone(), 4, fields, memory, zeros(4), 10)


def test_opcheck_tokenizer(blob: Any) -> None:
    text, special = octets("hello there, wörld<|end|>".encode()), octets(b"\1")
    opcheck("bpe_encode", blob, text)
    opcheck("bpe_encode", blob, text, special)
    opcheck("bpe_encode", blob, octets(b"\xff"))
    opcheck("bpe_encode", blob, octets(b""))
    opcheck("bpe_encode_into", blob, text, torch.zeros(40, dtype=torch.uint32))
    opcheck("bpe_encode_batch", blob, text, torch.tensor([0, 3, 8]), special, threads=2)
    opcheck("bpe_count", blob, text)
    opcheck("bpe_split", blob, text)
    opcheck("bpe_decode", blob, torch.tensor([1, 2, 300], dtype=torch.uint32))


# ---- tensors -------------------------------------------------------------------------------


def test_matmul_of_tensors(opened: ModuleType) -> None:
    a, b = torch.randn(6, 5), torch.randn(5, 4)
    product = opened.matmul(a, b)
    torch.testing.assert_close(product, a @ b)
    out = torch.empty(6, 4)
    assert opened.matmul(a, b, out=out) is out
    assert torch.equal(out, product)
    assert np.array_equal(opened.matmul(a.numpy(), b.numpy()), product.numpy())


def test_gradients(opened: ModuleType) -> None:
    a = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
    b = torch.randn(4, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(opened.matmul, (a, b))
    assert torch.autograd.gradgradcheck(opened.matmul, (a, b))
    with pytest.raises(RuntimeError, match="no gradient"):
        opened.matmul(a, b, out=torch.empty(3, 2, dtype=torch.float64))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.int64, torch.complex64])
def test_refused_tensors(opened: ModuleType, dtype: Any) -> None:
    a = torch.ones(3, 3)
    for arguments in ((a.to(dtype), a.to(dtype)), (a, a.to(dtype)), (a.double(), a)):
        with pytest.raises(TypeError, match="float32 or all float64"):
            opened.matmul(*arguments)
    with pytest.raises(TypeError, match="float32 or all float64"):
        opened.matmul(a, a, out=torch.ones(3, 3, dtype=dtype))
    for other in (a.numpy(), None):
        with pytest.raises(TypeError, match="must b and out be"):
            opened.matmul(a, other)


def test_tangents_are_refused(opened: ModuleType) -> None:
    a, forward = torch.randn(3, 3), torch.autograd.forward_ad
    for function in (lambda x: opened.matmul(x, a), lambda x: opened.matmul(a, x)):
        with pytest.raises(NotImplementedError, match="forward-mode"):
            torch.func.jvp(function, (a,), (a,))
    with forward.dual_level(), pytest.raises(NotImplementedError, match="forward-mode"):
        opened.matmul(a, forward.make_dual(a, a))


def test_gradients_of_what_is_filled(opened: ModuleType) -> None:
    a, b = torch.randn(3, 4), torch.randn(4, 5)
    weight = torch.ones(3, 5, requires_grad=True)
    for out in (weight, weight * 2):
        with pytest.raises(RuntimeError, match="no gradient"):
            opened.matmul(a, b, out=out)
    with torch.no_grad():
        assert opened.matmul(a, b, out=weight) is weight
    kept = torch.ones(3, 5)
    loss = (kept * weight).sum()
    opened.matmul(a, b, out=kept)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


@pytest.mark.parametrize(
    ("of_a", "of_b"), [((2,), (2,)), ((), (2,)), ((2,), ()), ((1,), (2,)), ((2,), (1,)), ((1,), ())]
)
def test_gradients_of_batches(opened: ModuleType, of_a: Any, of_b: Any) -> None:
    a = torch.randn(*of_a, 3, 4, dtype=torch.float64, requires_grad=True)
    b = torch.randn(*of_b, 4, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(opened.matmul, (a, b))
    assert torch.autograd.gradgradcheck(opened.matmul, (a, b))
    weights = torch.randn((a @ b).shape, dtype=torch.float64)
    gradients = [
        torch.autograd.grad((f(a, b) * weights).sum(), (a, b))
        for f in (opened.matmul, torch.matmul)
    ]
    torch.testing.assert_close(*gradients)


# torch's advice about one release of CPython, not about anything here
@pytest.mark.filterwarnings("ignore:Guards may run slower on Python 3.13.0:RuntimeWarning")
@pytest.mark.parametrize("compiler", ["eager", "aot_eager"])
def test_compiled_whole(opened: ModuleType, blob: Any, compiler: str) -> None:
    def compiled(function: Any) -> Any:
        return torch.compile(function, fullgraph=True, backend=compiler, dynamic=True)

    a, b = torch.randn(6, 5), torch.randn(5, 4)
    layer = compiled(lambda a, b: opened.matmul(a, b).relu())
    torch.testing.assert_close(layer(a, b), (a @ b).relu())

    stack = torch.randn(3, 6, 5)
    torch.testing.assert_close(layer(stack, b), (stack @ b).relu())
    assert layer(a, torch.randn(4, 5, 2)).shape == (4, 6, 2)
    weight = b.clone().requires_grad_()
    gradients = [
        torch.autograd.grad(product.sum(), weight)
        for product in (layer(stack, weight), (stack @ weight).relu())
    ]
    torch.testing.assert_close(*gradients)

    def fill(a: Any, b: Any) -> Any:
        out = a.new_empty(a.shape[0], b.shape[1])
        opened.matmul(a, b, out=out)
        return out + 1

    torch.testing.assert_close(compiled(fill)(a, b), a @ b + 1)

    embedding = torch.nn.Embedding(1001, 8)
    encode = torch.ops.ffi_cookbook.bpe_encode
    mean = compiled(lambda text: embedding(encode(blob, text)[0].long()).mean(0))
    for words in (b"one text", b"and then a longer one"):
        ids = encode(blob, octets(words))[0].long()
        torch.testing.assert_close(mean(octets(words)), embedding(ids).mean(0))


def test_kept_models(opened: ModuleType, blob: Any, model: Model) -> None:
    """As often forgotten as kept; what tokenizers keep dies with the last of them."""
    ops = torch.ops.ffi_cookbook
    ops.bpe_keep(blob)
    ops.bpe_keep(blob)
    ids = ops.bpe_encode(blob, octets(b"one text"))[0].tolist()
    for _ in range(2):
        ops.bpe_forget(blob)
        assert ops.bpe_encode(blob, octets(b"one text"))[0].tolist() == ids
    with pytest.raises(RuntimeError, match="not kept"):
        ops.bpe_forget(blob)
    with pytest.raises(RuntimeError, match="not a tokenizer model"):
        ops.bpe_keep(octets(b"no model"))

    copy = pickle.loads(pickle.dumps(model))
    memory = weakref.ref(copy.blob)
    tokenizers = [opened.Tokenizer(copy) for _ in range(2)]
    assert tokenizers[1].encode("one text").tolist() == ids
    del tokenizers[0]
    assert tokenizers[0].encode("one text").tolist() == ids
    del tokenizers, copy
    gc.collect()
    assert memory() is None


def test_errors_are_data(blob: Any) -> None:
    ids, error = torch.ops.ffi_cookbook.bpe_encode(blob, octets(b"ab\xff"))
    assert ids.numel() == 0
    assert error.tolist() == [Code.UTF8, 2, 0, -1, 0, 0]
    _, error = torch.ops.ffi_cookbook.bpe_encode(octets(b"no model"), octets(b"ab"))
    assert error[0] == Code.ARGUMENT
    cut = octets(FILE[:-1])
    assert torch.ops.ffi_cookbook.index_records(cut, zeros(20, 2), zeros(4))[0] == (
        Code.TRUNCATED_FOOTER
    )


def freed() -> Any:
    tensor = torch.zeros(5, 7)
    tensor.untyped_storage().resize_(0)
    return tensor


SQUARE = torch.zeros(5, 5)
REFUSED = {
    "dtypes": lambda: ("matmul", torch.zeros(5, 7), torch.zeros(7, 3).double()),
    "integers": lambda: ("matmul", zeros(5, 7), zeros(7, 3)),
    "one dimension": lambda: ("matmul", torch.zeros(7), torch.zeros(7, 3)),
    "four dimensions": lambda: ("matmul", torch.zeros(1, 1, 5, 7), torch.zeros(7, 3)),
    "batches": lambda: ("matmul", torch.zeros(2, 5, 7), torch.zeros(3, 7, 3)),
    "no batch": lambda: ("matmul_out", SQUARE[None], torch.eye(5), torch.zeros(5, 5)),
    "inner dimensions": lambda: ("matmul", torch.zeros(5, 7), torch.zeros(5, 7)),
    "sparse": lambda: ("matmul", torch.eye(5).to_sparse(), torch.zeros(5, 7)),
    "meta": lambda: ("matmul", torch.zeros(5, 7), torch.zeros(7, 3, device="meta")),
    "freed": lambda: ("matmul", freed(), torch.zeros(7, 3)),
    "too large": lambda: ("matmul", torch.zeros(2**40, 0), torch.zeros(0, 2**40)),
    "overlap": lambda: ("matmul_out", SQUARE, torch.eye(5), SQUARE),
    "out's shape": lambda: ("matmul_out", SQUARE, torch.eye(5), torch.zeros(5, 4)),
    "out's strides": lambda: ("matmul_out", SQUARE, torch.eye(5), torch.zeros(5, 5).T),
    "spans": lambda: ("index_records", octets(FILE), zeros(9, 3), zeros(4)),
    "cursor": lambda: ("index_records", octets(FILE), zeros(9, 2), zeros(3)),
    "buffer": lambda: ("index_records", zeros(9), zeros(9, 2), zeros(4)),
    "gaps": lambda: ("index_records", octets(FILE)[::2], zeros(9, 2), zeros(4)),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    name, *arguments = REFUSED[case]()
    with pytest.raises(RuntimeError):
        getattr(torch.ops.ffi_cookbook, name)(*arguments)


@pytest.mark.parametrize("offsets", [[], [0, 3], [-1, 1], [2, 1], [1, -(2**63), 2**63 - 1, 2]])
def test_offsets_that_lie(blob: Any, offsets: list[int]) -> None:
    encode = torch.ops.ffi_cookbook.bpe_encode_batch
    given = torch.tensor(offsets, dtype=torch.int64)
    if not offsets or offsets[-1] > 2:
        with pytest.raises(RuntimeError):
            encode(blob, octets(b"ab"), given)
    else:
        assert encode(blob, octets(b"ab"), given)[2][0] == Code.ARGUMENT


# ---- arrays --------------------------------------------------------------------------------


def test_arrays_are_lent(opened: ModuleType) -> None:
    from bindings.torch.library import lend

    array = np.arange(12.0).reshape(3, 4)
    frozen = array[:, ::2]
    frozen.flags.writeable = False
    assert lend(array).data_ptr() == array.ctypes.data
    assert lend(frozen).data_ptr() == frozen.ctypes.data
    assert lend(frozen).stride() == (4, 2)
    assert lend(array[::-1]).tolist() == array[::-1].tolist()
    tensor = lend(np.full(5, 7.0))  # nothing else holds this array
    assert tensor.tolist() == [7.0] * 5


def test_callbacks_keep_apart(opened: ModuleType) -> None:
    callback = opened.probes.callback
    assert callback(lambda x: callback(lambda y: 2 * y, x) + 10, 3.0) == 18.0

    def function(x: float) -> float:
        return x

    callback(function, 1.0)
    alive = weakref.ref(function)
    del function
    assert alive() is None
    sums: dict[int, float] = {}

    def count(thread: int) -> None:
        sums[thread] = sum(callback(lambda x: x * thread, 1.0) for _ in range(200))

    threads = [threading.Thread(target=count, args=(thread,)) for thread in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sums == {thread: 200.0 * (thread + 1) for thread in range(4)}


# ---- the library ---------------------------------------------------------------------------


def test_only_the_stable_abi() -> None:
    if not shutil.which("nm"):
        missing("nm, which lists a library's symbols")
    from ffi_cookbook_torch import LIBRARY

    listing = subprocess.run(
        ["nm", "-D", "-C", "--undefined-only", LIBRARY], capture_output=True, text=True, check=True
    ).stdout
    symbols = [line.split("U ", 1)[-1].strip() for line in listing.splitlines()]
    assert any(symbol.startswith("aoti_torch_") for symbol in symbols)
    assert not [symbol for symbol in symbols if re.match(r"_?Py|.*\b(at|c10|torch)::", symbol)]
