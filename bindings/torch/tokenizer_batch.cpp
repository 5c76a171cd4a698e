// Many texts in one op.
//
// Shows:  texts end to end in one tensor, and the end of each in another; an int argument.
// Bites:  offsets are copied before they are checked, since a tensor may change meanwhile.
#include <vector>

#include "tokenizer.hpp"

// ---- kernel --------------------------------------------------------------------------------

static std::tuple<Tensor, Tensor, Tensor> bpe_encode_batch(const Tensor &model, const Tensor &text,
                                                           const Tensor &offsets,
                                                           const Maybe &specials, int64_t threads,
                                                           const Maybe &stop) {
  size_t n = size_of(offsets), size = size_of(text);
  const int64_t *given = elements<int64_t>(offsets, "offsets");
  std::vector<int64_t> ends(given, given + n), id_ends(n); // the caller's may change meanwhile
  STD_TORCH_CHECK(n > 0 && ends[n - 1] <= text.numel(), "offsets must lead from 0 to text's size");
  STD_TORCH_CHECK(threads >= 1, "threads must be at least 1, not ", threads);
  auto ids = uninitialised<uint32_t>(size);
  Call call(model, stop, size);
  if (call && (ends[0] < 0 || !std::is_sorted(ends.begin(), ends.end())))
    call.error = {CK_ARGUMENT, 0, 0, -1, 0, 0};
  const uint8_t *policy = call.policy(specials);
  if (call) {
    std::vector<const uint8_t *> texts(n);
    std::vector<size_t> sizes(n);
    for (size_t i = 0; i + 1 < n; i++) {
      texts[i] = elements<uint8_t>(text, "text") + ends[i];
      sizes[i] = static_cast<size_t>(ends[i + 1] - ends[i]);
    }
    const ck_texts all{texts.data(), sizes.data(), n - 1};
    call.room = {ids.get(), size, 0};
    ck_bpe_encode_batch(call.model.get(), &all, policy, &call.room, id_ends.data(),
                        static_cast<int>(std::min<int64_t>(threads, CK_MAX_THREADS)),
                        call.interrupt(), &call.error);
  }
  auto [found, error] = call.result(ids.get());
  return {found, tensor_from(id_ends.data(), n), error};
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("bpe_encode_batch(Tensor model, Tensor text, Tensor offsets, Tensor? specials=None, *, "
        "int threads=1, Tensor? stop=None) -> (Tensor, Tensor, Tensor)");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("bpe_encode_batch", TORCH_BOX(&Sparing<bpe_encode_batch>::call));
}
