// Models that stay open between calls, each with what was met of its texts.
//
// An op is a function of its tensors and has no place to keep things, and the stable ABI has no
// classes. So this is kept beside the ops and found again by a tensor's address, which stays that
// model's because the tensor is kept too: nothing that a caller passes is believed to be a pointer.
#pragma once

#include <pthread.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "common.hpp"

struct Kept {
  const Tensor model; // whose bytes must not change meanwhile
  const uint8_t *const blob;
  size_t users = 0;
  ck_bpe bpe;
  ck_bpe_pool pool{};

  explicit Kept(const Tensor &given) : model(given), blob(elements<uint8_t>(given, "model")) {
    STD_TORCH_CHECK(ck_bpe_open(&bpe, blob, size_of(model)) == CK_OK, "not a tokenizer model");
  }
  Kept(const Kept &) = delete;
  ~Kept() { ck_bpe_pool_free(&pool); }
};

class KeptModels {
public:
  static KeptModels &all() {
    static auto *models = new KeptModels; // outlives every tensor and thread
    return *models;
  }

  // NULL where the model is not kept. It lives on for whoever holds it.
  std::shared_ptr<Kept> find(const uint8_t *blob, size_t size) {
    std::lock_guard<std::mutex> guard(lock);
    auto it = place_of(blob, size);
    return it == models.end() ? nullptr : *it;
  }

  void keep(const Tensor &model) {
    auto made = std::make_shared<Kept>(model);
    std::lock_guard<std::mutex> guard(lock);
    auto it = place_of(made->blob, size_of(model));
    if (it == models.end())
      it = models.insert(it, made);
    (*it)->users++;
  }

  void forget(const Tensor &model) {
    std::shared_ptr<Kept> last; // freed after the lock: freeing a tensor may wait for the GIL
    std::lock_guard<std::mutex> guard(lock);
    auto it = place_of(elements<uint8_t>(model, "model"), size_of(model));
    STD_TORCH_CHECK(it != models.end(), "this model is not kept");
    if (--(*it)->users > 0)
      return;
    last = std::move(*it);
    models.erase(it);
  }

private:
  KeptModels() { // a fork while another thread holds the lock would leave it held for ever
    pthread_atfork([] { all().lock.lock(); }, [] { all().lock.unlock(); },
                   [] { all().lock.unlock(); });
  }

  std::vector<std::shared_ptr<Kept>>::iterator place_of(const uint8_t *blob, size_t size) {
    return std::find_if(models.begin(), models.end(), [&](const auto &kept) {
      return kept->blob == blob && size_of(kept->model) == size;
    });
  }

  std::mutex lock;
  std::vector<std::shared_ptr<Kept>> models;
};
