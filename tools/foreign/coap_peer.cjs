// node-coap: asks a sensor, or serves /attic, as coap_peer.py does (coap.py).
const coap = require("coap");
const [role, where, seconds] = process.argv.slice(2);
const LIMIT = 1000 * (Number(seconds) + 10);

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
  const { version } = require("coap/package.json");
  console.log(JSON.stringify({ version, told }));
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

if (role === "server") server(); else client();
