// The answer for one case: prices by the kinds in a signature, as `ffi-cookbook cost` adds them up.

const REFUSED = (text) => { throw new Error(text); };

function cut(text, separator) { // at a separator outside brackets and quotes
  const parts = [""];
  let depth = 0, quote = "";
  for (const letter of text) {
    if (quote) quote = letter === quote ? "" : quote;
    else if (letter === "'" || letter === '"') quote = letter;
    else depth += "[({".includes(letter) - "])}".includes(letter);
    if (letter === separator && !depth && !quote) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}

const inside = (text) => cut(text, ",").filter((part) => part);
const isName = (text) => /^[A-Za-z_]\w*$/.test(text) && !["None", "True", "False"].includes(text);
const quoted = (text) => /^b?("[^"]*"|'[^']*')$/.test(text);

function valueKind(text) { // the kind of a literal value, or the value as it is written
  if (quoted(text)) return text[0] === "b" ? "bytes" : "str";
  if (/^[-+]?\d+$/.test(text)) return "int";
  if (/^[-+]?(\d+\.\d*|\.\d+|\d+(?=e))(e[-+]?\d+)?$/i.test(text)) return "float";
  const bracket = { "[": "list", "(": "tuple", "{": text.includes(":") || text === "{}" ? "dict" : "set" };
  return { None: "None", True: "bool", False: "bool" }[text] ?? bracket[text[0]] ?? text;
}

function either(kinds, text) {
  const left = new Set(kinds.filter((kind) => kind !== "None"));
  if (left.size === 2 && left.has("int") && left.has("float")) return "float";
  if (left.has("Buffer") && [...left].every((kind) => kind === "bytes" || kind === "Buffer")) return "Buffer";
  return left.size === 1 ? [...left][0] : text;
}

function typeKind({ aliases, elements }, text) { // the kind that a type belongs to, or the type as it is written
  const kindOf = (part) => typeKind({ aliases, elements }, part);
  if (quoted(text)) return kindOf(text.slice(1, -1));
  const sides = cut(text, "|");
  if (sides.length > 1) return either(sides.map(kindOf), text);
  if (text === "None") return text;
  const [, path, , subscript] = text.match(/^([A-Za-z_][\w.]*)(\s*\[(.*)\])?$/s) ?? REFUSED(`not a type: '${text}'`);
  const word = path.split(".").pop(), within = subscript && inside(subscript);
  if (word === "Union" && within) return either(within.map(kindOf), text);
  if (word === "Literal" && within) return either(within.map(valueKind), text);
  if (["Optional", "Annotated", "Final", "Required", "NotRequired", "ClassVar"].includes(word) && within) {
    return kindOf(within[0]);
  }
  if (within) return elements[aliases[word]]?.[within.join(", ").replace(/[\w.]*\./g, "")] ?? text;
  return aliases[word] ?? text;
}

function argumentKind(guide, text) { // of a type, of an annotated parameter, or of its default
  if (text.startsWith("*")) REFUSED(`no costs of '${text}': name each argument`);
  const [head, fallback] = cut(text, "="), [name, type] = cut(head, ":");
  if (!isName(name)) return typeKind(guide, text);
  if (type) return typeKind(guide, type);
  if (!fallback) return typeKind(guide, name);
  const kind = valueKind(fallback);
  return kind === "None" ? REFUSED(`parameter '${name}' needs a type: its default value is None`) : kind;
}

function parsed(guide, text) {
  const line = text.replace(/^\s*(async\s+)?def\s+|\s*:\s*(\.\.\.|pass)?\s*$/g, "");
  const [, list, given] = line.match(/^\s*\w*\s*\((.*)\)\s*(?:->\s*(.*\S))?\s*$/s)
    ?? REFUSED(`not a signature: '${text}'; write f(int, str) -> float`);
  const pieces = list.trim() ? cut(list, ",") : [];
  if (pieces.slice(0, -1).includes("") || (pieces.at(-1) === "" && !/^\s*def/.test(text))) {
    REFUSED(`an argument is missing in '${text}'`);
  }
  const own = pieces.filter((piece) => !["", "/", "*", "self", "cls"].includes(piece));
  const result = given ? typeKind(guide, given) : "None";
  return [own.map((piece) => argumentKind(guide, piece)), result === "dlpack" ? given : result];
}

function priced(prices, [kinds, result]) { // every part of a call's price, in nanoseconds
  const calls = ["no argument", "arguments"], names = Object.keys(prices);
  const known = names.filter((name) => !name.includes(" ") && !calls.includes(name)).sort();
  const results = names.filter((name) => name.startsWith("-> ")).map((name) => name.slice(3)).sort();
  for (const kind of kinds) {
    if (!known.includes(kind)) REFUSED(`no costs of an argument '${kind}': choose from ${known.join(", ")}`);
  }
  if (!["None", ...results].includes(result)) {
    REFUSED(`no costs of a result '${result}': choose from ${["None", ...results].join(", ")}`);
  }
  const parts = [calls[Math.min(kinds.length, 1)], ...kinds];
  if (result !== "None") parts.push(`-> ${result}`);
  if (["ndarray[f64]", "bytes"].includes(result) && kinds.includes(result)) parts.push(`both ${result}`);
  const paid = {};
  for (const part of parts) paid[part] = (paid[part] ?? 0) + prices[part];
  return paid;
}

function estimates(guide, text) { // by binding: the parts of the price, their sum, and how far off it may be
  const signature = parsed(guide, text), sum = (paid) => Object.values(paid).reduce((all, one) => all + one, 0);
  return Object.entries(guide.backends).map(([name, { parts, ours, off }]) => {
    const paid = priced(parts, signature), ns = sum(paid);
    return { name, paid, ns, ours: sum(priced(ours, signature)), off: Math.max(off.ns, off.fraction * ns), ...guide.technologies[name] };
  }).sort((one, other) => one.ns - other.ns);
}

// ---- the form

const UNNOTICED = 0.01; // of a core
const coded = (text) => escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>");
const share = (part) => part >= 1 ? `${short(part)} cores` : part < 1e-4 ? "< 0.01 %" : `${short(100 * part)} %`;

function chosen(guide, found, { code, rate, needs }) { // the binding, and the reason in words
  const able = found.filter(({ lacks }) => needs.every((need) => !(need in lacks)));
  const [title, tools] = guide.code[code], fit = able.filter((one) => tools.includes(one.name));
  if (!fit.length) return [null, `No binding here is for ${title} and has ${needs.map((need) => guide.needs[need]).join(" and ")}.`];
  const [least] = fit, more = (one) => 1e-9 * rate * (one.ns - least.ns);
  if (fit.length === 1) return [least, `It is the only one here for ${title}${needs.length ? " with what you need" : ""}.`];
  const near = fit.filter((one) => more(one) < UNNOTICED || one.ns - one.off <= least.ns + least.off);
  const [best, ...others] = tools.flatMap((name) => near.filter((one) => one.name === name));
  return [best, others.length
    ? `${others.map((one) => one.name).join(", ")} would do as well: the difference is under 1 % of a core at this rate, or within the error, so speed does not decide. ${best.name} fits ${title} best.`
    : `The next, ${fit[1].name}, takes ${share(more(fit[1]))} more of a core at this rate.`];
}

function row(guide, one, best, rate) {
  const facts = guide.beyond[one.name] ?? [];
  const lacks = Object.values(one.lacks).filter((text) => text !== guide.technologies.capi.lacks.buildless);
  return `<tr${one === best ? " class=best" : ""}><th scope="row"><span class="backend" style="--of: var(--${one.name})">${one.name}</span></th>
    <td>${short(one.ns)} <small>±${short(one.off)}</small></td><td>${short(one.ours)}</td><td>${share(1e-9 * rate * one.ns)}</td>
    ${facts.map(([, value, unit]) => `<td class="aside">${value}${value === "–" ? "" : ` <small>${unit}</small>`}</td>`).join("")}
    <td class="says aside">${coded(lacks.join("; "))}</td></tr>`;
}

function answer(guide) {
  const form = $("#case"), rate = Number(form.rate.value), code = form.code.value;
  const needs = $$("input:checked", form).map((input) => input.value);
  let found;
  try {
    found = estimates(guide, form.signature.value);
  } catch (error) {
    form.signature.setCustomValidity(error.message);
    const [title, tools] = guide.code[code];
    $("#answer").textContent = tools.length > 1 ? "No price for this call" : `Take ${tools[0]}: no price for this call`;
    $("#because").textContent = `${tools.length > 1 ? "" : `It is the only one here for ${title}. `}${error.message}`;
    $("#compared").innerHTML = $("#parts").textContent = "";
    return;
  }
  form.signature.setCustomValidity("");
  const [best, why] = chosen(guide, found, { code, rate, needs });
  $("#answer").innerHTML = best
    ? `Take <span style="color: var(--${best.name})">${best.name}</span>: ${short(best.ns)} ns a call <small>±${short(best.off)}</small>` : "None of these";
  $("#because").innerHTML = coded(best ? `${share(1e-9 * rate * best.ns)} of a core. ${why} Good for ${best.good_for}.` : why);
  $("#parts").textContent = best
    ? Object.entries(best.paid).map(([part, ns]) => `${part} ${short(ns)}`).join(" + ") : "";
  const heads = (Object.values(guide.beyond)[0] ?? []).map(([term]) => `<th class="aside" scope="col">${term}</th>`);
  $("#compared").innerHTML = `<thead><tr><th scope="col">binding</th><th scope="col">ns a call</th><th scope="col">ours</th><th scope="col">of a core</th>
    ${heads.join("")}<th class="aside" scope="col">lacks</th></tr></thead>
    <tbody>${found.map((one) => row(guide, one, best, rate)).join("")}</tbody>`;
}

function offer(guide) {
  const whose = guide.own ? "this run" : "the published run, which ffi-cookbook cost uses too";
  $("#source").textContent = `Prices of ${whose}: ${guide.python}, ${guide.machine}, ${guide.date}.`;
  $("#case").oninput = () => answer(guide);
  $("#case").onsubmit = (event) => event.preventDefault();
  answer(guide);
}
