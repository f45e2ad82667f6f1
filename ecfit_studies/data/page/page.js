"use strict";
// The page at work: choices in, charts and tables out. Each chapter of the page is a function of
// `chapters` that is called once, and fills what has the ids of sections/NAME.html.

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const number = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  const grouped = (value) => (value === null ? "–" : number.format(value));
  const ms = (us) => {
    const value = us / 1000;
    return value >= 1000 ? grouped(value) : String(Number(value.toPrecision(3)));
  };
  const size = (bytes, digits = 2) => (bytes >= 1024
    ? `${Number((bytes / 1024).toFixed(digits))} KiB` : `${bytes} B`);
  const limit = (bytes) => size(bytes, 3); // all of it: a step of a slider is an eighth of 2^n
  const time = (us) => (us >= 1e6 ? `${Number((us / 1e6).toPrecision(3))} s` : `${ms(us)} ms`);
  const called = (aim) => (aim === "ram" ? "RAM" : aim);
  const unique = (values) => [...new Set(values)];
  const short = (setup) => setup.short;
  const all = (op) => (data.mode === "datasheet" ? op : `${op}, flash ${data.mode}`);

  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (value === true) element.setAttribute(key, "");
      else if (value !== false && value !== null) element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  };
  const options = (select, values, chosen) => {
    select.replaceChildren(...values.map(([value, text]) => make("option",
      { value, selected: String(value) === String(chosen) }, text)));
  };
  const table = (id, heads, rows) => {
    const row = (cells, name) => make("tr", {}, ...cells.map((cell, i) => make(name,
      { class: i && heads[i].figure ? "figure" : false, scope: name === "th" ? "col" : false },
      name === "th" ? cell.text : cell)));
    by(id).tHead.replaceChildren(row(heads, "th"));
    by(id).tBodies[0].replaceChildren(...rows.map((cells) => row(cells, "td")));
  };
  const embed = (id, spec, datasets, patch) => vegaEmbed(by(id), { ...spec, datasets },
    { renderer: "svg", actions: false, ast: true, patch }).then((found) => found.view);

  // ---- what is chosen -----------------------------------------------------------------------

  const every = data.choices && chooser(data.choices, data.setups); // of any chip, by the atlas
  const state = { target: every ? "nrf52840" : data.setups[0].target,
    curve: every ? "secp256r1" : data.setups[0].curve, ops: [], eased: false,
    aim: "time", budget: { time: {} }, picked: null, chip: every?.find("nrf52840"), use: null };
  const listeners = [];
  const measured = () => data.setups.filter((s) => s.target === state.target
    && s.curve === state.curve);
  const here = () => (every ? every.setups(state.chip, state.curve, needed(), state.eased)
    .map((setup) => ({ ...setup, battery: state.use ? day.charge(setup, state.use) : 0 }))
    : measured());
  const offered = () => data.ops.filter((op) => (every
    ? every.chart(state.chip, state.curve)?.ops.includes(op)
    : measured().some((s) => op in s.ops)));
  const needed = () => offered().filter((op) => state.ops.includes(op));
  const changed = () => listeners.forEach((listener) => listener());

  const command = (text, what) => {
    const button = make("button", { type: "button", "aria-label": `Copy the command ${what}`,
      onclick: async () => {
        let done = "Copied";
        try { await navigator.clipboard.writeText(text); } catch {
          getSelection().selectAllChildren(button.previousSibling); // to be copied by hand
          done = "Selected";
        }
        button.textContent = done;
        setTimeout(() => { button.textContent = "Copy"; }, 1500);
      } }, "Copy");
    return make("div", { class: "command" }, make("pre", {}, make("code", {}, text)), button);
  };
  const figures = (setup, ops) => make("dl", {}, ...[
    ["flash", size(setup.flash_bytes)],
    ["stack", size(fits.total(setup, "stack", ops))],
    ["RAM", size(fits.total(setup, "ram", ops))],
    ...ops.map((op) => [op, time(setup.ops[op].time_us)]),
    ...(state.use ? [["battery", life(setup.battery)]] : []),
  ].map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
  const card = (element, kind, setup, more, commands) => {
    element.hidden = false;
    element.replaceChildren(make("div", { class: "head" },
      make("div", {}, make("p", { class: "kind" }, kind),
        make("p", { class: "name" }, setup.label), ...more), figures(setup, needed())),
    ...commands);
  };
  const life = (charge) => { // of the battery
    const days = state.use.capacity / charge;
    return days >= 730 ? `${Number((days / 365).toPrecision(2))} years` : `${grouped(days)} days`;
  };
  const measure = (setup, whose) => [make("p", { class: "kind" }, setup.version
    ? `Measure it again (version ${setup.version}, ${setup.compiler}):`
    : "Measure this configuration, with all operations of the curve:"),
  command(setup.command, whose)];
  // What a card says beside the figures: what is asked of the caller, and constant time.
  const notes = (setup) => (every ? [...setup.asks.map((text) => make("p", { class: "kind" },
    `NOTE: ${text}`)), make("p", { class: "kind" }, setup.own
    ? "Constant time: no branch, address or operand of a slow instruction depends on a secret; "
      + "ecfit ct checks your build"
    : "Constant time: not checked here; ecfit ct checks it. Flash is that of all its operations, "
      + `its times follow those kept of the ${setup.target}`)] : []);

  // ---- chapters -----------------------------------------------------------------------------

  const chapters = {
    fits: () => {
      const sliders = [["flash", "Flash"], ["stack", "Stack"], ["ram", "RAM"]];
      const lives = [3650, 1825, 1095, 730, 365, 180, 90, 60, 30, 14, 7]; // days
      const values = (name, op) => data.setups.filter((s) => !op || op in s.ops).map((s) => (op
        ? s.ops[op].time_us : fits.total(s, name, Object.keys(s.ops))));
      const slider = (id, text, steps, format, put, sign = "≤") => {
        const shown = make("output", { for: id }, "no limit");
        const input = make("input", { type: "range", id, min: 0, max: steps.length,
          value: steps.length, "aria-valuetext": "no limit", oninput: () => {
            const step = steps[input.value];
            shown.textContent = step === undefined ? "no limit" : `${sign} ${format(step)}`;
            input.setAttribute("aria-valuetext", shown.textContent);
            input.parentElement.classList.toggle("set", step !== undefined);
            put(step);
            changed();
          } });
        return make("div", { class: "limit" }, make("label", { for: id }, text, shown), input);
      };
      const most = { flash: [512, 1 << 16], stack: [256, 1 << 14], ram: [256, 1 << 14] };
      const sizesOf = (name) => fits.steps(every ? most[name] : values(name), true);
      const timesOf = (op) => fits.steps(every ? [500, 1e8] : values("time", op), false);
      by("limits").replaceChildren(
        ...sliders.map(([name, text]) => slider(`limit-${name}`, text, sizesOf(name), limit,
          (step) => { state.budget[name] = step; })),
        ...data.ops.map((op) => slider(`limit-${op}`, `Time of ${op}`, timesOf(op), time,
          (step) => { state.budget.time[op] = step; })),
        ...(every ? [slider("limit-battery", "Battery", lives, (days) => (days >= 365
          ? `${days / 365} years` : `${days} days`), (step) => { state.days = step; }, "≥")] : []));
      by("reset").addEventListener("click", () => {
        for (const input of by("limits").querySelectorAll("input")) {
          input.value = input.max;
          input.dispatchEvent(new Event("input"));
        }
      });

      const names = (field) => unique(data.setups.map((s) => s[field])).map((n) => [n, n]);
      const curves = () => (every ? every.curves(state.chip)
        : unique(data.setups.filter((s) => s.target === state.target).map((s) => s.curve)));
      const offer = () => {
        options(by("curve"), curves().map((name) => [name, name]), state.curve);
        const kept = offered().filter((op) => every && state.ops.includes(op));
        state.ops = kept.length ? kept : offered();
        by("needed").replaceChildren(by("needed").firstElementChild, ...offered().map((op) =>
          make("label", {}, make("input", { type: "checkbox", value: op,
            checked: state.ops.includes(op),
            onchange: (event) => {
              state.ops = event.target.checked ? [...state.ops, op]
                : state.ops.filter((other) => other !== op);
              changed();
            } }), op)));
        state.picked = null;
        changed();
      };
      const other = (target) => {
        state.target = target;
        if (!curves().includes(state.curve)) state.curve = curves()[0] ?? state.curve;
        offer();
      };
      if (!every) {
        options(by("target"), names("target"), state.target);
        by("target").addEventListener("change", (event) => other(event.target.value));
      }
      by("curve").addEventListener("change", (event) => {
        state.curve = event.target.value;
        offer();
      });
      by("aim").addEventListener("change", (event) => {
        state.aim = event.target.value;
        changed();
      });
      for (const form of document.forms) {
        form.addEventListener("submit", (event) => event.preventDefault());
      }

      const budget = () => (every ? { ...state.budget,
        flash: Math.min(state.budget.flash ?? Infinity, state.chip.flash),
        ram: Math.min(state.budget.ram ?? Infinity, state.chip.ram),
        battery: state.use && state.days ? state.use.capacity / state.days : undefined }
        : state.budget);
      const drawn = { about: null, view: null };
      let points = [];
      const pick = (place) => { state.picked = place; changed(); };
      const draw = () => {
        const setups = here();
        const listed = fits.ranked(setups, budget(), needed(), state.aim);
        const won = listed.find((one) => !one.over.length);
        const kept = every && new Set([...every.best(setups, needed()), won?.setup,
          listed.find((one) => one.setup.place === state.picked)?.setup]);
        const ranked = every ? listed.filter((one) => kept.has(one.setup)) : listed;
        points = ranked.map(({ setup, over }) => ({
          id: setup.place, name: setup.label, flash: setup.flash_bytes,
          time: fits.total(setup, "time", needed()) / 1000,
          stack: fits.total(setup, "stack", needed()),
          kind: setup.own ? "ecfit" : "other libraries",
          state: over.length ? "out" : setup === won?.setup ? "won" : "fits",
          picked: setup.place === state.picked,
          "library version": setup.version ?? "", "error class": setup.error_class,
          "flash, bytes": grouped(setup.flash_bytes),
          "stack, bytes": grouped(fits.total(setup, "stack", needed())),
          "RAM, bytes": grouped(fits.total(setup, "ram", needed())),
          "time, ms": ms(fits.total(setup, "time", needed())),
          cycles: grouped(fits.total(setup, "cycles", needed())),
          budget: over.length ? `exceeds ${over.map((x) => x.name).join(", ")}` : "kept",
        }));
        const front = fits.front(points);
        const names = new Map(ranked.map(({ setup }) => [setup.place, short(setup)]));
        for (const point of points) {
          const first = point.state === "won" ? 0 : front.includes(point) ? 1
            : point.state === "fits" ? 2 : 3;
          point.order = first;
          point.short = names.get(point.id);
        }
        const count = ranked.filter((one) => !one.over.length).length;
        by("pareto-caption").textContent = `${state.curve} on ${state.target}: time of `
          + `${all(needed().join(" + "))} against flash; size: stack`;
        show(front);
        tell(ranked, won, count);
        list(ranked, won);
        for (const op of data.ops) {
          by(`limit-${op}`).closest(".limit").hidden = !needed().includes(op);
        }
        if (every) by("limit-battery").closest(".limit").hidden = !state.use;
      };

      // Another chip, curve or operation makes another chart; a budget only changes its data.
      const show = async (front) => {
        const most = state.budget.time[needed()[0]];
        const datasets = { points, front,
          flashLimit: state.budget.flash ? [{ flash: state.budget.flash }] : [],
          timeLimit: needed().length === 1 && most ? [{ time: most / 1000 }] : [] };
        const about = [state.target, state.curve, ...needed(), state.eased, state.chip?.hz].join();
        if (about === drawn.about) {
          const view = await drawn.view;
          for (const [name, rows] of Object.entries(datasets)) view.data(name, rows);
          return view.runAsync();
        }
        if (!points.length) {
          drawn.about = null;
          return by("pareto").replaceChildren();
        }
        const extent = (name) => [Math.min, Math.max].map((f) => f(...points.map((p) => p[name])));
        drawn.about = about;
        drawn.view = embed("pareto", charts.pareto(innerWidth < 700 ? 340 : 430, "time",
          extent("flash"), extent("time")), datasets, charts.withLabels);
        (await drawn.view).addEventListener("click", (event, item) => {
          if (item?.datum?.id !== undefined) pick(item.datum.id);
        });
        return drawn.view;
      };
      const tell = (ranked, won, count) => {
        const element = by("winner");
        const opened = element.querySelector("details")?.open;
        const asking = (more) => command(fits.command(state.target, state.curve, needed(),
          state.budget, state.aim, more), "of the search");
        const commands = (setup) => (every ? [...notes(setup),
          make("p", { class: "kind" }, "Predicted. This measures it and writes the files:"),
          asking("-o DIR")] : [make("details", { open: Boolean(opened) },
          make("summary", {}, "Commands"), ...measure(setup, "of this configuration"),
          make("p", { class: "kind" }, "Ask the same of every setting there is:"),
          asking("--lib all"))]);
        if (!ranked.length) {
          element.replaceChildren(make("p", { class: "name" }, "Nothing to choose from"),
            make("p", {}, !needed().length && offered().length ? "Tick an operation."
              : every ? nothing() : "No configuration here has all these operations."));
        } else if (won) {
          card(element, `Winner: the least ${called(state.aim)} of the `
            + `${count} that fit, of ${ranked.length}`, won.setup, [], commands(won.setup));
        } else {
          const [nearest] = ranked;
          const gives = nearest.over.map(({ name }) => {
            const [aim, op] = name.split(" ");
            if (aim === "battery") return `a battery life of ${life(nearest.setup.battery)}`;
            return op ? `${time(nearest.setup.ops[op].time_us)} for ${op}`
              : `${size(fits.total(nearest.setup, aim, needed()))} of ${called(aim)}`;
          });
          card(element, `None of the ${ranked.length} fits; the nearest`, nearest.setup,
            [make("p", {}, `would fit with ${gives.join(", ")}`)], commands(nearest.setup));
        }
        const picked = ranked.find((one) => one.setup.place === state.picked);
        by("picked").hidden = !picked;
        if (picked) {
          card(by("picked"), "Selected", picked.setup, notes(picked.setup),
            measure(picked.setup, "of the selected"));
        }
      };
      const list = (ranked, won) => {
        const ops = needed();
        const heads = ["configuration", ...ops.map((op) => `${op} ms`), "flash B", "stack B",
          "RAM B", "class"];
        const marked = (over, name, text) => (over.some((x) => x.name === name) ? `× ${text}`
          : text);
        by("setups").tHead.replaceChildren(make("tr", {}, ...heads.map((text, i) => make("th",
          { scope: "col", class: i && i < heads.length - 1 ? "figure" : false }, text))));
        by("setups").tBodies[0].replaceChildren(...ranked.map(({ setup, over }) => make("tr",
          { class: [setup.own ? "own" : "peer", over.length ? "out" : "",
            setup === won?.setup ? "won" : ""].filter(Boolean).join(" ") },
          make("td", {}, make("button", { type: "button", "data-place": setup.place,
            "aria-pressed": String(setup.place === state.picked), onclick: () => {
              pick(setup.place);
              by("setups").querySelector(`[data-place="${setup.place}"]`).focus();
            } }, setup.label)),
          ...ops.map((op) => make("td", { class: "figure" },
            marked(over, `time ${op}`, ms(setup.ops[op].time_us)))),
          ...["flash", "stack", "ram"].map((aim) => make("td", { class: "figure" },
            marked(over, aim, grouped(fits.total(setup, aim, ops))))),
          make("td", {}, setup.error_class ?? "–"))));
      };

      // The chip by its name, its clock and currents; `other`: what follows when it is another.
      const chip = (other) => {
        const say = () => {
          const { name, core, flash, ram, like, error } = state.chip;
          const [low, high] = every.spread(state.chip, state.curve)
            .map((part) => Math.round(100 * part));
          const uneven = Math.round(100 * every.uneven(state.chip));
          const times = !every.timed(state.chip) ? "times without the wait states of its flash"
            : uneven < 15 ? `times, as those of the ${like}, within ${Math.min(low, -2)} and `
              + `+${Math.max(high, 2)} %` : `times as those of the ${like}, where kinds of code `
              + `differ by ${uneven} %, so that a single one may be that far off`;
          by("chip-says").textContent = error ? `${name}: ${error}` : `${name}: ${core}, `
            + `${size(flash)} of flash, ${size(ram)} of RAM, class ${state.chip.error_class}. `
            + `Predicted: flash mostly within 2 %, at worst 7 %, ${times}`;
        };
        const put = (input, value) => { input.value = value || ""; };
        const use = () => {
          const [signatures, handshakes, active, asleep, capacity] = ["signatures", "handshakes",
            "active", "asleep", "capacity"].map((id) => Number(by(id).value));
          const known = active > 0 && by("asleep").value !== "" && capacity > 0;
          state.use = known && (signatures || handshakes) ? { signatures, handshakes, active,
            asleep, capacity } : null;
          const lacks = [[active, "its current while it computes"],
            [by("asleep").value, "its sleep current"]].filter(([value]) => !value)
            .map(([, text]) => text);
          const calls = day.calls({ signatures, handshakes });
          const missing = Object.keys(calls).filter((op) => calls[op] && offered().includes(op)
            && !needed().includes(op));
          by("battery-says").textContent = !signatures && !handshakes ? ""
            : lacks.length ? `Enter ${lacks.join(" and ")}: the data sheet of ${state.chip.name} `
              + "has them" : missing.length ? `Not counted, since not ticked above: ${
              missing.join(", ")}` : "Signatures and handshakes (a key pair, a shared secret, two "
              + "verifications) and sleep; no radio, no self-discharge";
          changed();
        };
        by("target").addEventListener("input", () => {
          by("chips-known").replaceChildren(...every.suggested(by("target").value, 40)
            .map((value) => make("option", { value })));
        });
        const take = () => {
          const found = every.find(by("target").value);
          if (!found) {
            const near = every.suggested(by("target").value, 8).join(", ");
            by("chip-says").textContent = near ? `Name one: ${near}. Below is ${state.chip.name}`
              : `No chip is known here by that name. Below is ${state.chip.name}`;
            return;
          }
          state.chip = { ...found };
          put(by("clock"), found.hz / 1e6);
          put(by("active"), found.active);
          put(by("asleep"), found.asleep);
          other(found.name);
          say();
          use();
        };
        by("target").addEventListener("change", take);
        by("clock").addEventListener("change", () => {
          state.chip.hz = Math.max(0, Number(by("clock").value)) * 1e6;
          changed();
        });
        by("eased").addEventListener("change", (event) => {
          state.eased = event.target.checked;
          changed();
        });
        for (const input of by("battery").querySelectorAll("input")) {
          input.addEventListener("input", use);
        }
        listeners.push(() => {
          const about = [state.curve, ...needed()].join();
          if (state.about === about) return;
          state.about = about;
          say();
          use();
        });
        by("target").value = state.chip.name;
        put(by("clock"), state.chip.hz / 1e6);
        put(by("active"), state.chip.active);
        put(by("asleep"), state.chip.asleep);
        say();
      };
      const nothing = () => state.chip.error || (state.chip.hz ? "The atlas has no rows of this "
        + `curve for the ${state.chip.core}: ecfit fit searches.`
        : `Enter the clock of the ${state.chip.name}: it is not known here.`);

      by("pareto").addEventListener("keydown", (event) => {
        if (event.key === "Escape") pick(null);
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (!step || !points.length) return;
        event.preventDefault();
        const order = [...points].sort((a, b) => a.flash - b.flash || a.id - b.id);
        const at = order.findIndex((p) => p.id === state.picked);
        pick(order[at < 0 ? 0 : (at + step + order.length) % order.length].id);
      });
      if (every) chip(other);
      listeners.push(draw);
      offer();
      return drawn.view;
    },

    flash: () => {
      const draw = () => {
        const setups = here().filter((s) => data.parts[s.place]?.length)
          .sort((a, b) => a.flash_bytes - b.flash_bytes);
        const rows = setups.flatMap((s) => data.parts[s.place].map((part, order) => ({
          name: short(s), part: part.name, kind: part.kind, bytes: part.bytes, order,
          "of the image": `${(100 * part.bytes / s.flash_bytes).toFixed(1)} %`,
        })));
        const kinds = data.kinds.filter((kind) => rows.some((row) => row.kind === kind));
        by("parts-caption").textContent = `Flash of ${state.curve} on ${state.target}, all `
          + "operations, by module";
        table("parts-table", [{ text: "configuration" }, { text: "module" },
          { text: "bytes", figure: true }, { text: "of the image", figure: true }],
        rows.map((row) => [row.name, row.part, grouped(row.bytes), row["of the image"]]));
        const colours = kinds.map((kind) => data.kinds.indexOf(kind));
        const most = Math.max(...setups.map((s) => s.flash_bytes));
        if (!rows.length) return by("parts").replaceChildren();
        return embed("parts", charts.parts(kinds, colours, setups.map(short), most),
          { parts: rows });
      };
      return again(draw, () => [state.target, state.curve]);
    },

    cycles: () => {
      let view = null;
      const graph = () => data.cycles[by("flame-setup").value]?.[by("flame-op").value] ?? [];
      const offer = () => {
        const setups = here().filter((s) => s.place in data.cycles);
        options(by("flame-setup"), setups.map((s) => [s.place, s.label]));
        if (setups.length) return operations();
        by("flame-caption").textContent = "";
        by("flame-table").tBodies[0].replaceChildren();
        return by("flame").replaceChildren();
      };
      const operations = () => {
        const ops = Object.keys(data.cycles[by("flame-setup").value] ?? {});
        options(by("flame-op"), ops.map((op) => [op, op]), by("flame-op").value);
        return draw();
      };
      const zoom = (box) => view.signal("from", box.x0).signal("to", box.x1).runAsync();
      const draw = () => {
        const rows = graph().map(([caller, name, own], id) => ({ id, own,
          caller: caller < 0 ? null : caller, name: data.functions[name] }));
        const depth = [];
        for (const row of rows) depth[row.id] = row.caller === null ? 1 : depth[row.caller] + 1;
        for (const row of rows) row.total = row.own;
        for (const row of [...rows].reverse()) {
          if (row.caller !== null) rows[row.caller].total += row.total;
        }
        const whole = rows.reduce((sum, row) => sum + row.own, 0);
        const setup = data.setups[by("flame-setup").value];
        by("flame-caption").textContent = `${setup.label}, ${by("flame-op").value} on `
          + `${state.target}: ${grouped(whole)} cycles by function`;
        return embed("flame", charts.flame(Math.max(1, ...depth), rows)).then((found) => {
          view = found;
          view.addEventListener("click", (event, item) => item?.datum?.x1 && zoom(item.datum));
          dearest(whole);
        });
      };
      const dearest = (whole) => {
        const boxes = view.data("frames");
        const own = new Map();
        for (const box of boxes) {
          const sum = own.get(box.name) ?? { own: 0, box };
          own.set(box.name, { own: sum.own + box.own,
            box: box.total > sum.box.total ? box : sum.box });
        }
        const rows = [...own].sort((a, b) => b[1].own - a[1].own).slice(0, 25);
        table("flame-table", [{ text: "function" }, { text: "cycles of its own", figure: true },
          { text: "of all", figure: true }], rows.map(([name, { own: sum, box }]) => [
          make("button", { type: "button", onclick: () => zoom(box) }, name), grouped(sum),
          `${(100 * sum / whole).toFixed(1)} %`]));
      };
      by("flame-setup").addEventListener("change", operations);
      by("flame-op").addEventListener("change", draw);
      by("flame-whole").addEventListener("click", () => zoom({ x0: 0, x1: 1 }));
      return again(offer, () => [state.target, state.curve]);
    },

    tls: () => {
      const rows = data.handshakes;
      const words = (name) => name.replaceAll("_", " ");
      const chosen = () => rows.filter((row) => row.connection === by("tls-connection").value
        && row.target === by("tls-chip").value);
      const names = (field, of) => unique(of.map((row) => row[field])).map((name) => [name, name]);
      const usual = (field, value) => (rows.some((row) => row[field] === value) ? value
        : rows[0][field]);
      options(by("tls-connection"), names("connection", rows), usual("connection", "tls1.3-ecdsa"));
      const chips = () => {
        const of = rows.filter((row) => row.connection === by("tls-connection").value);
        const had = by("tls-chip").value || usual("target", "nrf52840");
        options(by("tls-chip"), names("target", of), had);
        return backends();
      };
      const backends = () => {
        options(by("tls-backend"), names("backend", chosen()),
          by("tls-backend").value || "ecfit-fast");
        return draw();
      };
      const what = (flight) => `${flight.by} sends ${grouped(flight.bytes)} bytes`;
      const flights = () => {
        const row = chosen().find((one) => one.backend === by("tls-backend").value);
        const sides = ["client sends", "client reads"];
        const moments = row.flights.map((f) => ({ by: sides[f.by === "client" ? 0 : 1],
          what: what(f), from: f.begin_ms, to: Math.max(f.end_ms, f.begin_ms + row.ms / 150),
          ms: `${ms(1000 * f.begin_ms)} to ${ms(1000 * f.end_ms)}`, label: `${f.bytes} B`,
          late: f.begin_ms > 0.7 * row.ms }));
        const edges = [0, ...row.flights.map((f) => f.begin_ms), row.ms];
        const spans = edges.slice(1).map((to, i) => ({ by: "computes", from: edges[i], to,
          ms: ms(1000 * (to - edges[i])), what: i === 0 ? "before the first flight"
            : `from the begin of flight ${i}` })).filter((span) => span.to > span.from);
        by("tls-flights-caption").textContent = `${row.connection} with ${row.backend} on `
          + `${row.target}: flights and computation, ${ms(1000 * row.ms)} ms`;
        table("tls-flights-table", [{ text: "flight" }, { text: "from, ms", figure: true },
          { text: "to, ms", figure: true }], row.flights.map((f) => [what(f),
          ms(1000 * f.begin_ms), ms(1000 * f.end_ms)]));
        return embed("tls-flights", charts.flights(sides),
          { moments, spans });
      };
      const stacked = (id, field, caption, title, labels, factor) => {
        const parts = Object.keys(chosen()[0][field]);
        const all = unique(chosen().flatMap((row) => Object.keys(row[field])));
        const order = [...parts, ...all.filter((name) => !parts.includes(name))].map(words);
        const stack = chosen().flatMap((row) => Object.entries(row[field]).map(([name, value]) => ({
          name: row.backend, part: words(name), order: order.indexOf(words(name)), value,
          "of the whole": `${(100 * value / row[factor]).toFixed(1)} %` })));
        by(`${id}-caption`).textContent = caption;
        const most = Math.max(...chosen().map((row) => row[factor]));
        return embed(id, charts.stacks(chosen().map((row) => row.backend), order, title, labels,
          field === "flash" ? steps(most) : null), { stack });
      };
      const draw = () => {
        const [{ connection, target }] = chosen();
        const where = `${connection} on ${target}`;
        const cells = (field, unit, format) => chosen().flatMap((row) => Object.entries(row[field])
          .map(([name, value]) => [row.backend, words(name), format(value), unit]));
        table("tls-parts-table", [{ text: "elliptic curves" }, { text: "phase or origin" },
          { text: "amount", figure: true }, { text: "unit" }], [
          ...cells("phases", "ms", (value) => ms(1000 * value)), ...cells("flash", "B", grouped)]);
        return Promise.all([flights(),
          stacked("tls-time", "phases", `${where}: time of the handshake by phase`, "time", times,
            "ms"),
          stacked("tls-flash", "flash", `${where}: flash of the client by origin`, "flash", sizes,
            "flash_bytes")]);
      };
      by("tls-connection").addEventListener("change", chips);
      by("tls-chip").addEventListener("change", backends);
      by("tls-backend").addEventListener("change", flights);
      return chips();
    },

    fidelity: () => {
      const rows = data.fidelity.map((row) => ({ ...row, target: row.earned_class
        ? `${row.target}, class ${row.earned_class}` : row.target,
        code: row.code === "asm" ? "hand-written assembly" : "compiled C" }));
      return embed("ratios", charts.ratios(unique(rows.map((row) => row.target))),
        { ratios: rows });
    },
  };

  // Draws now, and again when what it depends on has changed.
  const again = (draw, on) => {
    let last = on().join();
    listeners.push(() => {
      if (on().join() !== last) {
        last = on().join();
        draw();
      }
    });
    return draw();
  };

  const ready = Promise.all(Object.entries(chapters).filter(([name]) => by(name))
    .map(([, start]) => start()));
  ready.then(() => document.documentElement.setAttribute("data-ready", ""));
})();
