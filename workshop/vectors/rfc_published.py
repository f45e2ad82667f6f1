"""Published vectors of RFC 7748 and RFC 8032, typed from the documents;
hexadecimal, little-endian.
"""

from __future__ import annotations

from typing import NamedTuple


class XVector(NamedTuple):
    """curve, scalar, u coordinate, result."""

    curve: str
    scalar: str
    u: str
    result: str


# RFC 7748, 5.2
X_VECTORS = [
    XVector(
        "x25519",
        "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
        "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
        "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
    ),
    XVector(
        "x25519",
        "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
        "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
        "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
    ),
    XVector(
        "x448",
        "3d262fddf9ec8e88495266fea19a34d28882acef045104d0d1aae121700a779c"
        "984c24f8cdd78fbff44943eba368f54b29259a4f1c600ad3",
        "06fce640fa3487bfda5f6cf2d5263f8aad88334cbd07437f020f08f9814dc031"
        "ddbdc38c19c6da2583fa5429db94ada18aa7a7fb4ef8a086",
        "ce3e4ff95a60dc6697da1db1d85e6afbdf79b50a2412d7546d5f239fe14fbaad"
        "eb445fc66a01b0779d98223961111e21766282f73dd96b6f",
    ),
    XVector(
        "x448",
        "203d494428b8399352665ddca42f9de8fef600908e0d461cb021f8c538345dd7"
        "7c3e4806e25f46d3315c44e0a5b4371282dd2c8d5be3095f",
        "0fbcc2f993cd56d3305b0b7d9e55d4c1a8fb5dbb52f8e9a1e9b6201b165d0158"
        "94e56c4d3570bee52fe205e28a78b91cdfbde71ce8d157db",
        "884a02576239ff7a2f2f63b2db6a9ff37047ac13568e1e30fe63c4a7ad1b3ee3"
        "a5700df34321d62077e63633c575c1c954514e99da7c179d",
    ),
]

# RFC 7748, 5.2: k = u = the base point, then k, u = X(k, u), k, so often
X_ITERATED = {
    ("x25519", 1): "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079",
    ("x25519", 1000): "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51",
    ("x448", 1): "3f482c8a9f19b01e6c46ee9711d9dc14fd4bf67af30765c2ae2b846a"
    "4d23a8cd0db897086239492caf350b51f833868b9bc2b3bca9cf4113",
    ("x448", 1000): "aa3b4749d55b9daf1e5b00288826c467274ce3ebbdd5c17b975e09d4"
    "af6c67cf10d087202db88286e2b79fceea3ec353ef54faa26e219f38",
}


class KeyVector(NamedTuple):
    """curve, both private keys, both public keys, the shared secret."""

    curve: str
    private_a: str
    public_a: str
    private_b: str
    public_b: str
    shared: str


# RFC 7748, 6.1 and 6.2
KEY_VECTORS = [
    KeyVector(
        "x25519",
        "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
        "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
        "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
        "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
        "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742",
    ),
    KeyVector(
        "x448",
        "9a8f4925d1519f5775cf46b04b5800d4ee9ee8bae8bc5565d498c28dd9c9baf5"
        "74a9419744897391006382a6f127ab1d9ac2d8c0a598726b",
        "9b08f7cc31b7e3e67d22d5aea121074a273bd2b83de09c63faa73d2c22c5d9bb"
        "c836647241d953d40c5b12da88120d53177f80e532c41fa0",
        "1c306a7ac2a0e2e0990b294470cba339e6453772b075811d8fad0d1d6927c120"
        "bb5ee8972b0d3e21374c9c921b09d1b0366f10b65173992d",
        "3eb7a829b0cd20f5bcfc0b599b6feccf6da4627107bdb0d4f345b43027d8b972"
        "fc3e34fb4232a13ca706dcb57aec3dae07bdc1c67bf33609",
        "07fff4181ac6cc95ec1c16a94a0f74d12da232ce40a77552281d282bb60c0b56"
        "fd2464c335543936521c24403085d59a449a5037514a879d",
    ),
]


class SignatureVector(NamedTuple):
    """curve, private key, public key, message, signature, context (None: none), prehashed."""

    curve: str
    private: str
    public: str
    message: str
    signature: str
    context: str | None = None
    prehashed: bool = False


CTX_KEY = (
    "0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6",
    "dfc9425e4f968f7f0c29f0259cf5f9aed6851c2bb4ad8bfb860cfee0ab248292",
)
OCTET_448 = (
    "c4eab05d357007c632f3dbb48489924d552b08fe0c353a0d4a1f00acda2c463a"
    "fbea67c5e8d2877c5e3bc397a659949ef8021e954e0a12274e",
    "43ba28f430cdff456ae531545f7ecd0ac834a55d9358c0372bfa0c6c6798c086"
    "6aea01eb00742802b8438ea4cb82169c235160627b4c3a9480",
)
PH_448 = (
    "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42"
    "ef7822e0d5104127dc05d6dbefde69e3ab2cec7c867c6e2c49",
    "259b71c19f83ef77a7abd26524cbdb3161b590a48f7d17de3ee0ba9c52beb743"
    "c09428a131d6b1b57303d90d8132c276d5ed3d5d01c0f53880",
)

# RFC 8032, 7.1 to 7.5; of prehashed ones the message that is hashed
SIGNATURES = [
    SignatureVector(
        "ed25519",
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    SignatureVector(
        "ed25519",
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    SignatureVector(
        "ed25519",
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    SignatureVector(
        "ed25519",
        *CTX_KEY,
        "f726936d19c800494e3fdaff20b276a8",
        "55a4cc2f70a54e04288c5f4cd1e45a7bb520b36292911876cada7323198dd87a"
        "8b36950b95130022907a7fb7c4e9b2d5f6cca685a587b4b21f4b888e4e7edb0d",
        "666f6f",
    ),
    SignatureVector(
        "ed25519",
        *CTX_KEY,
        "f726936d19c800494e3fdaff20b276a8",
        "fc60d5872fc46b3aa69f8b5b4351d5808f92bcc044606db097abab6dbcb1aee3"
        "216c48e8b3b66431b5b186d1d28f8ee15a5ca2df6668346291c2043d4eb3e90d",
        "626172",
    ),
    SignatureVector(
        "ed25519",
        *CTX_KEY,
        "508e9e6882b979fea900f62adceaca35",
        "8b70c1cc8310e1de20ac53ce28ae6e7207f33c3295e03bb5c0732a1d20dc6490"
        "8922a8b052cf99b7c4fe107a5abb5b2c4085ae75890d02df26269d8945f84b0b",
        "666f6f",
    ),
    SignatureVector(
        "ed25519",
        "ab9c2853ce297ddab85c993b3ae14bcad39b2c682beabc27d6d4eb20711d6560",
        "0f1d1274943b91415889152e893d80e93275a1fc0b65fd71b4b0dda10ad7d772",
        "f726936d19c800494e3fdaff20b276a8",
        "21655b5f1aa965996b3f97b3c849eafba922a0a62992f73b3d1b73106a84ad85"
        "e9b86a7b6005ea868337ff2d20a7f5fbd4cd10b0be49a68da2b2e0dc0ad8960f",
        "666f6f",
    ),
    SignatureVector(
        "ed25519",
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "616263",
        "98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae41"
        "31f85042463c2a355a2003d062adf5aaa10b8c61e636062aaad11c2a26083406",
        None,
        True,
    ),
    SignatureVector(
        "ed448",
        "6c82a562cb808d10d632be89c8513ebf6c929f34ddfa8c9f63c9960ef6e348a3"
        "528c8a3fcc2f044e39a3fc5b94492f8f032e7549a20098f95b",
        "5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778"
        "edf124769b46c7061bd6783df1e50f6cd1fa1abeafe8256180",
        "",
        "533a37f6bbe457251f023c0d88f976ae2dfb504a843e34d2074fd823d41a591f"
        "2b233f034f628281f2fd7a22ddd47d7828c59bd0a21bfd3980"
        "ff0d2028d4b18a9df63e006c5d1c2d345b925d8dc00b4104852db99ac5c7cdda"
        "8530a113a0f4dbb61149f05a7363268c71d95808ff2e652600",
    ),
    SignatureVector(
        "ed448",
        *OCTET_448,
        "03",
        "26b8f91727bd62897af15e41eb43c377efb9c610d48f2335cb0bd0087810f435"
        "2541b143c4b981b7e18f62de8ccdf633fc1bf037ab7cd77980"
        "5e0dbcc0aae1cbcee1afb2e027df36bc04dcecbf154336c19f0af7e0a6472905"
        "e799f1953d2a0ff3348ab21aa4adafd1d234441cf807c03a00",
    ),
    SignatureVector(
        "ed448",
        *OCTET_448,
        "03",
        "d4f8f6131770dd46f40867d6fd5d5055de43541f8c5e35abbcd001b32a89f7d2"
        "151f7647f11d8ca2ae279fb842d607217fce6e042f6815ea00"
        "0c85741de5c8da1144a6a1aba7f96de42505d7a7298524fda538fccbbb754f57"
        "8c1cad10d54d0d5428407e85dcbc98a49155c13764e66c3c00",
        "666f6f",
    ),
    SignatureVector(
        "ed448",
        *PH_448,
        "616263",
        "822f6901f7480f3d5f562c592994d9693602875614483256505600bbc281ae38"
        "1f54d6bce2ea911574932f52a4e6cadd78769375ec3ffd1b80"
        "1a0d9b3f4030cd433964b6457ea39476511214f97469b57dd32dbc560a9a94d0"
        "0bff07620464a3ad203df7dc7ce360c3cd3696d9d9fab90f00",
        None,
        True,
    ),
    SignatureVector(
        "ed448",
        *PH_448,
        "616263",
        "c32299d46ec8ff02b54540982814dce9a05812f81962b649d528095916a2aa48"
        "1065b1580423ef927ecf0af5888f90da0f6a9a85ad5dc3f280"
        "d91224ba9911a3653d00e484e2ce232521481c8658df304bb7745a73514cdb9b"
        "f3e15784ab71284f8d0704a608c54a6b62d97beb511d132100",
        "666f6f",
        True,
    ),
]
