"""What the bench can measure: curves and, beside them, what is post-quantum: KEMs and signatures.

Names, aliases, sizes, domain parameters, operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from ecfit.errors import UsageError, unknown_name

OPS = ("keygen", "ecdh", "sign", "verify")  # of curves
# The operations of each form. What else there is to know of one stands in ecfit.run.cases.
FORMS = {
    "weierstrass": OPS,
    "montgomery": ("keygen", "ecdh"),
    "edwards": ("keygen", "sign", "verify"),
    "kem": ("keygen", "encaps", "decaps"),
    "signature": ("keygen", "sign", "verify"),
    "hybrid": ("keygen", "encaps", "decaps"),
}
# Operations that hash a message first, each with what it then does; not in `all`.
HASHING = {"sign_message": "sign", "verify_message": "verify"}
EVERY_OP = (*OPS, *HASHING)  # of curves
# Operations that an image has only where they are named, each with the one that it builds on.
NAMED = {
    "sign_recoverable": "sign", "recover_key": "verify", "verify_parts": "verify",
    "sign_parts": "sign",
    "sign_schnorr": "sign", "verify_schnorr": "verify",
    "spake2p_prover": "ecdh", "spake2p_verifier": "ecdh",
}  # fmt: skip
SCHNORR = ("sign_schnorr", "verify_schnorr")  # BIP 340: of secp256k1 alone, and of a message
SPAKE2P = ("spake2p_prover", "spake2p_verifier")  # RFC 9383: of secp256r1 alone; a role's whole run
HASHED = (*HASHING, *SCHNORR, *SPAKE2P)  # those that need the hash of a Weierstrass curve
BASE = HASHING | NAMED
ALL_OPS = tuple(dict.fromkeys((*EVERY_OP, *FORMS["kem"], *NAMED)))
MESSAGE_OPS = ("plain", "jss", "cose", "recover")  # of studies: firmware/adapter_message.c


def with_hashed(ops: Iterable[str]) -> tuple[str, ...]:
    """The operations, and those that they are made of."""
    asked = set(ops)
    asked |= {BASE[op] for op in asked & BASE.keys()}
    asked |= {"keygen"} if asked & {*SPAKE2P} else set()  # a share is a key pair, too
    return tuple(op for op in (*EVERY_OP, *NAMED) if op in asked)


class Curve(msgspec.Struct, frozen=True):
    """Short Weierstrass: y^2 = x^3 + ax + b over GF(p), base point (gx, gy)
    of prime order n, cofactor 1.

    Montgomery and Edwards: those whose encodings and parameters RFC 7748
    and RFC 8032 fix (oracle25519).

    A KEM and a signature scheme are no curves, but have the same table: `scalar_bytes` of a
    private key, `public_bytes` of a public one, `cipher_bytes` of a ciphertext, `field_bytes` of a
    shared secret, `signature_bytes` of a signature, `bits` for the coefficients of a public key.
    A hybrid group of TLS has `parts`, a curve and a KEM, in the order of its shares and secrets:
    a private key is the curve's and then the KEM's, a ciphertext is the server's share.
    """

    name: str
    aliases: tuple[str, ...]
    bits: int
    field_bytes: int
    scalar_bytes: int
    source: str
    form: Literal["weierstrass", "montgomery", "edwards", "kem", "signature", "hybrid"] = (
        "weierstrass"
    )
    cipher_bytes: int = 0
    signature_bytes: int = 0
    parts: tuple[Curve, ...] = ()
    p: int = 0
    a: int = 0
    b: int = 0
    gx: int = 0
    gy: int = 0
    n: int = 0

    @property
    def ops(self) -> tuple[str, ...]:
        """The operations that this form has."""
        return FORMS[self.form]

    def among(self, ops: Iterable[str]) -> frozenset[str]:
        """The operations of this curve that these are made of; all where it has none of them."""
        return frozenset({*with_hashed(ops)} & {*self.ops} or self.ops)

    @property
    def every_op(self) -> tuple[str, ...]:
        """These, those of messages (a signature of an Edwards curve is of one in any case), and
        those that are to be named.
        """
        if self.form == "weierstrass":
            own = {"secp256k1": SCHNORR, "secp256r1": SPAKE2P}.get(self.name, ())
            return (*EVERY_OP, "sign_recoverable", "recover_key", *own)
        return (*self.ops, "verify_parts", "sign_parts") if self.form == "edwards" else self.ops

    @property
    def curve(self) -> Curve:
        """Of a hybrid group."""
        return next(part for part in self.parts if part.form != "kem")

    @property
    def kem(self) -> Curve:
        """Of a hybrid group."""
        return next(part for part in self.parts if part.form == "kem")

    @property
    def hash_name(self) -> str:
        """The hash of its messages and nonces (lib/src/curve/<name>.c)."""
        return "sha256" if self.bits <= 256 else "sha384" if self.bits == 384 else "sha512"

    @property
    def public_bytes(self) -> int:
        """Size of an encoded public key: SEC 1 uncompressed, or one field element;
        of a KEM, what a decapsulation key contains; of ML-DSA, a seed and 10 bits a coefficient.
        """
        if self.form == "hybrid":
            return sum(part.public_bytes for part in self.parts)
        if self.form == "signature":
            return 32 + self.bits * 10 // 8
        if self.form == "kem":
            return (self.scalar_bytes - 32) // 2  # secret vector, key, 32 bytes of each of two more
        return 1 + 2 * self.field_bytes if self.form == "weierstrass" else self.field_bytes

    def buffers(self, op: str) -> int:
        """Bytes of input and output of an operation (firmware/bench_op.h), but for the message."""
        n, p, s = self.scalar_bytes, self.public_bytes, self.signature_bytes
        c = self.cipher_bytes + self.field_bytes
        sizes = {"keygen": n + p, "encaps": p + c, "decaps": n + c, "sign": n + s, "verify": p + s}
        return sizes[op]

    @property
    def secret_parts(self) -> tuple[tuple[int, int], ...]:
        """Start and size of what is secret in an encoded private key: all of it;
        of a KEM, all but the encapsulation key inside and its hash (FIPS 203, algorithm 16);
        of ML-DSA, K, s1 and s2 (FIPS 204, algorithm 24): signatures reveal t0 behind them (6.1).
        """
        if self.form == "signature":
            return (32, 32), (128, self.scalar_bytes - 128 - self.bits * 13 // 8)
        if self.form == "kem":
            return (0, self.public_bytes - 32), (self.scalar_bytes - 32, 32)
        return ((0, self.scalar_bytes),)


def _weierstrass(
    name: str, aliases: tuple[str, ...], source: str,
    *, p: int, a: int, b: int, gx: int, gy: int, n: int,
) -> Curve:  # fmt: skip
    return Curve(
        name=name, aliases=aliases, bits=p.bit_length(), field_bytes=(p.bit_length() + 7) // 8,
        scalar_bytes=(n.bit_length() + 7) // 8, source=source, p=p, a=a % p, b=b, gx=gx, gy=gy, n=n,
    )  # fmt: skip


_SECP160R1 = _weierstrass(
    "secp160r1",
    (),
    "SEC 2 v1, 2.4.2 (n has 161 bits)",
    p=2**160 - 2**31 - 1,
    a=-3,
    b=0x1C97BEFC54BD7A8B65ACF89F81D4D4ADC565FA45,
    gx=0x4A96B5688EF573284664698968C38BB913CBFC82,
    gy=0x23A628553168947D59DCC912042351377AC5FB32,
    n=0x0100000000000000000001F4C8F927AED3CA752257,
)
_SECP192R1 = _weierstrass(
    "secp192r1",
    ("P-192", "prime192v1", "nist-p192", "NIST P-192"),
    "FIPS 186-4, D.1.2.1; SEC 2 v2, 2.2.2",
    p=2**192 - 2**64 - 1,
    a=-3,
    b=0x64210519E59C80E70FA7E9AB72243049FEB8DEECC146B9B1,
    gx=0x188DA80EB03090F67CBF20EB43A18800F4FF0AFD82FF1012,
    gy=0x07192B95FFC8DA78631011ED6B24CDD573F977A11E794811,
    n=0xFFFFFFFFFFFFFFFFFFFFFFFF99DEF836146BC9B1B4D22831,
)
_SECP224R1 = _weierstrass(
    "secp224r1",
    ("P-224", "nist-p224", "NIST P-224"),
    "SP 800-186, 3.2.1.2; SEC 2 v2, 2.3.2",
    p=2**224 - 2**96 + 1,
    a=-3,
    b=0xB4050A850C04B3ABF54132565044B0B7D7BFD8BA270B39432355FFB4,
    gx=0xB70E0CBD6BB4BF7F321390B94A03C1D356C21122343280D6115C1D21,
    gy=0xBD376388B5F723FB4C22DFE6CD4375A05A07476444D5819985007E34,
    n=0xFFFFFFFFFFFFFFFFFFFFFFFFFFFF16A2E0B8F03E13DD29455C5C2A3D,
)
_SECP256R1 = _weierstrass(
    "secp256r1",
    ("P-256", "prime256v1", "nist-p256", "NIST P-256"),
    "SP 800-186, 3.2.1.3; SEC 2 v2, 2.4.2",
    p=2**256 - 2**224 + 2**192 + 2**96 - 1,
    a=-3,
    b=0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    gx=0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    gy=0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
    n=0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
)
_SECP256K1 = _weierstrass(
    "secp256k1",
    ("bitcoin",),
    "SEC 2 v2, 2.4.1",
    p=2**256 - 2**32 - 977,
    a=0,
    b=7,
    gx=0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    gy=0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
    n=0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141,
)
_SECP128R1 = _weierstrass(
    "secp128r1",
    (),
    "SEC 2 v1, 2.2.1",
    p=2**128 - 2**97 - 1,
    a=-3,
    b=0xE87579C11079F43DD824993C2CEE5ED3,
    gx=0x161FF7528B899B2D0C28607CA52C5B86,
    gy=0xCF5AC8395BAFEB13C02DA292DDED7A83,
    n=0xFFFFFFFE0000000075A30D1B9038A115,
)
_SECP384R1 = _weierstrass(
    "secp384r1",
    ("P-384", "nist-p384", "NIST P-384"),
    "SP 800-186, 3.2.1.4; SEC 2 v2, 2.5.1",
    p=2**384 - 2**128 - 2**96 + 2**32 - 1,
    a=-3,
    b=0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
    gx=0xAA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7,
    gy=0x3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F,
    n=0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973,
)
_SECP521R1 = _weierstrass(
    "secp521r1",
    ("P-521", "nist-p521", "NIST P-521"),
    "SP 800-186, 3.2.1.5; SEC 2 v2, 2.6.1",
    p=2**521 - 1,
    a=-3,
    b=int(
        "51953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF109E"
        "156193951EC7E937B1652C0BD3BB1BF073573DF883D2C34F1EF451FD46B503F00",
        16,
    ),
    gx=int(
        "C6858E06B70404E9CD9E3ECB662395B4429C648139053FB521F828AF606B4D3DB"
        "AA14B5E77EFE75928FE1DC127A2FFA8DE3348B3C1856A429BF97E7E31C2E5BD66",
        16,
    ),
    gy=int(
        "011839296A789A3BC0045C8A5FB42C7D1BD998F54449579B446817AFBD17273E66"
        "2C97EE72995EF42640C550B9013FAD0761353C7086A272C24088BE94769FD16650",
        16,
    ),
    n=int(
        "01FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
        "FA51868783BF2F966B7FCC0148F709A5D03BB5C9B8899C47AEBB6FB71E91386409",
        16,
    ),
)
_BRAINPOOLP256R1 = _weierstrass(
    "brainpoolP256r1",
    ("bp256r1",),
    "RFC 5639, 3.4",
    p=0xA9FB57DBA1EEA9BC3E660A909D838D726E3BF623D52620282013481D1F6E5377,
    a=0x7D5A0975FC2C3057EEF67530417AFFE7FB8055C126DC5C6CE94A4B44F330B5D9,
    b=0x26DC5C6CE94A4B44F330B5D9BBD77CBF958416295CF7E1CE6BCCDC18FF8C07B6,
    gx=0x8BD2AEB9CB7E57CB2C4B482FFC81B7AFB9DE27E1E3BD23C23A4453BD9ACE3262,
    gy=0x547EF835C3DAC4FD97F8461A14611DC9C27745132DED8E545C1D54C72F046997,
    n=0xA9FB57DBA1EEA9BC3E660A909D838D718C397AA3B561A6F7901E0E82974856A7,
)
_BRAINPOOLP384R1 = _weierstrass(
    "brainpoolP384r1",
    ("bp384r1",),
    "RFC 5639, 3.6",
    p=0x8CB91E82A3386D280F5D6F7E50E641DF152F7109ED5456B412B1DA197FB71123ACD3A729901D1A71874700133107EC53,
    a=0x7BC382C63D8C150C3C72080ACE05AFA0C2BEA28E4FB22787139165EFBA91F90F8AA5814A503AD4EB04A8C7DD22CE2826,
    b=0x04A8C7DD22CE28268B39B55416F0447C2FB77DE107DCD2A62E880EA53EEB62D57CB4390295DBC9943AB78696FA504C11,
    gx=0x1D1C64F068CF45FFA2A63A81B7C13F6B8847A3E77EF14FE3DB7FCAFE0CBD10E8E826E03436D646AAEF87B2E247D4AF1E,
    gy=0x8ABE1D7520F9C2A45CB1EB8E95CFD55262B70B29FEEC5864E19C054FF99129280E4646217791811142820341263C5315,
    n=0x8CB91E82A3386D280F5D6F7E50E641DF152F7109ED5456B31F166E6CAC0425A7CF3AB6AF6B7FC3103B883202E9046565,
)
_BRAINPOOLP512R1 = _weierstrass(
    "brainpoolP512r1",
    ("bp512r1",),
    "RFC 5639, 3.7",
    p=int(
        "AADD9DB8DBE9C48B3FD4E6AE33C9FC07CB308DB3B3C9D20ED6639CCA70330871"
        "7D4D9B009BC66842AECDA12AE6A380E62881FF2F2D82C68528AA6056583A48F3",
        16,
    ),
    a=int(
        "7830A3318B603B89E2327145AC234CC594CBDD8D3DF91610A83441CAEA9863BC"
        "2DED5D5AA8253AA10A2EF1C98B9AC8B57F1117A72BF2C7B9E7C1AC4D77FC94CA",
        16,
    ),
    b=int(
        "3DF91610A83441CAEA9863BC2DED5D5AA8253AA10A2EF1C98B9AC8B57F1117A7"
        "2BF2C7B9E7C1AC4D77FC94CADC083E67984050B75EBAE5DD2809BD638016F723",
        16,
    ),
    gx=int(
        "81AEE4BDD82ED9645A21322E9C4C6A9385ED9F70B5D916C1B43B62EEF4D0098E"
        "FF3B1F78E2D0D48D50D1687B93B97D5F7C6D5047406A5E688B352209BCB9F822",
        16,
    ),
    gy=int(
        "7DDE385D566332ECC0EABFA9CF7822FDF209F70024A57B1AA000C55B881F8111"
        "B2DCDE494A5F485E5BCA4BD88A2763AED1CA2B2FA8F0540678CD1E0F3AD80892",
        16,
    ),
    n=int(
        "AADD9DB8DBE9C48B3FD4E6AE33C9FC07CB308DB3B3C9D20ED6639CCA70330870"
        "553E5C414CA92619418661197FAC10471DB1D381085DDADDB58796829CA90069",
        16,
    ),
)
_X25519 = Curve(
    name="x25519", aliases=("curve25519",), bits=255, field_bytes=32, scalar_bytes=32,
    source="RFC 7748, 4.1 and 5",
    form="montgomery",
)  # fmt: skip
_ED25519 = Curve(
    name="ed25519", aliases=("edwards25519",), bits=255, field_bytes=32, scalar_bytes=32,
    source="RFC 8032, 5.1",
    form="edwards",
)  # fmt: skip
_X448 = Curve(
    name="x448", aliases=("curve448",), bits=448, field_bytes=56, scalar_bytes=56,
    source="RFC 7748, 4.2 and 5",
    form="montgomery",
)  # fmt: skip
_ED448 = Curve(
    name="ed448", aliases=("edwards448",), bits=448, field_bytes=57, scalar_bytes=57,
    source="RFC 8032, 5.2",
    form="edwards",
)  # fmt: skip

_ALL = (
    _SECP256R1, _SECP384R1, _SECP521R1, _SECP256K1,
    _BRAINPOOLP256R1, _BRAINPOOLP384R1, _BRAINPOOLP512R1,
    _SECP224R1, _SECP192R1, _SECP160R1, _SECP128R1,
    _X25519, _X448, _ED25519, _ED448,
)  # fmt: skip
CURVES: dict[str, Curve] = {curve.name: curve for curve in _ALL}


def _ml_kem(bits: int, rank: int, cipher_bytes: int) -> Curve:
    return Curve(
        name=f"mlkem{bits}",
        aliases=(f"ML-KEM-{bits}",),
        bits=bits,
        field_bytes=32,
        scalar_bytes=768 * rank + 96,
        source="FIPS 203, 8, tables 2 and 3",
        form="kem",
        cipher_bytes=cipher_bytes,
    )


def _ml_dsa(size: tuple[int, int], private_bytes: int, signature_bytes: int) -> Curve:
    number = "".join(map(str, size))
    return Curve(
        name=f"mldsa{number}",
        aliases=(f"ML-DSA-{number}",),
        bits=256 * size[0],
        field_bytes=32,
        scalar_bytes=private_bytes,
        source="FIPS 204, 4, tables 1 and 2",
        form="signature",
        signature_bytes=signature_bytes,
    )


KEMS = {k.name: k for k in (_ml_kem(512, 2, 768), _ml_kem(768, 3, 1088), _ml_kem(1024, 4, 1568))}
_ML_DSA = _ml_dsa((4, 4), 2560, 2420), _ml_dsa((6, 5), 4032, 3309), _ml_dsa((8, 7), 4896, 4627)
SIGNATURES = {scheme.name: scheme for scheme in _ML_DSA}
POST_QUANTUM = KEMS | SIGNATURES
MEASURED = CURVES | POST_QUANTUM


def _hybrid(name: str, *parts: Curve) -> Curve:
    kem = next(part for part in parts if part.form == "kem")
    return Curve(
        name=name.lower(), aliases=(name,), bits=kem.bits,
        field_bytes=sum(part.field_bytes for part in parts),
        scalar_bytes=sum(part.scalar_bytes for part in parts),
        source="draft-ietf-tls-ecdhe-mlkem, 3", form="hybrid", parts=parts,
        cipher_bytes=sum(part.cipher_bytes or part.public_bytes for part in parts),
    )  # fmt: skip


_GROUPS = (
    _hybrid("X25519MLKEM768", KEMS["mlkem768"], _X25519),
    _hybrid("SecP256r1MLKEM768", _SECP256R1, KEMS["mlkem768"]),
    _hybrid("SecP384r1MLKEM1024", _SECP384R1, KEMS["mlkem1024"]),
)
HYBRIDS = {group.name: group for group in _GROUPS}


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def find_curve(name: str, among: Mapping[str, Curve] = CURVES) -> Curve:
    """The curve of that name or alias, letter case and punctuation ignored. Errors: UsageError."""
    wanted = _plain(name)
    for curve in among.values():
        if wanted in map(_plain, (curve.name, *curve.aliases)):
            return curve
    if wanted in HYBRIDS:
        raise UsageError(f"{name} is a hybrid group, not a curve: `ecfit fit --need {name}`")
    raise unknown_name("curve", name, among)
