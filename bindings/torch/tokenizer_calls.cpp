// The tokenizer's ops on one text.
//
// Shows:  results whose size depends on the data; several results; an optional tensor.
// Bites:  the size of a result is known only when the kernel is done: its output is copied into a
//         tensor of the right size.
#include "tokenizer.hpp"

// ---- kernel --------------------------------------------------------------------------------

static Result bpe_encode(const Tensor &model, const Tensor &text, const Maybe &specials,
                         const Maybe &stop) {
  Call call(model, stop, size_of(text));
  auto ids = uninitialised<uint32_t>(size_of(text));
  const uint8_t *policy = call.policy(specials);
  if (call)
    call.encode(text, policy, {ids.get(), size_of(text), 0});
  return call.result(ids.get());
}

static Result bpe_count(const Tensor &model, const Tensor &text, const Maybe &stop) {
  Call call(model, stop, size_of(text));
  if (call)
    call.encode(text, nullptr, {});
  return call.count();
}

static Result bpe_split(const Tensor &model, const Tensor &text, const Maybe &stop) {
  Call call(model, stop);
  auto ends = uninitialised<int64_t>(size_of(text));
  call.room = {ends.get(), size_of(text), 0};
  if (call)
    ck_bpe_split(call.model.get(), elements<uint8_t>(text, "text"), size_of(text), &call.room,
                 call.interrupt(), &call.error);
  return call.result(ends.get());
}

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("bpe_encode(Tensor model, Tensor text, Tensor? specials=None, *, Tensor? stop=None) -> "
        "(Tensor, Tensor)");
  m.def("bpe_count(Tensor model, Tensor text, *, Tensor? stop=None) -> (Tensor, Tensor)");
  m.def("bpe_split(Tensor model, Tensor text, *, Tensor? stop=None) -> (Tensor, Tensor)");
}

STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CPU, m) {
  m.impl("bpe_encode", TORCH_BOX(&Sparing<bpe_encode>::call));
  m.impl("bpe_count", TORCH_BOX(&Sparing<bpe_count>::call));
  m.impl("bpe_split", TORCH_BOX(&Sparing<bpe_split>::call));
}
