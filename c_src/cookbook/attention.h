/* Sliding-window causal attention with grouped-query heads, a learned sink and a soft-cap.
 *
 * Query i of `queries` stands at position i + keys - queries, so that the last query sees the last
 * key. A query at position p sees the keys from p - window + 1 to p: `window` counts the key at p too,
 * and a window of `keys` or more is plain causal attention. For a query i and the keys j that it sees,
 *
 *   s_j = scale * (q_i . k_j), or softcap * tanh(scale * (q_i . k_j) / softcap) if softcap > 0
 *   lse_i = log(exp(sink_h) + sum_j exp(s_j))             the sink of head h, if there are sinks
 *   out_i = sum_j exp(s_j - lse_i) v_j
 *
 * A query that sees no key has an `out` of 0 and an lse of its sink, or -inf without one. A sink of
 * -inf is none; with one of +inf, out is 0 and lse +inf. A NaN in a query stays in its row. Head h of
 * q reads head h / (heads / kv_heads) of k and v. Every size but head_size may be 0. */

typedef struct {
  int32_t dtype;   /* CK_FLOAT32 or CK_FLOAT64, of every array */
  int32_t threads; /* at least 1: an upper bound, which changes no bit of a result */
  int64_t batch, heads, kv_heads;
  int64_t queries, keys, head_size; /* head_size from 1 to 256 */
  int64_t window;                   /* at least 1; INT64_MAX is plain causal attention */
  double scale, softcap;            /* softcap 0 is none */
} ck_attention;

/* An array (batch, heads, positions, head_size) that is read. The strides are in elements, may be 0 or
 * negative, and `data` is the address of the element whose indices are 0, aligned to its size. */
typedef struct {
  const void *data;
  int64_t batch, head, position, dim;
} ck_attention_array;

/* Fill out (batch, heads, queries, head_size) and lse (batch, heads, queries), which are C-contiguous
 * and share no memory with the other arguments. `sink` has a logit for each head, or is NULL.
 *
 * Return CK_OK, or fill `error` and return CK_DTYPE, CK_THREADS, CK_MEMORY or CK_ARGUMENT; the last
 * with `field`, the number of the wrong member of ck_attention counted from 0. Memory for a call is
 * copies of the keys and values that are seen, and under 1.5 MB a thread. */
CK_API int ck_attention_forward(const ck_attention *attention, const ck_attention_array *q,
                                const ck_attention_array *k, const ck_attention_array *v,
                                const void *sink, void *out, void *lse, ck_error *error);

/* The arrays of a backward pass. All but q, k, v and grad_out are C-contiguous. */
typedef struct {
  ck_attention_array q, k, v, grad_out;
  const void *sink; /* (heads), or NULL */
  const void *out;  /* as ck_attention_forward filled them */
  const void *lse;
  const void *grad_lse; /* (batch, heads, queries), or NULL for zeros */
  void *dq;             /* (batch, heads, queries, head_size) */
  void *dk, *dv;        /* (batch, kv_heads, keys, head_size) */
  void *dsink;          /* (heads), or NULL */
} ck_attention_gradients;

/* Fill dq, dk, dv and dsink, which share no memory with the other arguments, with the gradients of
 * sum(grad_out * out) + sum(grad_lse * lse). Return and report errors like ck_attention_forward. No
 * matrix of scores is stored: they are computed again from lse. Memory for a call is at most about a
 * third of dq, and under 2.5 MB a thread. */
CK_API int ck_attention_backward(const ck_attention *attention,
                                 const ck_attention_gradients *gradients, ck_error *error);
