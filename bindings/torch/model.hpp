// A model of the tokenizer, shared by its pages.
#pragma once

#include <memory>

#include "common.hpp"

// An open model, which owns its tensor. The tensor's bytes must not change meanwhile.
using Model = std::shared_ptr<ck_bpe>;

// Open a model. Return NULL and an error if the tensor does not hold one.
Model open_model(const Tensor &model, uint32_t options, ck_error &error);

// Return the model that bpe_open has opened, or NULL.
Model find_model(const Tensor &model);
