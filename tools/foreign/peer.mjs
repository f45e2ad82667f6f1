// noble-curves verifies what it is given, and signs the same messages; jose takes this library's
// JWK and JWS, and makes some of its own (foreign.py). node-coap asks a sensor, or serves /attic,
// as coap_peer.py does (coap.py).
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ed25519, x25519 } from "@noble/curves/ed25519.js";
import { p256, p384, p521 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex as hex, hexToBytes as bytes } from "@noble/curves/utils.js";
import coap from "coap";
import * as jose from "jose";

const [role, where, seconds] = process.argv.slice(2);
const LIMIT = 1000 * (Number(seconds) + 10);
const require = createRequire(import.meta.url);
const version = (name) => require(`./node_modules/${name}/package.json`).version;

const curves = { secp256r1: p256, secp384r1: p384, secp521r1: p521, secp256k1 };
const algorithms = { secp256r1: "ES256", secp384r1: "ES384", secp521r1: "ES512", ed25519: "EdDSA" };
const answers = [], signed = [];

function noble(one) {
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

async function byJose(one) {
  const alg = algorithms[one.curve];
  if (!alg) return;
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

function ask(what, told, options, body) {
  const url = new URL(where), from = { host: url.hostname, port: url.port, pathname: url.pathname };
  return new Promise((settle) => {
    const resolve = () => { clearTimeout(late); settle(); };
    const request = coap.request({ ...from, ...options });
    const tell = (code, payload) => {
      told.push([what, code, payload.toString("hex")]);
      return told.filter((row) => row[0] === what).length;
    };
    const late = setTimeout(() => { tell("none", Buffer.alloc(0)); resolve(); }, LIMIT);
    request.on("error", (error) => { tell(String(error), Buffer.alloc(0)); resolve(); });
    request.on("response", (answer) => {
      if (!options.observe) { tell(answer.code, answer.payload); resolve(); return; }
      answer.on("data", (payload) => {
        if (tell(answer.code, payload) === 3) { answer.close(); resolve(); }
      });
    });
    request.end(body);
  });
}

async function client() {
  const told = [];
  await ask("whole", told, {});
  await ask("blocks of 16", told, { options: { Block2: Buffer.of(0) } });
  await ask("critical", told, { options: { 65001: Buffer.from("x") } });
  await ask("put", told, { method: "PUT", options: { Block1: Buffer.of(0) } }, Buffer.alloc(100, 57));
  await ask("observed", told, { observe: true });
  console.log(JSON.stringify({ version: version("coap"), told }));
  process.exit(0);
}

function server() {
  let state = Buffer.alloc(0);
  const observers = new Set();
  coap.createServer((request, response) => {
    if (request.method === "PUT") {
      state = request.payload;
      response.code = "2.04";
      response.end();
      for (const observer of observers) observer.write(state);
      return;
    }
    response.setOption("Content-Format", "application/json");
    if (request.headers.Observe === 0) {
      observers.add(response);
      response.on("finish", () => observers.delete(response));
      response.write(state);
    } else response.end(state);
  }).listen(Number(where), "127.0.0.1");
}

if (["client", "server"].includes(role)) {
  await (role === "server" ? server() : client());
} else {
  const [does, name] = role === "jose" ? [byJose, "jose"] : [noble, "@noble/curves"];
  for (const one of JSON.parse(readFileSync(0, "utf8"))) await does(one);
  console.log(JSON.stringify({ version: version(name), answers, signed }));
}
