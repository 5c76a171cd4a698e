// Bytes and ids in the caller's tensors.
//
// Shows:  an op that writes to an argument, which its schema declares: Tensor(out!).
// Bites:  another thread may write to a tensor during the call: memory that two passes read is
//         copied first.
#include <vector>

#include "tokenizer.hpp"

// ---- kernel --------------------------------------------------------------------------------

static Result bpe_encode_into(const Tensor &model, const Tensor &text, const Tensor &out,
                              const Maybe &stop) {
  Call call(model, stop, size_of(text));
  if (call)
    call.encode(text, nullptr, {writable<uint32_t>(out, "out"), size_of(out), 0});
  return call.count();
}

static Result bpe_decode(const Tensor &model, const Tensor &ids, const Maybe &stop) {
  Call call(model, stop);
  const uint32_t *first = elements<uint32_t>(ids, "ids");
  std::vector<uint32_t> given(first, first + size_of(ids)); // the same ids for both passes
  auto decode = [&](ck_buffer bytes) {
    call.room = bytes;
    ck_bpe_decode(call.model.get(), given.data(), given.size(), &call.room, call.interrupt(),
                  &call.error);
  };
  if (call)
    decode({});
  size_t size = call.room.n;
  auto bytes = uninitialised<uint8_t>(size);
  if (call)
    decode({bytes.get(), size, 0});
  return call.result(bytes.get());
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("bpe_encode_into(Tensor model, Tensor text, Tensor(out!) out, *, "
        "Tensor? stop=None) -> (Tensor, Tensor)");
  m.def("bpe_decode(Tensor model, Tensor ids, *, Tensor? stop=None) -> (Tensor, Tensor)");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("bpe_encode_into", TORCH_BOX(&Sparing<bpe_encode_into>::call));
  m.impl("bpe_decode", TORCH_BOX(&Sparing<bpe_decode>::call));
}
