// Behind a cell: every sample, what was counted, and the source. An address opens it, as
// #add_int/ctypes.

const NAMES = { "": "here", idiomatic: "as its documentation shows it", fast: "faster", again: "again",
  beside: "beside torch" };

function contendersOf(row, backend) { // the backend's own, then the C API to compare with
  const own = Object.keys(row.contenders).filter((contender) => contender.split(" ")[0] === backend);
  return backend !== "capi" && row.contenders.capi ? [...own, "capi"] : own;
}

function labelled(contender, backend) {
  return contender.split(" ")[0] === backend ? NAMES[contender.split(" ")[1] ?? ""] : "C API";
}

function strips(row, contenders, backend, width) { // a band for a contender, a lane for a process, a dot for a sample
  const LANE = 9, EDGE = 12;
  const samples = contenders.map((contender) => row.contenders[contender].rounds.map((rounds) =>
    rounds.map((one) => ns((row.contenders[contender].least + one) * row.contenders[contender].unit))));
  const all = samples.flat(2);
  const [least, most] = [Math.min(...all) * 0.9, Math.max(...all) * 1.1];
  const at = (x) => (EDGE + (width - 2 * EDGE) *
    Math.log(Math.max(x, least) / least) / Math.log(most / least)).toFixed(1);
  let y = 0, behind = "", front = "";
  contenders.forEach((contender, i) => {
    const colour = `var(--${contender.split(" ")[0]})`;
    const [middle, low, high] = row.contenders[contender].gross.map((one) => at(ns(one)));
    const top = y + 20;
    y = top + LANE * samples[i].length;
    const dots = samples[i].flatMap((lane, process) => lane.map((one) =>
      `<circle cx="${at(one)}" cy="${top + LANE * (process + 0.5)}" r="2.6"/>`));
    front += `<text y="${top - 6}" fill="currentColor">${labelled(contender, backend)}</text>
      <g fill="${colour}" fill-opacity=".6">${dots.join("")}</g>`;
    behind += `<rect x="${low}" y="${top}" width="${Math.max(1, high - low)}" height="${y - top}"
      fill="${colour}" fill-opacity=".18"/><path d="M${middle} ${top}V${y}" stroke="${colour}"/>`;
    y += 8;
  });
  const steps = most / least > 20 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 6, 8];
  const ticks = [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((n) => steps.map((m) => m * 10 ** n))
    .filter((one) => one >= least && one <= most)
    .map((one) => `<path d="M${at(one)} 0V${y}" stroke="var(--line)" stroke-width=".6"/>
      <text x="${at(one)}" y="${y + 14}" text-anchor="middle" fill="var(--faint)">${short(one)}</text>`);
  return `<svg viewBox="0 0 ${width} ${y + 20}" font-size="12" role="img"
    aria-label="Every sample, a lane for each process">${ticks.join("")}${behind}${front}</svg>`;
}

function table(row, contenders, backend) {
  const none = "–", cells = contenders.map((contender) => {
    const { estimate, gross, instructions, odd, allocations, unknown } = row.contenders[contender];
    const [value, low, high] = estimate.map((one) => short(Math.max(0, ns(one))));
    const copied = allocations?.per_byte;
    return `<tr><th scope="row">${labelled(contender, backend)}</th><td>${unknown ? none : value}</td><td>${low} – ${high}</td><td>${short(ns(gross[0]))}</td>
      <td>${instructions == null ? none : Math.round(Math.max(0, instructions)).toLocaleString("en")}${odd ? ` <small>^ ${odd} × the usual ns per instruction: why?</small>` : ""}</td>
      <td>${allocations ? `${short(allocations.calls)} / ${short(allocations.bytes)} B` : none}</td>
      <td>${copied == null ? none : short(copied)}</td></tr>`;
  });
  return `<div class="wide" tabindex="0"><table><thead><tr><td></td><th scope="col">ns</th><th scope="col">95 % interval</th><th scope="col">whole call</th>
    <th scope="col">instructions</th><th scope="col">allocations</th><th scope="col">copied a byte</th></tr></thead>
    <tbody>${cells.join("")}</tbody></table></div>`;
}

function listing(data, row, backend) {
  return ["", "idiomatic", "fast"].map((variant) => {
    const pieces = data.sources[variant ? `${backend} ${variant}` : backend]?.[row.function];
    if (!pieces || (variant && !row.contenders[`${backend} ${variant}`])) return "";
    const here = row.contenders[backend], other = row.contenders[`${backend} ${variant}`];
    const more = other && ns(other.estimate[0] - here.estimate[0]);
    const says = other && !here.unknown && !other.unknown && ` <small>${short(Math.abs(more))} ns ${more > 0 ? "more" : "less"}</small>`;
    return `<h3>The source, ${NAMES[variant]}${says || ""}</h3>` + pieces.map(([path, text]) =>
      `<small>${escaped(path)}</small><pre tabindex="0"><code>${text}</code></pre>`).join("");
  }).join("");
}

function details(data) {
  const [name, backend] = decodeURIComponent(location.hash.slice(1)).split("/");
  const row = data.rows[name], dialog = $("#details");
  if (!row?.contenders[backend]) return dialog.close();
  const contenders = contendersOf(row, backend);
  dialog.innerHTML = `<form method="dialog"><button aria-label="close">✕</button></form>
    <h2 id="what">${escaped(name)} <small>through ${escaped(backend)}</small></h2>
    <p><code>${escaped(row.signature)}</code>, called as <code>${escaped(row.statement)}</code>${row.note && `; ${escaped(row.note)}`}.</p>
    ${strips(row, contenders, backend, Math.min(640, innerWidth - 40))}<p class="note">Every sample, ns of a whole call; a lane for each process,
    the line the estimate, the band its 95 % interval.</p>${table(row, contenders, backend)}${listing(data, row, backend)}`;
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

unpacked().then((text) => {
  const data = JSON.parse(text);
  offer(data.guide);
  if (map) enliven(data);
  $("#download").href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  $("#details").onclose = () => location.hash && history.replaceState(null, "", " ");
  addEventListener("hashchange", () => details(data));
  details(data);
  root.classList.add("live");
});
