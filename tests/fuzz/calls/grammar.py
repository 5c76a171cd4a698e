"""The grammar of cases: rules whose `<word>` stands for one of the texts of that word.

Texts are separated by ` | `; `4x` before one makes it four times as likely. A text that begins with
`~` lies: a binding may refuse the value or use what it really is. One that begins with `?` is a
value that the idiom of a technology may accept or refuse. In the texts for an argument, `x` is the
valid value and `v` has all arguments.
"""

from __future__ import annotations

import re

RULES = r"""
n: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
any: <n> | 1<n> | 2<n> | 7<n> | 13<n> | 19<n>
yes: True | False
where: end | start | heap
when: 0 | 1 | 2
odd: 0 | 1 | -1 | 2 | 7 | 8 | -8 | 2**31 | 2**32 | 2**45 | 2**60 | 2**61 | 2**62 | 2**63-1
    -(2**63) | -(2**40)

# Acts. <changed> is a change of another argument that fits its kind, see search.py.
act: 2x | 2x raises(<error>) | 4x <changed> | <back>
back: again(now.valid) | again(now.values) | initialise(*now.valid.values()) | gc.collect()
    initialise(model(1)) | use_found()
error: 2x Oops | Mute | unicode_error | group | KeyError | KeyboardInterrupt | SystemExit
    MemoryError
    GeneratorExit | RecursionError | StopIteration | OSError | TypeError | RuntimeError | ValueError
    AttributeError | IndexError | BaseException | StopAsyncIteration | AssertionError | Warning
    ImportError | ZeroDivisionError | BufferError | OverflowError | UnicodeError
    NotImplementedError
changed array: v.shape = v.size, 1 | v.shape = 1, v.size | v.shape = v.size, | v.dtype = np.uint8
    v.shape = v.shape[::-1] | v.strides = (0,) * v.ndim | v.setflags(write=False)
    v[...] = fitting(<odd>, v.dtype) | word(v, <any>, <odd>) | 3x <resized>
resized: v.resize(0, refcheck=False) | v.resize(max(1, v.size // 2), refcheck=False)
    v.resize((4 * v.shape[0], *v.shape[1:]), refcheck=False)
changed container: v.clear() | v.append(<odd>) | v.extend(v[:9] * 9) | v[:] = [None] * len(v)
    v.pop() | v.update({'<odd>': 5}) | v.popitem() | v.add('<odd>')
changed buffer: v.clear() | v.extend(bytes(9000)) | del v[: len(v) // 2] | v[0] = <n>
    v.release() | v.close() | <changed array>

# Numbers. The whole numbers of <size> need neither much memory nor time.
whole: 0 | -1 | 1 | 2 | 3 | True | False | -(2**40) | -(2**63) | -(2**63)-1 | np.int8(2)
    np.uint64(2)
huge: 2**31 | 2**40 | 2**62 | 2**63-1 | 2**63 | 2**64 | 2**70 | 10**400 | np.uint64(2**63)
other: 2.0 | 2.5 | '2' | '' | None | b'2' | 2j | [2] | () | float('nan') | float('inf') | type
    np.float32(2.5) | np.float64(2.5) | ?np.bool_(True) | np.longdouble(2.5) | object()
    np.datetime64(0, 's') | np.timedelta64(2, 's') | NotImplemented | Decimal('2.9') | Decimal(2)
    Fraction(5, 2) | Fraction(2) | np.array(x) | np.array([x]) | np.int64(x) | np.float32(x)
    np.uint8(x)
asked: 2x '__index__' | 2x '__float__' | '__int__' | '__trunc__' | '__complex__' | '__bool__'
    '__len__' | *NUMBER.split()
asked number: 5x stand_in(x, <asked>, act=<act>, when=<when>)
    stand_in(<whole>, <asked>, act=<act>) | stand_in(<other>, <asked>, act=<act>)
size: <whole> | <other> | ~liar(x, NUMBER) | 4x <asked number>
int: <huge> | 3x <size> | ~liar(x, NUMBER, lies={'__index__': 1002})
float: <huge> | 3x <size> | ~liar(x, NUMBER, lies={'__float__': 9.5})
flag: <whole> | <huge> | <other> | 3x stand_in(x, <asked>, act=<act>)
    stand_in(<other>, '__bool__', act=<act>)

# Arrays.
dtype: i1 | u1 | i2 | i4 | u4 | i8 | u8 | q | f2 | f4 | f8 | F | D | bool | O | S8 | V8 | U2 | c
layout: strided(x, 2) | strided(x, 3) | strided(x, -1) | strided(x, -2) | packed(x) | x.copy()
    np.ascontiguousarray(x[::-1])[::-1] | misaligned(x, 1) | misaligned(x, 4) | far(x, <odd>)
    ?frozen(x) | ?np.broadcast_to(x.reshape(-1)[:1], x.shape) | np.asfortranarray(x)
    x.reshape((1,) * (<any> % 62) + x.shape) | mapped(x, bytearray(x))
    np.lib.stride_tricks.as_strided(x, strides=(0,) * x.ndim)
    mapped(x, mmap.mmap(-1, max(1, x.nbytes)))
shape: x[None] | x.reshape(-1) | x[:0] | x[..., :0] | x[..., :-1].copy() | x[:-1]
    x.reshape(-1)[0] | np.array(x.reshape(-1)[0])
    np.resize(x, (x.shape[0] + 1, *x.shape[1:]))[1:]
type: x.astype('<dtype>') | x.view('<dtype>') | x.astype(x.dtype.newbyteorder())
    ?x.astype('M8[s]') | ?x.view('m8[s]') | ?x.view([('x', x.dtype)]) | ?x.view([])
    ?x.view(np.dtype(x.dtype, metadata={'a': 1})) | ?x.view(f'V{x.itemsize}')
look: x.tolist() | x.view(Sub) | np.ma.masked_array(x) | np.matrix(x, copy=False) | 'text' | 5
    x.view(np.recarray) | None | np.ndarray | x.dtype | ?memoryview(x) | ?bytearray(x)
    ?memoryview(x).cast('B') | ?x.tobytes() | ?array.array(x.dtype.char, x.reshape(-1).tolist())
array lies: 4x ('shape', (10**6,) * x.ndim) | ('shape', ()) | ('shape', (0,) * x.ndim)
    ('shape', x.shape[::-1]) | ('shape', (2**62,) * x.ndim) | ('shape', None)
    ('strides', (0,) * x.ndim) | ('strides', (2**62,) * x.ndim) | ('strides', None)
    ('dtype', np.dtype('<dtype>')) | ('flags', np.zeros(1).flags) | ('size', 10**6)
    ('size', -1) | ('ndim', <n>) | ('nbytes', 10**6) | ('itemsize', 64) | ('tolist', [])
    ('data', memoryview(np.zeros(5000))) | ('ctypes', np.zeros(5000).ctypes)
    ('__len__', 10**6) | ('__array_interface__', np.zeros(1).__array_interface__)
    ('__array__', np.zeros(5000)) | ('__dlpack_device__', (2, 0))
    ('__dlpack__', np.zeros(max(0, x.size - 1), x.dtype).__dlpack__())
array liar: ~liar(x, ARRAY, lies=[<array lies>], act=<act>, when=<when>)
    ~liar(x, ARRAY, act=<act>, when=<when>)
    ~liar(x, ARRAY.split()[<any> % 37], act=<act>, when=<when>)
array: 2x <layout> | <shape> | <type> | 2x <look> | 3x word(x.copy(), <any>, <odd>)
    inside(x, v['<name>'], <any>) | inside(x, v['<name>'], 8 * <n>) | 4x <array liar>
    ~stand_in(x, '__array__', '__dlpack__', '__len__', '__getitem__', act=<act>)
    ~stand_in(x, '__buffer__', '__dlpack__', act=<act>)
tensor: <array> | stand_in(x, '__dlpack__', '__dlpack_device__', act=<act>, when=<when>)
    stand_in(<shape>, '__dlpack__', '__dlpack_device__', act=<act>)
    stand_in(x, '__dlpack_device__', '__dlpack__', lies=[('__dlpack__', <capsule>)])
capsule: None | 5 | 'x' | x.__dlpack__() | consumed(x)

# Bytes, texts and containers.
buffer: 2x flipped(x, <any>) | 2x flipped(x, <any>, <any>, <any>) | 2x bytes(x)[: <any>]
    ~liar(bytes(x), TEXT, act=<act>, when=<when>) | ~liar(bytes(x), TEXT, lies=[<text lies>])
    5x <odd buffer> | 4x <bytes array>
    memoryview(v['<name>']).cast('B')
bytes array: strided(np.frombuffer(x, np.uint8), 2) | np.frombuffer(x, np.uint8)
    3x ~liar(np.frombuffer(x, np.uint8), ARRAY, act=<act>)
    2x ~liar(np.frombuffer(x, np.uint8), ARRAY, lies=[<bytes lies>])
    np.frombuffer(x, np.uint8).view('<dtype>')
text liar: ~liar(x, TEXT, act=<act>, when=<when>)
    ~liar(x, TEXT, lies=[<text lies>], act=<act>, when=<when>)
bytes lies: ('size', 10**6) | ('shape', (10**6,)) | ('nbytes', 10**6) | ('strides', (2**62,))
    ('dtype', np.dtype('f8')) | ('__len__', 10**6) | ('data', memoryview(np.zeros(5000)))
text lies: ('__len__', 0) | ('__len__', 10**6) | ('__len__', 1) | ('__getitem__', b'')
    ('__iter__', iter([300])) | ('__bytes__', b'x') | ('decode', 'x') | ('__str__', 'z')
    ('encode', b'zz' * 400) | ('encode', b'\xff') | ('encode', 5) | ('__eq__', True)
odd buffer: bytearray(x) | memoryview(x) | memoryview(x)[::-1] | memoryview(x)[::2] | None | 5
    memoryview(x).cast('c') | memoryview(bytes(x)[: len(x) // 8 * 8]).cast('q') | bytes
    memoryview(bytes(x)).cast('B', (1, len(x))) | memoryview(np.array(5.0)) | 'text' | list(x)
    array.array('b', bytes(x)) | array.array('u', 'abc') | ByteArraySub(x) | np.void(x)
    np.float64(1) | np.array([], object) | ?BytesSub(x) | ?np.bytes_(x) | ctypes.c_double(1)
    (ctypes.c_char * len(x)).from_buffer_copy(x) | mmap.mmap(-1, 4096)
    (ctypes.c_ubyte * len(x)).from_buffer_copy(x) | pickle.PickleBuffer(bytearray(x))
    ended(memoryview(bytes(x))) | ended(pickle.PickleBuffer(bytearray(x)))
    ended(mmap.mmap(-1, 4096))
text: '' | '\ud800' | 'a\udfffb' | '\0' | 'a\0b' | 'x' * 3000 | '\U0010ffff' | b'' | b'\xff'
    b'\xc3' | b'a\0' | b'\xed\xa0\x80' | b'plain' | None | 5 | bytearray(b'a') | str
    memoryview(b'a') | ['a'] | ('a',) | np.array(['a']) | '<|end|>' | b'<|end|>'
    '<|a|><|end|' | ?np.str_('abc') | ?np.bytes_(b'abc') | ?StrSub('ab c') | ?BytesSub(b'ab c')
    8x <text liar>
item: <text> | <asked number> | <other>
container: tuple(x) | list(x) | [] | () | {} | None | 5 | 'all' | 'other' | '' | b'all' | iter([])
    [None] | [[]] | range(3) | np.array([1.0, 2.0]) | np.array(['a']) | {1.0: 2} | {'a': 1}
    {'a': None} | set() | 12x ~replaced(x, <n>, <item>)
    3x ~liar(x, ITEMS, act=<act>, when=<when>)
    3x ~liar(x, ITEMS, lies=[<item lies>], act=<act>, when=<when>)
    ~stand_in(x, '__iter__', '__contains__', act=<act>) | 2x ~items(x, act=<act>, when=<when>)
item lies: ('__len__', 0) | ('__len__', 10**6) | ('__iter__', iter([])) | ('items', [])
    ('__getitem__', None) | ('__iter__', iter([None] * 99))

# Models, callables and points.
model: 5x ~stand_in(x, 'blob', lies=[('blob', <blob>)])
    ~stand_in(x, 'blob', act=<act>, when=<when>)
    ~stand_in(x, 'blob', lies=[('special_names', <policy>)], act=<act>)
    ~stand_in(x, 'blob', lies=[('default_policy', <policy>)], act=<act>)
    ~stand_in(x, 'blob', lies=[('special_policy', lambda *_: <policy>)], act=<act>)
    None | 5 | 'model' | type(x) | object() | x.blob | type(x).__new__(type(x))
blob: 4x changed_blob(x.blob, <any>, <odd>) | 4x changed_blob(x.blob, 97 * <any>, <odd>)
    x.blob.copy() | x.blob[:-8] | x.blob[: 8 * <any>] | x.blob.tobytes() | None | x.blob[::-1]
    misaligned(x.blob, 1) | x.blob.view(np.int64)
policy: b'' | b'\0' | b'\2' * 2 | b'\7' | b'\2' * 300 | 'x' | None | 5 | [2] | bytearray(b'\2')
    memoryview(b'\2') | ('x',) * 5 | [None] | 'ab'
callable: 2x stand_in(1.5, '__call__', act=<act>, when=<when>)
    stand_in(x, '__call__', lies=[('__call__', <other>)], act=<act>)
    None | 5 | 'text' | float | int | abs | lambda: 1 | lambda x, y: x | 1.5
point: ~type(x).__new__(type(x)) | ~type('SubPoint', (type(x),), {})(1.0, 2.0) | None | 5
    (1.0, 2.0) | type(x) | [1.0, 2.0] | {'x': 1.0, 'y': 2.0} | SimpleNamespace(x=1.0, y=2.0)

# How the function `f` is called.
way: f(*a[:-1], **k) | f() | f(*a, *a, *range(9), **k) | f(*a, **k, unknown=1)
    f(**{'unknown\ud800': 1, '': 2}) | ~f(*a, **k, **{Name('unknown'): 1})
    f(*a, **{**dict.fromkeys('a buffer text texts ids model x value'.split(), 1), **k})
    f(*a, *k.values(), None)

# Parts of valid calls.
m: 0 | 2x 1 | 2 | 3 | 4 | 5 | 8 | 17
batch: 3x () | (1,) | (2,)
float dtype: 'f4' | 'f8'
threads: 3x 1 | 2 | 3
cursor: np.zeros(4, np.int64) | np.array([5, 0, 3, 0])
sizes: () | (1,) | (4,) | (8, 2) | (1, 4, 8)
words: 'a' | '' | 'Hello wörld, it\'s 12345' | ' of  漢字\n\n' | 'tell <|end|> then'
    '<|a|>x<|end|>' | ('ell' * 40)
given text: 2x <words> | <words>.encode()
allowed: () | 'all' | {'<|end|>'} | ['<|end|>'] | {'<|a|>', '<|end|>'}
disallowed: 'all' | 2x () | {'<|a|>'}
class: backend.Tokenizer | patterns.Point | patterns.Counter | patterns.countdown
nonsense: None | () | (None,) | 5 | {} | {'model': None} | [b'x'] | object()
attribute: model | _model | blob | _blob | _bpe | x | value | __dict__ | __class__ | encode
life: kind.__new__(kind) | object.__new__(kind) | kind.__mro__[1].__new__(kind)
    type('Sub', (kind,), {})(*made) | type('Sub', (kind,), {'__init__': lambda x: None})()
    pickle.loads(pickle.dumps(one, <n> % 6)) | copy.copy(one) | copy.deepcopy(one)
    one.__init__(*made) or one | one.__init__() or one | one.__init__(None) or one
    one.__setstate__(<nonsense>) or one | object.__reduce_ex__(one, <n> % 6)
    one.__reduce__()[0](<nonsense>) | one.__reduce__()[0](*one.__reduce__()[1], <nonsense>)
    setattr(one, '<attribute>', None) or one | delattr(one, '<attribute>') or one
    setattr(one, '__class__', type('Other', (), {})) or one
    kind.encode(<nonsense>, 'a') | kind.add(<nonsense>, 1)
"""


def _parsed(rules: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    name = ""
    for line in rules.splitlines():
        head, _, rest = line.partition(": ")
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            name, line = head, rest
        for text in line.strip().split(" | "):
            times, text = re.fullmatch(r"(?:(\d+)x ?)?(.*)", text).groups()
            found.setdefault(name, []).extend([text] * int(times or 1))
    return found


GRAMMAR = _parsed(RULES)
