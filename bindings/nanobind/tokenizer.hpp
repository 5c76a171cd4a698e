// The tokenizer, shared by its pages: the parts of a model that it needs, and its calls.
#pragma once

#include <memory>
#include <string>

#include "errors.hpp"

// Return true in the thread that runs signal handlers. A daemon thread that took the GIL again
// while the interpreter ends would not come back.
bool handles_signals();

// The parts of a model that a tokenizer needs, read once from the Python object.
struct Model {
  nb::object object, names;
  nb::object blob; // bytes
  std::unique_ptr<ck_bpe, decltype(&ck_bpe_close)> bpe{nullptr, ck_bpe_close};
  std::string default_policy;

  explicit Model(const nb::object &given);
  std::string policy(const nb::object &allowed, const nb::object &disallowed) const;

  // Call kernel(bpe, interrupt, error) with the GIL released, unless it has so few bytes to work on
  // that this would cost more than the kernel.
  template <class Kernel> void run(size_t size, Kernel kernel) const {
    constexpr size_t WORTH_THE_GIL = 1 << 10;
    ck_error error;
    error.code = CK_OK;
    if (size < WORTH_THE_GIL)
      kernel(bpe.get(), nullptr, &error);
    else
      run_long(size, kernel, error);
    if (error.code == CK_INTERRUPTED)
      throw nb::python_error();
    if (error.code != CK_OK)
      raise_error("tokenizer_error", error, names);
  }

  // Make a long call, which also runs signal handlers: an exception that one of them raises stays
  // set and ends the call, which raises it.
  template <class Kernel> void run_long(size_t size, Kernel &kernel, ck_error &error) const {
    constexpr size_t LONG = 1 << 20;
    ck_interrupt interrupt{};
    if (size >= LONG && handles_signals())
      interrupt.ask = [](void *) {
        nb::gil_scoped_acquire acquire;
        return PyErr_CheckSignals();
      };
    nb::gil_scoped_release release;
    kernel(bpe.get(), interrupt.ask ? &interrupt : nullptr, &error);
  }
};

inline const uint8_t *bytes_of(const std::string &bytes) {
  return reinterpret_cast<const uint8_t *>(bytes.data());
}

class Tokenizer {
public:
  explicit Tokenizer(Model given) : model(std::move(given)) {}

  nb::object encode(const nb::object &text, const nb::object &allowed,
                    const nb::object &disallowed) const;
  size_t encode_into(nb::handle buffer, nb::handle out) const;
  nb::tuple encode_batch(const nb::object &texts, const nb::object &threads,
                         const nb::object &allowed, const nb::object &disallowed) const;
  size_t count(const nb::object &text) const;
  nb::object split(const nb::object &text) const;
  nb::bytes decode(nb::handle object) const;

  const Model model;

private:
  size_t run(const uint8_t *text, size_t size, const uint8_t *policy, ck_buffer ids) const {
    model.run(size, [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
      ck_bpe_encode(bpe, text, size, policy, &ids, interrupt, error);
    });
    return ids.n;
  }
};
