"""Products and squares of secp256k1 for public data: what product.py leaves, reduced as products of
secrets are (armv7m/k256.py). That reduction takes 9 cycles a digit without a long multiply.
"""

from __future__ import annotations

from gen.armv7em.code import Code
from gen.armv7m_var import product

END = "ecfit_secp256k1_redc"


def mul(code: Code) -> None:
    """[r0] = [r1] [r2] / R."""
    product.mul(code, whole=True)
    code("b", END)


def sqr(code: Code) -> None:
    """[r0] = [r1]^2 / R."""
    product.sqr(code, whole=True)
    code("b", END)
