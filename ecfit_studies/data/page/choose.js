"use strict";
// Every chip: the rows of the atlas as setups, predicted for a chip by its clock and by what its
// flash makes of the cycles. And what a day costs its battery.

const chooser = (choices, peers) => {
  const chips = choices.chips.flatMap(([kind, flash, ram, names]) => names.split(" ")
    .map((name) => ({ name, flash, ram, ...choices.kinds[kind] })));
  const plain = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  const keys = chips.map((chip) => plain(chip.name));

  // The chip of that name, or the one whose name an order code begins with; null where none is.
  const find = (text) => {
    const key = plain(text);
    const exact = keys.indexOf(key);
    if (exact >= 0) return chips[exact];
    const begins = chips.filter((_, i) => keys[i].length > 4 && key.startsWith(keys[i]));
    return begins.sort((a, b) => plain(b.name).length - plain(a.name).length)[0] ?? null;
  };
  // Names for what has been typed: those that begin so, then those that contain it.
  const suggested = (text, most) => {
    const key = plain(text);
    const first = chips.filter((_, i) => keys[i].startsWith(key));
    const rest = chips.filter((_, i) => keys[i].includes(key) && !keys[i].startsWith(key));
    return [...first, ...rest].slice(0, most).map((chip) => chip.name);
  };

  const chart = (chip, curve) => choices.charts[chip.backend]?.[curve];
  // By kind of code from cycles of the atlas to those of a chip: least, median, largest. Curves of
  // one kind of field have the factors of one that was measured. Empty: nothing was measured.
  const factors = (chip, curve) => choices.factors[chip.like]?.[
    ["x25519", "ed25519"].includes(curve) ? "x25519" : "secp256r1"] ?? {};
  const middle = (of) => {
    const sorted = Object.values(of).map(([, median]) => median).sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? 1;
  };
  // By which part a chip sets kinds of code apart: where it does, much is not predicted.
  const uneven = (chip) => {
    const all = Object.values(choices.factors[chip.like] ?? {}).flatMap((of) => Object.values(of)
      .map(([, median]) => median));
    return all.length ? Math.max(...all) / Math.min(...all) - 1 : 0;
  };
  // By which part the times of a chip are off at most, below and above.
  const spread = (chip, curve) => Object.values(factors(chip, curve)).reduce(
    ([low, high], [least, median, largest]) => [Math.min(low, least / median - 1),
      Math.max(high, largest / median - 1)], [0, 0]);
  const operation = (chip, cycles, stack, ram) => ({ cycles, time_us: cycles * 1e6 / chip.hz,
    stack_bytes: stack, ram_bytes: ram });

  // What the atlas predicts for these operations, each configuration once; then other libraries,
  // whose images have all their operations.
  const setups = (chip, curve, ops, eased) => {
    const columns = chart(chip, curve);
    if (!columns || !chip.hz || !ops.length) return [];
    const wanted = ops.reduce((bits, op) => bits | 1 << columns.ops.indexOf(op), 0);
    const unreached = Object.entries(columns.parts).filter(([mask]) => !(mask & wanted));
    const here = factors(chip, curve);
    const usual = middle(here);
    const factor = columns.code.map((code) => here[columns.codes[code]]?.[1] ?? usual);
    const seen = new Set();
    const own = columns.labels.flatMap((label, row) => {
      const asks = columns.asks[row].filter(([, mask]) => mask & wanted)
        .map(([text]) => choices.asks[text]);
      if ((asks.length && !eased) || (columns.fpu[row] && !chip.fpu)) return [];
      const flash = unreached.reduce((left, [, sizes]) => left - sizes[row], columns.flash[row]);
      const made = Object.fromEntries(columns.ops.map((op, i) => [op, operation(chip,
        Math.round(columns.cycles[i][row] * factor[row]), columns.stack[i][row],
        columns.ram[i][row])]).filter(([op]) => ops.includes(op)));
      const key = JSON.stringify([flash, made, asks]);
      if (seen.has(key)) return [];
      seen.add(key);
      const [preset, ...changes] = label.split(" ");
      return [{ place: row, target: chip.name, curve, label: `ecfit ${label}`,
        short: changes.length ? `${preset} +${changes.length}` : preset, own: true,
        flash_bytes: flash, error_class: chip.error_class, asks, ops: made,
        command: ["ecfit bench", `--target ${chip.name}`, `--curve ${curve}`, "--op all",
          `--preset ${preset}`, ...(changes.length ? [`--set ${changes.join(",")}`] : [])]
          .join(" ") }];
    });
    const there = middle(factors({ like: choices.measured[chip.backend] }, curve));
    const others = peers.filter((peer) => peer.target === choices.measured[chip.backend]
      && peer.curve === curve && ops.every((op) => op in peer.ops))
      .map((peer) => ({ ...peer, place: 1e6 + peer.place, asks: [], error_class: chip.error_class,
        ops: Object.fromEntries(ops.map((op) => [op, operation(chip,
          Math.round(peer.ops[op].cycles * usual / there), peer.ops[op].stack_bytes,
          peer.ops[op].ram_bytes)])) }));
    return [...own, ...others];
  };

  // Of rows those that no other of the same kind beats in every figure, burdens included.
  const best = (rows, ops) => {
    const figures = (setup) => [setup.flash_bytes, fits.total(setup, "stack", ops),
      fits.total(setup, "ram", ops), setup.asks.length, ...ops.map((op) => setup.ops[op].time_us)];
    const all = rows.map((setup) => ({ setup, of: figures(setup) }));
    return all.filter((a) => !a.setup.own || !all.some((b) => b !== a && b.setup.own
      && b.of.every((x, i) => x <= a.of[i]) && b.of.some((x, i) => x < a.of[i])))
      .map((one) => one.setup);
  };

  return { chips, find, suggested, chart, spread, uneven, setups, best,
    timed: (chip) => chip.like in choices.factors,
    curves: (chip) => Object.keys(choices.charts[chip.backend] ?? {}) };
};

// What a day takes from a battery, in mAh: signatures, handshakes and sleep. A handshake is that of
// a TLS 1.3 client: a key pair, a shared secret, two signatures to verify.
const day = {
  calls: ({ signatures, handshakes }) => ({ keygen: handshakes, ecdh: handshakes,
    sign: signatures, verify: 2 * handshakes }),
  charge: (setup, use) => {
    const calls = day.calls(use);
    const hours = Object.entries(setup.ops).reduce((sum, [op, { time_us: us }]) => sum
      + (calls[op] ?? 0) * us / 3.6e9, 0);
    return hours * use.active + (24 - hours) * use.asleep / 1000;
  },
};
