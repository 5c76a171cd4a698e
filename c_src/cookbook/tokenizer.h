/* The tokenizer. docs/tokenizer.md is the specification. */

/* The early end of a call. Set every field to zero at first, except those that the caller uses. */
typedef struct {
  const int32_t *stop;       /* or NULL: the call ends soon after another thread has set it to 1 */
  int (*ask)(void *context); /* or NULL: the thread of the call calls it 20 times a second, and ends
                                the call if the result is not 0 */
  void *context;
  uintptr_t thread; /* private to the kernel, like the fields below: the thread that calls `ask` */
  int64_t asked;    /* the time of its last call */
  uint32_t checks;  /* the number of checks so far */
  int32_t ended;
} ck_interrupt;

/* An open model with its caches of pretokens: each takes 15.5 MB of address space, of which short
 * texts touch little. A call takes a cache that no other call is using, or makes one, and leaves up
 * to sixteen of them for later calls. */
typedef struct ck_bpe ck_bpe;

enum {
  CK_UNCACHED = 1 /* without caches: faster if the model is opened for less than about 256 kB */
};

/* Check a model and open it. The blob is 8-byte aligned, must outlive the open model and must not
 * change meanwhile. Return NULL and fill `error` if it is not a model (CK_ARGUMENT) or if there is
 * no memory (CK_MEMORY). */
CK_API ck_bpe *ck_bpe_open(const uint8_t *blob, size_t size, uint32_t options, ck_error *error);

/* Free an open model, which no call may use any more, and its caches. NULL is allowed. */
CK_API void ck_bpe_close(ck_bpe *model);

/* Return the number of special tokens of a model. */
CK_API size_t ck_bpe_n_special(const ck_bpe *model);

/* Memory for a result: `data` has room for `capacity` items, or is NULL, to count only. `n` becomes
 * the number of items of the result, even if they did not fit (CK_CAPACITY), and 0 after any other
 * error. */
typedef struct {
  void *data;
  size_t capacity, n;
} ck_buffer;

/* The functions below take a ck_interrupt, which can end the call early with CK_INTERRUPTED, or
 * NULL. */

/* Encode `text`, which is UTF-8. `specials` has n_special bytes (0 plain text, 1 the token's id, 2
 * refuse), or is NULL: all 0. `ids` holds uint32 items, and room for `size` of them always
 * suffices.
 * CK_DATA_CAPACITY: there was no memory for a very long pretoken, of `expected` bytes. */
CK_API int ck_bpe_encode(ck_bpe *model, const uint8_t *text, size_t size, const uint8_t *specials,
                         ck_buffer *ids, ck_interrupt *interrupt, ck_error *error);

enum { CK_MAX_THREADS = 64 }; /* the most threads that are ever used */

/* n texts: text i is data[i][0 .. sizes[i]]. */
typedef struct {
  const uint8_t *const *data;
  const size_t *sizes;
  size_t n;
} ck_texts;

/* Encode texts: the ids of text i are ids[id_offsets[i] .. id_offsets[i+1]]. */
CK_API int ck_bpe_encode_batch(ck_bpe *model, const ck_texts *texts, const uint8_t *specials,
                               ck_buffer *ids, int64_t *id_offsets, int threads,
                               ck_interrupt *interrupt, ck_error *error);

/* Split `text` into pretokens and write the byte offset at which each ends, as int64. Room for
 * `size` offsets always suffices. */
CK_API int ck_bpe_split(const ck_bpe *model, const uint8_t *text, size_t size, ck_buffer *ends,
                        ck_interrupt *interrupt, ck_error *error);

/* Write the bytes of the ids. */
CK_API int ck_bpe_decode(const ck_bpe *model, const uint32_t *ids, size_t n, ck_buffer *bytes,
                         ck_interrupt *interrupt, ck_error *error);

/* The training of a vocabulary, by one thread at a time: pretokens are added, then pairs of ids are
 * merged. It takes 25 to 60 bytes for each byte of distinct pretokens, of which there are at most
 * 2**30, and up to 160 if almost all pairs are merged. */
typedef struct ck_bpe_trainer ck_bpe_trainer;

/* Return a trainer without pretokens, or NULL if there is no memory. */
CK_API ck_bpe_trainer *ck_bpe_trainer_open(void);

/* Free a trainer. NULL is allowed. */
CK_API void ck_bpe_trainer_close(ck_bpe_trainer *trainer);

/* Count the n pretokens of `text`, given the byte offset at which each ends. CK_ARGUMENT: one is
 * empty or ends outside the text, or pairs have been merged. */
CK_API int ck_bpe_trainer_add(ck_bpe_trainer *trainer, const uint8_t *text, size_t size,
                              const int64_t *ends, size_t n, ck_error *error);

/* Merge the most frequent pair into the next id, again and again; on a tie, the pair with the lowest
 * ids. The bytes are the ids 0 to 255. Write each pair as uint64, left << 32 | right, to `data`,
 * which is not NULL. There are no pairs left if `merges` is not full. CK_MEMORY: the n pairs that
 * are written have been merged. */
CK_API int ck_bpe_trainer_merge(ck_bpe_trainer *trainer, ck_buffer *merges, ck_error *error);
