"use strict";
// What fits a budget, and what of it is best: the rules of `ecfit fit` (ecfit/fit/question.py),
// over the setups of this page.

// A budget: most of `flash`, `stack`, `ram` in bytes, and of `time` by operation in microseconds;
// what is missing has no limit.
const fits = {
  // The deepest, or longest together, of the operations needed.
  total: (setup, aim, ops) => {
    if (aim === "flash") return setup.flash_bytes;
    if (aim === "battery") return setup.battery; // mAh a day
    const of = { time: "time_us", cycles: "cycles", stack: "stack_bytes", ram: "ram_bytes" }[aim];
    const values = ops.map((op) => setup.ops[op][of]);
    return aim === "time" || aim === "cycles" ? values.reduce((a, b) => a + b, 0)
      : Math.max(...values);
  },

  // The limits that a setup exceeds: {name, by}, `by` as a part of the limit.
  excess: (setup, budget, ops) => {
    const found = [];
    const hold = (name, spent, most) => {
      if (most !== undefined && spent > most) found.push({ name, by: spent / most - 1 });
    };
    for (const aim of ["flash", "stack", "ram", "battery"]) {
      hold(aim, fits.total(setup, aim, ops), budget[aim]);
    }
    for (const op of ops) hold(`time ${op}`, setup.ops[op].time_us, budget.time[op]);
    return found;
  },

  // The setups that have all operations needed, the best first: least excess, then least of the
  // aim, then least flash; each with what it exceeds.
  ranked: (setups, budget, ops, aim) => setups
    .filter((setup) => ops.length && ops.every((op) => op in setup.ops))
    .map((setup) => ({ setup, over: fits.excess(setup, budget, ops) }))
    .map((one) => ({ ...one, cost: [one.over.reduce((sum, x) => sum + x.by, 0),
      fits.total(one.setup, aim, ops), one.setup.flash_bytes, one.setup.place] }))
    .sort((a, b) => {
      const differ = a.cost.findIndex((value, i) => value !== b.cost[i]);
      return differ < 0 ? 0 : a.cost[differ] - b.cost[differ];
    }),

  // Of points {flash, time} those that no other beats in both, by flash.
  front: (points) => {
    let least = Infinity;
    return [...points].sort((a, b) => a.flash - b.flash || a.time - b.time)
      .filter((p) => p.time < least && ((least = p.time), true));
  },

  // Round steps from below the least to above the most: eighths of an octave, or of a decade ten.
  steps: (values, bytes) => {
    const parts = bytes ? [1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875]
      : [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
    const base = bytes ? 2 : 10;
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const found = [];
    for (let power = 0; base ** power <= most; power += 1) {
      for (const part of parts) {
        const step = Math.round(part * base ** power);
        if (step >= least * 0.8 && step < most) found.push(step);
      }
    }
    return [...new Set(found)];
  },

  // The command that asks the same of all that there is; `more`: its last option. A battery's life
  // has no option: the least time is asked for.
  command: (target, curve, ops, budget, aim, more) => {
    const words = ["ecfit fit", `--target ${target}`, `--need ${curve}:${ops.join(",")}`];
    for (const name of ["flash", "stack", "ram"]) {
      if (budget[name] !== undefined) words.push(`--${name} ${budget[name]}B`);
    }
    const times = ops.filter((op) => budget.time[op] !== undefined)
      .map((op) => `${op}=${budget.time[op]}us`);
    if (times.length) words.push(`--time ${times.join(",")}`);
    return [...words, `--minimise ${aim === "battery" ? "time" : aim}`, more].join(" ");
  },
};
