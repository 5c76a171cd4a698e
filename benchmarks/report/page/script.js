"use strict";
// What the page cannot do by itself. This file has the theme, the data and how figures are written;
// choose.js has the answer for one case, ledger.js the map's views and order, cell.js what stands
// behind a cell. All end in one script.

const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const root = document.documentElement;
const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

// ---- theme

const store = { // a browser may refuse to remember
  get theme() { try { return localStorage.getItem("theme"); } catch { return null; } },
  set theme(name) { try { localStorage.setItem("theme", name); } catch { /* then not */ } },
};
if (store.theme) root.dataset.theme = store.theme;
$("#theme").hidden = false;
$("#theme").onclick = () => {
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  store.theme = root.dataset.theme = dark ? "light" : "dark";
};

// ---- data

async function unpacked() {
  const packed = Uint8Array.from(atob($("#block").textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

// ---- figures

function short(value) { // as in the tables: at most four characters, or five
  const size = Math.abs(value);
  if (size >= 999500) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 9999.5) return `${Math.round(value / 1e3)}k`;
  return size >= 99.5 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
}
const ns = (seconds) => seconds * 1e9;

const above = (value, floor) => // within the noise floor nothing more is known
  value > floor ? short(value) : floor ? `<${short(floor)}` : "0";

const VIEWS = { // what a cell shows, as a number to sort by, and how it is written
  ns: ["ns above an empty C function of as many arguments", (contender) => contender.unknown ? null : ns(contender.estimate[0]),
    (value, data) => above(value, ns(data.floor[0]))],
  instructions: ["instructions above an empty C function, by callgrind",
    (contender) => contender.instructions === null ? null : Math.max(0, contender.instructions), short],
  ratio: ["times the C API, whole calls", (contender, base) => base && contender.gross[0] / base.gross[0],
    (value) => `${short(value)}×`],
  allocations: ["allocations, each of Python's objects being one",
    (contender) => contender.allocations?.calls, short],
};

const TIMED = ["ns", "ratio"]; // where two backends may not differ measurably

function valueOf(view, row, backend) {
  const contender = row.contenders[backend];
  return (contender && VIEWS[view][1](contender, row.contenders.capi)) ?? null;
}

function shade(view, row, backend) { // of whole calls
  const contender = row.contenders[backend], base = row.contenders.capi;
  if (valueOf(view, row, backend) === null || !base) return 0;
  const whole = { ns: (it) => it.gross[0], ratio: (it) => it.gross[0],
    instructions: (it) => it.counted, allocations: (it) => 1 + (it.allocations?.calls ?? 0) }[view];
  const times = whole(contender) / whole(base);
  return times > 1 ? Math.min(10, Math.round(10 * Math.log(times) / Math.log(50))) : 0;
}
