// noble-curves: verifies what it is given, and signs the same messages (foreign.py).
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ed25519, x25519 } from "@noble/curves/ed25519.js";
import { p256, p384, p521 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex as hex, hexToBytes as bytes } from "@noble/curves/utils.js";

const curves = { secp256r1: p256, secp384r1: p384, secp521r1: p521, secp256k1 };
const answers = [], signed = [];
for (const one of JSON.parse(readFileSync(0, "utf8"))) {
  const message = bytes(one.message), secret = bytes(one.private), curve = curves[one.curve];
  const answer = (what, does) => {
    let right = false;
    try { right = does(); } catch { /* refused */ }
    answers.push([one.curve, what, right]);
  };
  if (one.curve === "x25519") {
    answer("shared secret", () => hex(x25519.getSharedSecret(secret, bytes(one.peer))) === one.shared);
  } else if (one.curve === "ed25519") {
    answer("raw", () => ed25519.verify(bytes(one.raw), message, bytes(one.public), { zip215: false }));
    signed.push({ ...one, raw: hex(ed25519.sign(message, secret)) });
  } else if (curve) {
    for (const key of ["public", "compressed"])
      for (const [form, format] of [["der", "der"], ["raw", "compact"]])
        for (const [with_, options] of [["", {}], [", lowS: false", { lowS: false }]])
          answer(`${form === "der" ? "DER" : "raw"}, key ${key}${with_}`,
            () => curve.verify(bytes(one[form]), message, bytes(one[key]), { format, ...options }));
    answer("shared secret",
      () => hex(curve.getSharedSecret(secret, bytes(one.peer), false)).slice(2, 2 + one.shared.length)
        === one.shared);
    signed.push({ ...one, raw: "", der: hex(curve.sign(message, secret, { format: "der" })) });
    signed.push({ ...one, der: "", raw: hex(curve.sign(message, secret, { format: "compact" })) });
  }
}
const own = createRequire(import.meta.url)("./node_modules/@noble/curves/package.json");
console.log(JSON.stringify({ version: own.version, answers, signed }));
