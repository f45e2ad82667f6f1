// jose: takes this library's JWK and JWS, and makes some of its own (foreign.py).
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as jose from "jose";

const algorithms = { secp256r1: "ES256", secp384r1: "ES384", secp521r1: "ES512", ed25519: "EdDSA" };
const answers = [], signed = [];
for (const one of JSON.parse(readFileSync(0, "utf8"))) {
  const alg = algorithms[one.curve];
  if (!alg) continue;
  let right = false;
  try {
    const key = await jose.importJWK(JSON.parse(one.our_jwk), alg);
    const { payload } = await jose.compactVerify(one.our_jws, key);
    right = Buffer.from(payload).toString("hex") === one.message;
  } catch { /* refused */ }
  answers.push([one.curve, "JWK and JWS", right]);
  const options = { extractable: true, ...(alg === "EdDSA" ? { crv: "Ed25519" } : {}) };
  const pair = await jose.generateKeyPair(alg, options);
  const jws = await new jose.CompactSign(Buffer.from(one.message, "hex"))
    .setProtectedHeader({ alg }).sign(pair.privateKey);
  const jwk = JSON.stringify(await jose.exportJWK(pair.publicKey));
  signed.push({ curve: one.curve, jwk, jws });
}
const own = createRequire(import.meta.url)("./node_modules/jose/package.json");
console.log(JSON.stringify({ version: own.version, answers, signed }));
