/* attention: causal, in a sliding window, with grouped-query heads, a sink and a soft-cap.
 *
 * Query i stands at position i + keys - queries, so that the last query sees the last key. From
 * position p a query sees the keys from p - window + 1 to p: `window` counts the key at p too. Head h
 * of q reads head h / (heads / kv_heads) of k and v. For query i and the keys j that it sees,
 *
 *   s_j = scale * q_i . k_j, or softcap * tanh(scale * q_i . k_j / softcap) if softcap > 0
 *   lse_i = log(exp(sink of the head) + sum_j exp(s_j)),   out_i = sum_j exp(s_j - lse_i) v_j
 *
 * A query that sees no key has an `out` of 0 and an lse of its sink, or -inf without one. A sink of
 * -inf is none; one of +inf makes out 0 and lse +inf. A NaN in a query stays in its row. */
typedef struct {
  int32_t dtype;                  /* CK_FLOAT32 or CK_FLOAT64, of every array */
  int32_t threads;                /* at least 1: an upper bound, which changes no bit of a result */
  int64_t batch, heads, kv_heads; /* heads is a multiple of kv_heads, or both are 0 */
  int64_t queries, keys;
  int64_t head_size;     /* from 1 to 256 */
  int64_t window;        /* at least 1; `keys` or more is plain causal attention */
  double scale, softcap; /* softcap 0 is none */
} ck_attention;

/* An array (batch, heads, positions, head_size) that is read. Strides of any sign, in elements. */
typedef struct {
  const void *data;
  int64_t batch, head, position, dim;
} ck_attention_array;

/* Fill out (batch, heads, queries, head_size) and lse (batch, heads, queries). `sink` has a logit for
 * each head, or is NULL. Return CK_OK, or CK_ARGUMENT, where `field` is the number of the wrong member
 * of ck_attention counted from 0 and `actual` its value, or CK_MEMORY: a call copies the keys that are
 * seen, and needs up to 1 MB for each thread. Arrays without strides are C-contiguous, and those that
 * are filled share no memory with others. */
CK_API int ck_attention_forward(const ck_attention *attention, const ck_attention_array *q,
                                const ck_attention_array *k, const ck_attention_array *v,
                                const void *sink, void *out, void *lse, ck_error *error);

typedef struct {
  ck_attention_array q, k, v, grad_out;
  const void *sink, *out, *lse; /* as of the forward pass */
  const void *grad_lse;         /* (batch, heads, queries), or NULL for zeros */
  void *dq, *dk, *dv, *dsink;   /* like q, k, v and sink; dsink may be NULL */
} ck_attention_gradients;

/* Fill dq, dk, dv and dsink with the gradients of sum(grad_out * out) + sum(grad_lse * lse). The scores
 * are computed again. Errors are those of the forward pass; memory is an element for each query and
 * head, and up to 1 MB for each thread. */
CK_API int ck_attention_backward(const ck_attention *attention,
                                 const ck_attention_gradients *gradients, ck_error *error);
