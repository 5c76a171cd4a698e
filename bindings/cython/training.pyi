from collections.abc import Callable, Iterable

from ffi_cookbook.bindings.protocol import Int64Array

def merges(
    pretokens: Iterable[tuple[bytes, Int64Array]], most: int, progress: Callable[[int], None]
) -> list[tuple[int, int]]: ...
