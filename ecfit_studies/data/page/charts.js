"use strict";
// What the charts look like: specifications for Vega-Lite, and one for Vega.
// Colours are names of the style sheet's, so that dark mode and print need no second drawing.

const ink = { paper: "var(--paper)", text: "var(--ink)", soft: "var(--soft)", grid: "var(--grid)",
  own: "var(--own)", peer: "var(--peer)", out: "var(--out)", front: "var(--front)",
  mark: "var(--mark)" };

const roomy = innerWidth > 700 ? 300 : 150; // for names beside a chart

const look = {
  mark: { aria: false }, // what is drawn stands in a table beside it
  background: null,
  font: "system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, sans-serif", // as page.css
  view: { stroke: null },
  axis: { aria: false, labelColor: ink.soft, titleColor: ink.soft, gridColor: ink.grid,
    domainColor: ink.front, tickColor: ink.front, labelFontSize: 12, titleFontSize: 12,
    titleFontWeight: 500, labelOverlap: true, labelBound: 5, titlePadding: 8 },
  legend: { aria: false, labelColor: ink.text, titleColor: ink.soft, labelFontSize: 12,
    titleFontSize: 12, titleFontWeight: 500, symbolStrokeWidth: 1.5, labelLimit: 0,
    layout: { bottom: { direction: "vertical", anchor: "start", margin: 8 } } },
};

// From 0 by whole steps of 2^n bytes, some six of them.
const steps = (most) => {
  const step = 2 ** Math.ceil(Math.log2(most / 8));
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
};

const counts = "format(datum.value, '~s')";
const sizes = "datum.value >= 1024 ? format(datum.value / 1024, '~r') + ' KiB' " +
  ": datum.value + ' B'";
// Round numbers along an extent, at least four of them where it can be: powers of the base times
// the parts of a row, the coarsest row that is fine enough.
const tenths = (step) => Array.from({ length: 9 / step }, (_, i) => 1 + i * step);
const rounds = {
  2: [[1], [1, 1.5], [1, 1.25, 1.5, 1.75], [1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875]],
  10: [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 4, 5, 7], tenths(0.5), tenths(0.1), tenths(0.02)],
};
const ticks = ([least, most], base) => {
  const along = (parts) => {
    const found = [];
    const first = Math.floor(Math.log(least) / Math.log(base));
    for (let power = first; base ** power <= most; power += 1) {
      found.push(...parts.map((part) => Number((part * base ** power).toPrecision(6))));
    }
    return found.filter((tick) => tick >= least && tick <= most);
  };
  const rows = rounds[base].map(along);
  return rows.find((row) => row.length >= 4) ?? rows.at(-1);
};

const times = "datum.value >= 1000 ? format(datum.value / 1000, '~r') + ' s' " +
  ": format(datum.value, '~r') + ' ms'";

// Where a name may stand, the nearest first: beside a small point, then beside a large one.
const sides = ["right", "left", "top", "bottom", "top-right", "top-left", "bottom-right",
  "bottom-left"];
const rings = [6, 10, 15, 22];
const places = { anchor: rings.flatMap(() => sides),
  offset: rings.flatMap((ring) => sides.map((side) => (side.includes("-") ? ring * 0.8 : ring))) };

const charts = {
  // Time against flash. Data: points {id, name, flash, time, stack, kind, state, order},
  // front {flash, time}, limits {flash} or {time}.
  pareto: (height, timeTitle, flash, time) => ({
    width: "container", height,
    padding: { left: 4, right: 12, top: 6, bottom: 4 },
    autosize: { type: "fit-x", contains: "padding" },
    encoding: {
      x: { field: "flash", type: "quantitative", title: "flash",
        scale: { type: "log", base: 2, nice: false, padding: 28, domain: flash },
        axis: { labelExpr: sizes, values: ticks(flash, 2) } },
      y: { field: "time", type: "quantitative", title: timeTitle,
        scale: { type: "log", nice: false, padding: 24, domain: time },
        axis: { labelExpr: times, values: ticks(time, 10), titleAngle: 0,
          titleAlign: "left", titleX: -44, titleY: -8, titleAnchor: "end",
          titleBaseline: "bottom" } },
    },
    layer: [
      { data: { name: "front" },
        mark: { type: "line", interpolate: "step-after", stroke: ink.front, strokeWidth: 1.5,
          strokeDash: [5, 4] },
        encoding: { order: { field: "flash", type: "quantitative" } } },
      { data: { name: "flashLimit" },
        mark: { type: "rule", stroke: ink.mark, strokeWidth: 1.5, clip: true },
        encoding: { y: null } },
      { data: { name: "timeLimit" },
        mark: { type: "rule", stroke: ink.mark, strokeWidth: 1.5, clip: true },
        encoding: { x: null } },
      { data: { name: "points" }, name: "dots",
        mark: { type: "point", filled: true, cursor: "pointer", opacity: 1,
          tooltip: { content: "data" } },
        encoding: {
          order: { field: "order", type: "quantitative" },
          size: { field: "stack", type: "quantitative", title: "stack",
            scale: { type: "linear", zero: true, range: [25, 620] },
            legend: { orient: "bottom", direction: "horizontal", values: [512, 2048, 8192],
              labelExpr: sizes, symbolFillColor: "transparent", symbolStrokeColor: ink.soft } },
          shape: { field: "kind", type: "nominal", title: null,
            scale: { domain: ["ecfit", "other libraries"], range: ["circle", "diamond"] },
            legend: { orient: "bottom", direction: "horizontal", symbolSize: 110 } },
          fill: { field: "kind", type: "nominal", title: null,
            scale: { domain: ["ecfit", "other libraries"], range: [ink.own, ink.peer] } },
          fillOpacity: { condition: { test: "datum.state == 'out'", value: 0.12 }, value: 0.78 },
          stroke: { condition: [{ test: "datum.state == 'won' || datum.picked", value: ink.mark },
            { test: "datum.state == 'out'", value: ink.out }], value: ink.paper },
          strokeWidth: { condition: { test: "datum.state == 'won' || datum.picked", value: 3 },
            value: 1 },
          tooltip: ["name", "library version", "flash, bytes", "stack, bytes", "RAM, bytes",
            "time, ms", "cycles", "error class", "budget"].map((field) => ({ field })),
        } },
      { data: { name: "points" }, name: "names",
        transform: [{ filter: "datum.short" }],
        mark: { type: "text", fontSize: 12, stroke: ink.paper, strokeWidth: 3,
          fontWeight: { expr: "datum.state == 'won' ? 700 : 400" } },
        encoding: { text: { field: "short" },
          fill: { condition: { test: "datum.state == 'out'", value: ink.soft },
            value: ink.text } } },
    ],
    config: look,
  }),

  // Names stand where no point and no other name is; what is not of the front may go without.
  withLabels: (spec) => {
    const find = (marks) => marks.flatMap((m) => [m, ...(m.marks ? find(m.marks) : [])]);
    const names = find(spec.marks).find((mark) => mark.name && mark.name.includes("names"));
    const dots = find(spec.marks).find((mark) => mark.name && mark.name.includes("dots"));
    names.transform = [{ type: "label", size: { signal: "[max(50, width), max(50, height)]" },
      avoidMarks: [dots.name], padding: 8, ...places,
      sort: { field: "datum.order" } }];
    names.interactive = false;
    return spec;
  },

  // Flash by module. Data: parts {name, part, kind, bytes, place, order}.
  parts: (kinds, colours, names, most) => ({
    width: "container", height: names.length * 24,
    autosize: { type: "fit-x", contains: "padding" },
    data: { name: "parts" },
    mark: { type: "bar", stroke: ink.paper, strokeWidth: 1, tooltip: true },
    encoding: {
      y: { field: "name", type: "nominal", sort: names, title: null,
        axis: { domain: false, ticks: false, labelColor: ink.text, labelLimit: roomy } },
      x: { field: "bytes", type: "quantitative", title: "flash",
        axis: { labelExpr: sizes, values: steps(most), orient: "top" } },
      color: { field: "kind", type: "nominal", sort: kinds, title: null,
        scale: { domain: kinds, range: colours.map((i) => `var(--k${i})`) },
        legend: { orient: "bottom", columns: Math.max(2, Math.floor(innerWidth / 160)) } },
      order: { field: "order", type: "quantitative" },
      tooltip: ["name", "part", "bytes", "of the image"].map((field) => ({ field })),
    },
    config: look,
  }),

  // A handshake in time. Data: moments {by, from, to, what, ms, label, late}, spans without the
  // last two; `late`: near the right end, so that its label stands on the left.
  flights: (sides) => ({
    width: "container", height: 96,
    autosize: { type: "fit-x", contains: "padding" },
    encoding: {
      y: { field: "by", type: "nominal", title: null,
        scale: { domain: [sides[0], "computes", sides[1]] },
        axis: { domain: false, ticks: false, labelColor: ink.text, labelLimit: roomy } },
      x: { field: "from", type: "quantitative", title: "ms", axis: { orient: "top" } },
    },
    layer: [
      { data: { name: "spans" },
        mark: { type: "bar", height: 16, fill: ink.front, stroke: ink.paper, strokeWidth: 1,
          tooltip: true },
        encoding: { x2: { field: "to" },
          tooltip: ["what", "ms"].map((field) => ({ field })) } },
      { data: { name: "moments" },
        mark: { type: "bar", height: 16, tooltip: true },
        encoding: { x2: { field: "to" },
          fill: { field: "by", type: "nominal", legend: null,
            scale: { domain: sides, range: [ink.own, ink.peer] } },
          tooltip: ["what", "ms"].map((field) => ({ field })) } },
      { data: { name: "moments" }, transform: [{ filter: "!datum.late" }],
        mark: { type: "text", align: "left", dx: 5, fontSize: 12, fill: ink.text },
        encoding: { x: { field: "to", type: "quantitative" }, text: { field: "label" } } },
      { data: { name: "moments" }, transform: [{ filter: "datum.late" }],
        mark: { type: "text", align: "right", dx: -5, fontSize: 12, fill: ink.text },
        encoding: { text: { field: "label" } } },
    ],
    config: look,
  }),

  // Stacked bars, one for each name. Data: stack {name, part, order, value, of the whole}.
  stacks: (names, parts, title, labels, values) => ({
    width: "container", height: names.length * 30,
    autosize: { type: "fit-x", contains: "padding" },
    data: { name: "stack" },
    mark: { type: "bar", stroke: ink.paper, strokeWidth: 1, tooltip: true },
    encoding: {
      y: { field: "name", type: "nominal", sort: names, title: null,
        axis: { domain: false, ticks: false, labelColor: ink.text, labelLimit: roomy } },
      x: { field: "value", type: "quantitative", title,
        axis: { orient: "top", labelExpr: labels, ...(values ? { values } : {}) } },
      color: { field: "part", type: "nominal", sort: parts, title: null,
        scale: { domain: parts, range: parts.map((_, i) => `var(--k${(3 * i + 1) % 11})`) },
        legend: { orient: "bottom", columns: Math.max(2, Math.floor(innerWidth / 160)) } },
      order: { field: "order", type: "quantitative" },
      tooltip: ["name", "part", "value", "of the whole"].map((field) => ({ field })),
    },
    config: look,
  }),

  // Modelled to published. Data: rows of `ecfit fidelity`.
  ratios: (targets) => ({
    width: "container", height: targets.length * 26,
    autosize: { type: "fit-x", contains: "padding" },
    encoding: {
      y: { field: "target", type: "nominal", sort: targets, title: null,
        axis: { grid: true, domain: false, ticks: false, labelColor: ink.text } },
    },
    layer: [
      { data: { values: [{ from: 0.9, to: 1.1 }, { from: 0.98, to: 1.02 }] },
        mark: { type: "rect", fill: ink.own, fillOpacity: 0.13 },
        encoding: { y: null, x: { field: "from", type: "quantitative" }, x2: { field: "to" } } },
      { data: { values: [{ at: 1 }] }, mark: { type: "rule", stroke: ink.front },
        encoding: { y: null, x: { field: "at", type: "quantitative" } } },
      { data: { name: "ratios" },
        mark: { type: "point", filled: true, size: 75, opacity: 0.8, tooltip: true },
        encoding: {
          x: { field: "ratio", type: "quantitative",
            title: "modelled to published",
            scale: { type: "log", base: 2, nice: false, padding: 14 },
            axis: { orient: "top", values: [0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 3],
              format: "~r" } },
          fill: { field: "code", type: "nominal", title: null,
            scale: { domain: ["hand-written assembly", "compiled C"], range: [ink.own, ink.peer] },
            legend: { orient: "bottom", symbolSize: 75,
              columns: innerWidth < 500 ? 1 : 2 } },
          shape: { field: "code", type: "nominal", title: null,
            scale: { domain: ["hand-written assembly", "compiled C"],
              range: ["circle", "diamond"] } },
          tooltip: ["target", "library", "curve", "op", "published", "modelled", "unit", "ratio"]
            .map((field) => ({ field })),
        } },
    ],
    config: look,
  }),

  // Cycles by function, callers above callees. Data: frames {id, caller, name, own, total};
  // signals `from` and `to`: the part that is looked at.
  flame: (depth, frames) => ({
    $schema: "https://vega.github.io/schema/vega/v6.json",
    autosize: { type: "fit-x", contains: "padding" },
    height: depth * 22, padding: 0,
    signals: [
      { name: "width", init: "containerSize()[0]",
        on: [{ events: "window:resize", update: "containerSize()[0]" }] },
      { name: "from", value: 0 }, { name: "to", value: 1 },
    ],
    data: [{ name: "frames", values: frames, transform: [
      { type: "stratify", key: "id", parentKey: "caller" },
      { type: "partition", field: "own", sort: { field: "value", order: "descending" },
        size: [1, depth] },
      { type: "formula", as: "share", expr: "datum.own / max(1, datum.total)" },
    ] }],
    scales: [
      { name: "x", type: "linear", domain: [{ signal: "from" }, { signal: "to" }],
        range: "width" },
    ],
    marks: [{ type: "group", clip: true, aria: false,
      encode: { update: { width: { signal: "width" }, height: { signal: "height" } } },
      marks: [
        { type: "rect", name: "boxes", aria: false, from: { data: "frames" }, encode: { update: {
          x: { scale: "x", field: "x0" }, x2: { scale: "x", field: "x1" },
          y: { signal: "datum.depth * 22" }, height: { value: 21 },
          fill: { signal:
            "'color-mix(in srgb, var(--warm) ' + round(100 * datum.share) + '%, var(--cool))'" },
          stroke: { value: ink.paper }, strokeWidth: { value: 1 }, cursor: { value: "pointer" },
          tooltip: { signal: "{'function': datum.name, " +
            "'cycles with callees': format(datum.total, ','), " +
            "'of its own': format(datum.own, ','), 'of all': format(datum.x1 - datum.x0, '.1%')}" },
        } } },
        { type: "text", from: { data: "frames" }, interactive: false, aria: false,
          encode: { update: {
          x: { signal: "scale('x', max(datum.x0, from)) + 5" },
          y: { signal: "datum.depth * 22 + 11" }, baseline: { value: "middle" },
          text: { signal: "scale('x', min(datum.x1, to)) - scale('x', max(datum.x0, from)) > 28 " +
            "? datum.name : ''" },
          limit: { signal: "max(1, scale('x', min(datum.x1, to)) - " +
            "scale('x', max(datum.x0, from)) - 8)" },
          fill: { value: "var(--on-box)" }, fontSize: { value: 12 },
        } } },
      ] }],
    config: look,
  }),
};
