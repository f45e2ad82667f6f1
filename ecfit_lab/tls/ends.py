"""How connections fail: what the client saw, as one word and a sentence for each reason."""

from __future__ import annotations

from ecfit_lab.tls.simrun import CONNECTED, End

_FLAGS = {  # mbedtls/x509.h
    0x01: ("certificate expired", "the server's certificate is no longer valid"),
    0x200: ("certificate not yet valid", "the server's certificate begins in the future"),
    0x04: ("wrong name", "the server's certificate is for another name"),
    0x08: ("not trusted", "no trusted authority signed the server's certificate"),
    0x4000: ("weak certificate", "a certificate is signed with a hash that is not accepted"),
    0x8000: ("weak certificate", "a certificate has a kind of key that is not accepted"),
    0x10000: ("weak certificate", "a certificate has a key that is too short, or of another curve"),
}
_ERRORS = {  # mbedtls/ssl.h, mbedtls/x509.h, psa/crypto_values.h, firmware/tls/port.h
    -0x6800: ("server stalled", "nothing came from the server in time"),
    -0x7280: ("server closed", "the server closed the connection"),
    -0x7780: ("alert", "the server sent a fatal alert"),
    -0x7180: ("record corrupted", "a record's authentication failed"),
    -0x7200: ("bad record", "a record has an impossible header or length"),
    -0x7100: ("bad record", "a record is longer than this client takes, or has what it lacks"),
    -0x7300: ("bad message", "a message of the handshake cannot be decoded"),
    -0x6600: ("bad message", "a message of the handshake has an impossible value"),
    -0x7700: ("unexpected message", "a message came that has no place there"),
    -0x6E00: ("no agreement", "the server chose what was not offered"),
    -0x6E80: ("bad version", "the server chose another version"),
    -0x7A00: ("bad certificate", "the server's certificate cannot be read, or is for another use"),
    -0x7500: ("unsupported extension", "the server sent an extension that was not asked for"),
    -0x6D00: ("wrong key type", "the server's key is of a kind that was not offered"),
    -0x7880: ("server closed", "the server closed the connection"),
    -0x7080: ("no agreement", "the server chose what this client does not have"),
    -0x2700: ("not trusted", "the server's certificate was not verified"),
    -149: ("bad signature", "a signature of the handshake is wrong"),
    -0x7F00: ("out of memory", "an allocation was refused"),
    -1: ("server closed", "the server closed the connection"),
    -2: ("server stalled", "nothing came from the server in time"),
    -3: ("payload cut short", "the server closed before the whole payload had come"),
    -4: ("no session", "the server gave no session that could be resumed"),
    -5: ("not resumed", "the server did not resume the session"),
}
EDHOC = -0x200000  # and 1 + an error of lakers, or 0x100: firmware/edhoc/lib.rs
_OF_EDHOC = {
    1: ("not trusted", "the responder has another credential than is trusted"),
    4: ("record corrupted", "a message's authentication failed"),
    5: ("no agreement", "the responder chose another method"),
    6: ("no agreement", "the responder chose another cipher suite"),
    7: ("bad message", "a message cannot be decoded"),
    12: ("bad message", "a message has external data that must be understood and is not"),
    0x100: ("bad message", "a message has a point that is not on the curve"),
}
WOLFSSL = -0x100000  # and an error of its: firmware/tls_wolfssl/client.c
_OF_WOLFSSL = {  # wolfssl/error-ssl.h, wolfssl/wolfcrypt/error-crypt.h
    -150: _FLAGS[0x200],
    -151: _FLAGS[0x01],
    -322: _FLAGS[0x04],
    -188: _FLAGS[0x08],
    -155: _FLAGS[0x08],  # an authority of that name is trusted, and did not sign it
    -125: _ERRORS[-0x7F00],
    -303: _ERRORS[-0x7F00],
    -180: _ERRORS[-0x7180],
    -305: _ERRORS[-0x7180],
    -312: _ERRORS[-0x7180],
    -229: _ERRORS[-149],
    -330: _ERRORS[-149],
    -304: _ERRORS[-149],  # Finished, which is a signature with a shared key
    -140: _ERRORS[-0x7A00],
    -345: ("bad certificate", "the server sent no certificate"),
    -383: _ERRORS[-0x7A00],
    -386: _ERRORS[-0x7A00],
    -357: _FLAGS[0x08],  # an authority that may not sign
    -198: _FLAGS[0x08],  # .. or not for this name
    -238: _FLAGS[0x08],  # .. or has too many below it
    -352: _ERRORS[-0x6E00],
    -421: _ERRORS[-0x6E00],
    -500: _ERRORS[-0x6E00],
    -424: _ERRORS[-0x7500],
    -428: _ERRORS[-0x7300],
    -457: _ERRORS[-0x7300],
    -311: _ERRORS[-0x7200],
    -341: _ERRORS[-0x7200],
    -404: _ERRORS[-0x7100],
    -306: _ERRORS[-0x7300],
    -328: _ERRORS[-0x7300],
    -416: _ERRORS[-0x7300],
    -373: _ERRORS[-0x7700],
    -394: _ERRORS[-0x7700],
    -395: _ERRORS[-0x7700],
    -307: _ERRORS[-0x7700],
    -326: _ERRORS[-0x6E80],
    -425: _ERRORS[-0x6E00],
    -371: _ERRORS[-0x6E00],
    -429: _ERRORS[-0x7500],
}
# By the part of Mbed TLS that an error is of: -error & 0xFF80, lowest and highest.
_PARTS = [
    (0x2600, 0x2600, "wrong key type", "the server's certificate is signed with what is not known"),
    (0x3C80, 0x3C80, "wrong key type", "the server's certificate has a kind of key not known"),
    (0x2080, 0x2F80, "bad certificate", "the server's certificate cannot be read"),
    (0x3880, 0x3F80, "bad certificate", "the key of the server's certificate cannot be read"),
    (0x4080, 0x4480, "bad signature", "a signature of the handshake is wrong"),
    (0x4B80, 0x4F80, "bad signature", "a signature of the handshake is wrong"),
]
_ALERTS = {  # RFC 8446, 6
    10: "unexpected_message",
    20: "bad_record_mac",
    22: "record_overflow",
    40: "handshake_failure",
    42: "bad_certificate",
    43: "unsupported_certificate",
    44: "certificate_revoked",
    45: "certificate_expired",
    46: "certificate_unknown",
    47: "illegal_parameter",
    48: "unknown_ca",
    50: "decode_error",
    51: "decrypt_error",
    70: "protocol_version",
    71: "insufficient_security",
    80: "internal_error",
    109: "missing_extension",
    110: "unsupported_extension",
    116: "certificate_required",
    120: "no_application_protocol",
}
# Mbed TLS says "a fatal alert" where TLS 1.3's list of certificates is empty; no fatal alert is 0.
NO_CERTIFICATE = 256
_STAGES = ("before the connection", "in the handshake", "after the handshake", "while closing", "")


def reason(end: End) -> tuple[str, str]:
    """A word for the record and a sentence; ("ok", "") where nothing failed."""
    if end.error == 0:
        return "ok", ""
    where = _STAGES[min(end.stage, 4)]
    if end.refused:
        return "out of memory", f"the heap had no room for {end.refused} bytes more, {where}"
    if end.alert == NO_CERTIFICATE:
        return "bad certificate", f"the server sent no certificate, {where}"
    if end.alert:
        number = end.alert - 256
        return (
            "alert",
            f"the server sent the fatal alert {number}, {_ALERTS.get(number, 'unknown')}",
        )
    if end.stage < CONNECTED and end.flags not in (0, 0xFFFFFFFF):
        for flag, words in _FLAGS.items():
            if end.flags & flag:
                return words
    if end.error <= EDHOC:
        number = EDHOC - end.error
        word, sentence = _OF_EDHOC.get(number, ("refused", "lakers gave up"))
        return word, f"{sentence}, {where} ({number})"
    if end.error <= WOLFSSL + 1:
        known_word = _OF_WOLFSSL.get(end.error - WOLFSSL, ("refused", "wolfSSL gave up"))
        return known_word[0], f"{known_word[1]}, {where} ({end.error - WOLFSSL})"
    code = f"-0x{-end.error:04x}"
    part = -end.error & 0xFF80
    known = [words for low, high, *words in _PARTS if low <= part <= high]
    word, sentence = _ERRORS.get(end.error) or (*known, ("refused", "Mbed TLS gave up"))[0]
    return word, f"{sentence}, {where} ({code})"
