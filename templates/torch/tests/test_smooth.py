import pytest
import torch

import smooth

X = torch.tensor([1.0, 2.0, 4.0], dtype=torch.float64)


def test_ema():
    assert smooth.ema(X, 0.5).tolist() == [1.0, 1.5, 2.75]


def test_crc32():
    assert smooth.crc32(torch.tensor(list(b"123456789"), dtype=torch.uint8)) == 0xCBF43926


def test_the_operator_keeps_the_rules_of_torch():
    found = torch.library.opcheck(torch.ops.smooth.ema, (X, 0.5))
    assert set(found.values()) == {"SUCCESS"}


def test_the_gradient():
    assert torch.autograd.gradcheck(smooth.ema, (X.clone().requires_grad_(), 0.5))


def test_a_wrong_alpha_is_refused():
    with pytest.raises(RuntimeError, match="alpha must be above 0 and at most 1"):
        smooth.ema(X, 2.0)
