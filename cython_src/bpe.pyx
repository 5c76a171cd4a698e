# cython: freethreading_compatible=True, boundscheck=False, wraparound=False
"""Byte-level BPE: the pre-tokenizer and the merge loop of docs/tokenizer.md, written as there.

Shows:  an extension type whose typed memoryviews are the sections of one blob; a text walked
        without the GIL; working memory made with the GIL, for the longest pretoken.
Build:  cython -3 bpe.pyx, then the C compiler with -O3.
Bites:  boundscheck=False: an id or an offset that comes from the blob is compared with the table
        that it is used in. The text must be UTF-8 and must not change: the caller passes bytes that
        it has checked.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

import numpy as np

cdef enum:  # sets of the classes of docs/tokenizer.md, a bit each
    OTHER = 1 << 0
    UPPER = 1 << 1
    LOWER = 1 << 2
    LETTER = 1 << 3
    MARK = 1 << 4
    NUMBER = 1 << 5
    SPACE = 1 << 6
    LETTERS = UPPER | LOWER | LETTER
    HEAD = UPPER | LETTER | MARK  # of a word, in o200k
    TAIL = LOWER | LETTER | MARK

cdef enum:  # bytes
    SHORT = 15  # of the longest token in the short table
    LONG = 100  # of a pretoken for which a heap is quicker than looking at every rank

cdef uint64_t K1 = 0x9E3779B97F4A7C15
cdef uint64_t K2 = 0xC2B2AE3D27D4EB4F
cdef uint32_t NO_ID = 0xFFFFFFFF
cdef uint64_t NO_PAIR = 0xFFFFFFFFFFFFFFFF

ctypedef const uint8_t *Text

cdef struct Work:  # a pretoken while it is merged; its parts are known by their first byte
    uint32_t *ids
    uint32_t *next
    uint32_t *previous
    uint32_t *rank  # of the merge with the next part
    uint64_t *heap  # rank << 32 | part: the lowest first; out of date if the part has another rank
    int64_t heap_size


cdef void push(Work *work, uint64_t entry) noexcept nogil:
    cdef int64_t at = work.heap_size
    work.heap_size += 1
    while at > 0 and work.heap[(at - 1) // 2] > entry:
        work.heap[at] = work.heap[(at - 1) // 2]
        at = (at - 1) // 2
    work.heap[at] = entry


cdef uint64_t pop(Work *work) noexcept nogil:
    cdef uint64_t top = work.heap[0], last
    cdef int64_t at = 0, child = 1
    work.heap_size -= 1
    last = work.heap[work.heap_size]
    while child < work.heap_size:
        if child + 1 < work.heap_size and work.heap[child + 1] < work.heap[child]:
            child += 1
        if work.heap[child] >= last:
            break
        work.heap[at] = work.heap[child]
        at, child = child, 2 * child + 1
    work.heap[at] = last
    return top


cdef bint is_newline(uint8_t c) noexcept nogil:
    return c == c"\r" or c == c"\n"


cdef Text contraction(Text at, Text end) noexcept nogil:
    """Return the end of (?i:'s|'t|'re|'ve|'m|'ll|'d), or `at`. U+017F is an s."""
    cdef uint8_t first, second
    if end - at < 2 or at[0] != c"'":
        return at
    first = at[1] | 32
    second = at[2] | 32 if end - at > 2 else 0
    if first == c"s" or first == c"t" or first == c"m" or first == c"d":
        return at + 2
    if ((first == c"r" or first == c"v") and second == c"e" or first == c"l" and second == c"l"
            or end - at > 2 and at[1] == 0xC5 and at[2] == 0xBF):
        return at + 3
    return at


cdef uint32_t code_point(Text at, Text end, int *size) noexcept nogil:
    """Return the character at `at`, before the end, and set `size` to the number of its bytes."""
    cdef uint32_t lead = at[0]
    if lead >= 0xF0 and end - at >= 4:
        size[0] = 4
        return (lead & 0x07) << 18 | (at[1] & 0x3F) << 12 | (at[2] & 0x3F) << 6 | at[3] & 0x3F
    if lead >= 0xE0 and end - at >= 3:
        size[0] = 3
        return (lead & 0x0F) << 12 | (at[1] & 0x3F) << 6 | at[2] & 0x3F
    if lead >= 0x80 and end - at >= 2:
        size[0] = 2
        return (lead & 0x1F) << 6 | at[1] & 0x3F
    size[0] = 1
    return lead


cdef class Bpe:
    """A model, by the sections of its blob, all of which the caller has checked."""

    cdef int pattern
    cdef uint32_t max_digits
    cdef int short_shift, long_shift, pair_bits
    cdef const uint16_t[::1] unicode_index
    cdef const uint8_t[:, ::1] unicode_blocks
    cdef const uint32_t[::1] byte_ids, short_ids, long_ids, token_offsets, merged
    cdef const uint32_t[:, ::1] byte_pairs
    cdef const uint64_t[:, ::1] short_keys
    cdef const uint64_t[::1] pairs
    cdef const uint8_t[::1] defined, token_bytes, pair_filter
    cdef const uint16_t[:, ::1] automaton

    def __cinit__(self, int pattern, uint32_t max_digits, dict sections):
        self.pattern, self.max_digits = pattern, max_digits
        self.unicode_index, self.unicode_blocks = (
            sections["unicode_index"], sections["unicode_blocks"])
        self.byte_ids, self.byte_pairs = sections["byte_ids"], sections["byte_pairs"]
        self.merged = sections["merged"]
        self.short_ids, self.long_ids = sections["short_ids"], sections["long_ids"]
        self.short_keys = sections["short_keys"].view(np.uint64)
        self.pairs, self.pair_filter = sections["pairs"], sections["pair_filter"]
        self.defined, self.token_offsets = sections["defined"], sections["token_offsets"]
        self.token_bytes, self.automaton = sections["token_bytes"], sections["automaton"]
        self.short_shift = 65 - len(sections["short_ids"]).bit_length()
        self.long_shift = 65 - len(sections["long_ids"]).bit_length()
        self.pair_bits = len(sections["pairs"]).bit_length() - 1

    # ---- characters ------------------------------------------------------------------------------

    cdef int class_number(self, Text at, Text end, Text *next) noexcept nogil:
        """Return the class of the character at `at`, and set `next`."""
        cdef int size
        cdef uint32_t c = code_point(at, end, &size)
        next[0] = at + size
        return self.unicode_blocks[self.unicode_index[c >> 7], c & 127]

    cdef int class_at(self, Text at, Text end, Text *next) noexcept nogil:
        """Return the class as a set of one, or 0 at the end; set `next`."""
        if at >= end:
            next[0] = end
            return 0
        return 1 << self.class_number(at, end, next)

    cdef Text skip(self, Text at, Text end, int classes) noexcept nogil:
        """Return the end of the run of characters of these classes."""
        cdef Text next
        while self.class_at(at, end, &next) & classes:
            at = next
        return at

    # ---- alternatives that patterns share --------------------------------------------------------

    cdef Text white_space(self, Text at, Text end, bint newlines) noexcept nogil:
        r"""Match \s*[\r\n]+ if `newlines`, then \s+(?!\S), then \s+."""
        cdef Text start = at, last = at, newline = at, next
        while self.class_at(at, end, &next) & SPACE:
            if is_newline(at[0]):
                newline = next
            last = at
            at = next
        if newlines and newline != start:
            return newline
        return at if at == end or last == start else last

    cdef Text digits(self, Text at, Text end) noexcept nogil:
        r"""Match \p{N}{1,max_digits}."""
        cdef Text next
        cdef uint32_t n = 0
        while (self.max_digits == 0 or n < self.max_digits) \
                and self.class_at(at, end, &next) & NUMBER:
            at = next
            n += 1
        return at

    cdef Text symbols(self, Text at, Text end, bint slash) noexcept nogil:
        r"""Return the end of ` ?[^\s\p{L}\p{N}]+[\r\n]*` (or `[\r\n/]*`), or `at`."""
        cdef Text start = at + (at[0] == c" "), after
        after = self.skip(start, end, OTHER | MARK)
        if after == start:
            return at
        while after < end and (is_newline(after[0]) or slash and after[0] == c"/"):
            after += 1
        return after

    # ---- the patterns, their alternatives in the order in which they are tried --------------------

    cdef Text split_gpt2(self, Text at, Text end) noexcept nogil:
        cdef Text start, next, after = contraction(at, end)
        cdef int kind
        # '(?:[sdmt]|ll|ve|re), lower case and ASCII: bit 32 is set in every byte but the quote
        if after != at and at[1] & 32 and at[1] < 0x80 and (after - at < 3 or at[2] & 32):
            return after
        start = at + (at[0] == c" ")
        kind = self.class_at(start, end, &next)
        if kind & LETTERS:  #  ?\p{L}+
            return self.skip(next, end, LETTERS)
        if kind & NUMBER:  #  ?\p{N}+
            return self.skip(next, end, NUMBER)
        if kind & (OTHER | MARK):  #  ?[^\s\p{L}\p{N}]+
            return self.skip(next, end, OTHER | MARK)
        return self.white_space(at, end, False)

    cdef Text split_cl100k(self, Text at, Text end) noexcept nogil:
        cdef Text second, third, after = contraction(at, end)
        cdef int kind
        if after != at:
            return after
        kind = self.class_at(at, end, &second)
        if kind & LETTERS:  # [^\r\n\p{L}\p{N}]?\p{L}+
            return self.skip(second, end, LETTERS)
        if kind & NUMBER:  # \p{N}{1,3}
            return self.digits(at, end)
        if not is_newline(at[0]) and self.class_at(second, end, &third) & LETTERS:
            return self.skip(third, end, LETTERS)
        after = self.symbols(at, end, False)
        return after if after != at else self.white_space(at, end, True)

    cdef Text words(self, Text at, Text end, bint *with_tail) noexcept nogil:
        """Return the end of HEAD*TAIL+, else of HEAD+TAIL*, or `at` if neither matches."""
        cdef Text next, start = at, last_tail = at
        cdef int kind = self.class_at(at, end, &next)
        while kind & HEAD:
            at = next
            if kind & TAIL:
                last_tail = at
            kind = self.class_at(at, end, &next)
        with_tail[0] = True
        if kind & TAIL:
            return self.skip(next, end, TAIL)
        if last_tail != start:  # HEAD* leaves the last tail to TAIL+
            return last_tail
        with_tail[0] = False
        return at

    cdef Text split_o200k(self, Text at, Text end) noexcept nogil:
        cdef Text second, third, with_prefix = at, after = at
        cdef bint tail = False, prefix_tail = False
        cdef int kind = self.class_at(at, end, &second)
        if kind & NUMBER:
            return self.digits(at, end)
        # [^\r\n\p{L}\p{N}]?HEAD*TAIL+(contraction)?, then [^\r\n\p{L}\p{N}]?HEAD+TAIL*(contraction)?;
        # each of them first with the character before, then without
        if (kind & (OTHER | MARK | SPACE) and not is_newline(at[0])
                and self.class_at(second, end, &third) & (LETTERS | MARK)):
            with_prefix = self.words(second, end, &prefix_tail)
        if kind & (LETTERS | MARK) and not prefix_tail:
            after = self.words(at, end, &tail)
        if prefix_tail or with_prefix != at and not tail:
            after = with_prefix
        if after != at:
            return contraction(after, end)
        after = self.symbols(at, end, True)
        return after if after != at else self.white_space(at, end, True)

    cdef Text run_automaton(self, Text at, Text end) noexcept nogil:
        """Return the last place where a pretoken may end, or `at`."""
        cdef Text next, after = at
        cdef int kind, last = self.automaton.shape[1] - 1
        cdef uint32_t entry, state = 0
        while True:
            kind = last if at == end else self.class_number(at, end, &next)
            entry = self.automaton[state, kind]
            if entry & 1:
                after = at
            state = entry >> 1
            if state == 0 or at == end:
                return after
            at = next

    cdef Text pretoken_end(self, Text at, Text end) noexcept nogil:
        """Return the end of the pretoken that begins at `at`, before the end of the text.

        It is at least one byte later, even if the model has odd classes.
        """
        cdef Text after
        if self.pattern == 1:
            after = self.split_gpt2(at, end)
        elif self.pattern == 2 or self.pattern == 4:  # 4 has classes in which marks are letters
            after = self.split_cl100k(at, end)
        elif self.pattern == 3:
            after = self.split_o200k(at, end)
        else:
            after = self.run_automaton(at, end)
        return after if after > at else at + 1

    # ---- the tables of tokens and merges ---------------------------------------------------------

    cdef uint32_t find_short(self, Text pretoken, int64_t size) noexcept nogil:
        """Return the id of the token of at most SHORT bytes, or NO_ID."""
        cdef uint8_t[16] key
        cdef uint64_t *half = <uint64_t *>key
        cdef int64_t n = self.short_ids.shape[0], i
        cdef uint64_t slot
        half[0] = half[1] = 0
        memcpy(key, pretoken, size)
        key[SHORT] = <uint8_t>size
        slot = (half[0] * K1 + half[1] * K2) >> self.short_shift
        for i in range(n):
            if self.short_keys[slot, 0] == half[0] and self.short_keys[slot, 1] == half[1]:
                return self.short_ids[slot]
            if self.short_keys[slot, 1] >> 56 == 0:  # an empty slot
                break
            slot = (slot + 1) & (n - 1)
        return NO_ID

    cdef Text token(self, uint32_t id, int64_t *size) noexcept nogil:
        """Return the bytes of a token; the size of one that the blob does not hold is 0."""
        cdef int64_t start, end
        size[0] = 0
        if id >= <uint32_t>self.defined.shape[0]:
            return NULL
        start, end = self.token_offsets[id], self.token_offsets[id + 1]
        if start <= end <= self.token_bytes.shape[0]:
            size[0] = end - start
        return &self.token_bytes[0] + start

    cdef uint32_t find_long(self, Text pretoken, int64_t size) noexcept nogil:
        """Return the id of the token of more than SHORT bytes, or NO_ID."""
        cdef uint64_t hash = size, word, slot
        cdef int64_t n = self.long_ids.shape[0], i, token_size
        cdef uint32_t id
        cdef Text token
        for i in range(0, size, 8):
            word = 0
            memcpy(&word, pretoken + i, min(size - i, 8))
            hash = (hash ^ word) * K1
            hash ^= hash >> 32
        slot = hash >> self.long_shift
        for i in range(n):
            if self.long_ids[slot] == 0:
                break
            id = self.long_ids[slot] - 1
            token = self.token(id, &token_size)
            if token_size == size and memcmp(token, pretoken, size) == 0:
                return id
            slot = (slot + 1) & (n - 1)
        return NO_ID

    cdef uint32_t pair_rank(self, uint32_t left, uint32_t right) noexcept nogil:
        """Return the rank of merging two ids, or NO_ID."""
        cdef uint64_t key = <uint64_t>left << 21 | right
        cdef uint64_t place = key * K1 >> (62 - self.pair_bits), slot = place >> 2
        cdef int64_t n = self.pairs.shape[0], i
        if not self.pair_filter[place >> 3] >> (place & 7) & 1:
            return NO_ID
        for i in range(n):
            if self.pairs[slot] == NO_PAIR:
                break
            if self.pairs[slot] >> 21 == key:
                return self.pairs[slot] & 0x1FFFFF
            slot = (slot + 1) & (n - 1)
        return NO_ID

    # ---- merging ---------------------------------------------------------------------------------

    cdef uint32_t merged_id(self, uint32_t rank) noexcept nogil:
        """Return the id that a merge of this rank gives."""
        return self.merged[rank] if rank < self.merged.shape[0] else rank

    cdef int64_t merge(self, Text pretoken, int64_t size, uint32_t *rank,
                       uint32_t *ids) noexcept nogil:
        """Merge the pair of lowest rank, the leftmost on a tie, until none merges.

        rank[i] is that of merging ids[i] and ids[i + 1]. Write the ids, and return their number.
        """
        cdef int64_t n = size, best, i
        for i in range(n):
            ids[i] = self.byte_ids[pretoken[i]]
        for i in range(n - 1):
            rank[i] = self.byte_pairs[pretoken[i], pretoken[i + 1]]
        while n > 1:
            best = 0
            for i in range(1, n - 1):
                if rank[i] < rank[best]:
                    best = i
            if rank[best] >> 21 != 0:  # NO_ID
                break
            ids[best] = self.merged_id(rank[best])
            n -= 1
            for i in range(best + 1, n):
                ids[i] = ids[i + 1]
                rank[i - 1] = rank[i]
            if best + 1 < n:
                rank[best] = self.pair_rank(ids[best], ids[best + 1])
            if best > 0:
                rank[best - 1] = self.pair_rank(ids[best - 1], ids[best])
        return n

    cdef void rate(self, Work *work, int64_t i, int64_t size) noexcept nogil:
        """Look up the merge of part i with the next."""
        work.rank[i] = NO_ID
        if work.next[i] < size:
            work.rank[i] = self.pair_rank(work.ids[i], work.ids[work.next[i]])
            if work.rank[i] != NO_ID:
                push(work, <uint64_t>work.rank[i] << 32 | <uint64_t>i)

    cdef int64_t merge_long(self, Text pretoken, int64_t size, Work *work,
                            uint32_t *ids) noexcept nogil:
        """Do the same as `merge`, with a heap, so that no step looks at every rank."""
        cdef int64_t i, gone, n = 0
        cdef uint64_t entry
        cdef uint32_t rank
        work.heap_size = 0
        for i in range(size):
            work.ids[i] = self.byte_ids[pretoken[i]]
            work.next[i], work.previous[i] = <uint32_t>(i + 1), <uint32_t>(i - 1)
        for i in range(size):
            self.rate(work, i, size)
        while work.heap_size > 0:
            entry = pop(work)
            i, rank = <uint32_t>entry, <uint32_t>(entry >> 32)
            if work.rank[i] != rank:
                continue
            gone = work.next[i]
            work.ids[i] = self.merged_id(rank)
            work.next[i] = work.next[gone]
            work.rank[gone] = NO_ID
            if work.next[i] < size:
                work.previous[work.next[i]] = <uint32_t>i
            self.rate(work, i, size)
            if i > 0:
                self.rate(work, work.previous[i], size)
        i = 0
        while i < size:
            ids[n] = work.ids[i]
            n += 1
            i = work.next[i]
        return n

    cdef int64_t encode_pretoken(self, Text pretoken, int64_t size, Work *work,
                                 uint32_t *ids) noexcept nogil:
        cdef uint32_t whole
        if size <= SHORT:
            whole = self.find_short(pretoken, size)
        else:
            whole = self.find_long(pretoken, size)
        if whole != NO_ID:
            ids[0] = whole
            return 1
        if size < LONG:
            return self.merge(pretoken, size, work.rank, ids)
        return self.merge_long(pretoken, size, work, ids)

    # ---- texts -----------------------------------------------------------------------------------

    def split(self, bytes text):
        """Return where each pretoken ends."""
        ends = np.empty(len(text), np.int64)
        cdef int64_t[::1] out = ends
        cdef Text start = text, at = start, end = start + len(text)
        cdef int64_t n = 0
        with nogil:
            while at < end:
                at = self.pretoken_end(at, end)
                out[n] = at - start
                n += 1
        return ends[:n].copy()

    def encode(self, bytes text):
        """Return the ids of a text without special tokens."""
        ends = self.split(text)
        ids = np.empty(len(text), np.uint32)
        longest = int(np.diff(ends, prepend=0).max(initial=0))
        if longest >= 1 << 31:
            raise MemoryError(f"no memory for the work on {longest} bytes")
        cdef uint32_t[:, ::1] parts = np.empty((4, longest), np.uint32)
        cdef uint64_t[::1] heap = np.empty(2 * longest, np.uint64)
        cdef Work work = Work(&parts[0, 0], &parts[1, 0], &parts[2, 0], &parts[3, 0], &heap[0], 0)
        cdef const int64_t[::1] each = ends
        cdef uint32_t[::1] out = ids
        cdef Text start = text
        cdef int64_t n = 0, at = 0, i
        with nogil:
            for i in range(each.shape[0]):
                n += self.encode_pretoken(start + at, each[i] - at, &work, &out[n])
                at = each[i]
        return ids[:n].copy()
