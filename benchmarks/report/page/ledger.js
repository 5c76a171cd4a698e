// The ledger: what its cells show, their order, and the keys that walk over them.

const map = $("#map");
const lines = map ? $$("tbody tr[id]", map) : [];
const homes = new Map(lines.map((line) => [line, line.parentNode]));
let view = "ns";

function show(data) {
  map.dataset.view = view;
  $("#unit").textContent = VIEWS[view][0];
  for (const line of lines) {
    data.columns.forEach((backend, i) => {
      const cell = line.cells[i + 1], value = valueOf(view, data.rows[line.id], backend);
      cell.textContent = value === null ? "–" : VIEWS[view][2](value, data);
      const alike = TIMED.includes(view) && cell.classList.contains("alike");
      cell.style.setProperty("--h", alike ? 0 : shade(view, data.rows[line.id], backend));
    });
  }
}

function sort(data, heading, order) { // within their groups in the order of the page, or all by one
  for (const other of $$("thead th", map)) other.setAttribute("aria-sort", "none");
  heading.setAttribute("aria-sort", order);
  for (const group of $$(".group", map)) group.hidden = order !== "none";
  const backend = data.columns[heading.cellIndex - 1], sign = order === "ascending" ? 1 : -1;
  const key = (line) => backend ? valueOf(view, data.rows[line.id], backend) ?? Infinity * sign : line.id;
  const sorted = order === "none" ? lines
    : [...lines].sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  for (const line of sorted) (order === "none" ? homes.get(line) : map.tBodies[0]).append(line);
}

function move(event) { // arrows walk over the cells; only one of them is a stop for Tab
  const cell = event.target.closest("tbody td");
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  if (!cell || !step[event.key]) return;
  event.preventDefault();
  const shown = $$("tbody tr[id]", map), [down, right] = step[event.key];
  const next = shown[shown.indexOf(cell.parentNode) + down]?.cells[cell.cellIndex + right];
  if (next?.tagName !== "TD") return;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

function pair(data) { // on a phone the map has room for two of its columns
  const sheet = document.head.appendChild(document.createElement("style"));
  const choices = $$("#pair select"), [first, second] = ["nanobind", "ctypes"].map((name) => data.columns.indexOf(name));
  choices.forEach((choice, i) => {
    choice.append(...data.columns.map((name, at) => new Option(name, at + 2)));
    choice.selectedIndex = Math.max([first, second][i], 0);
    choice.onchange = shown;
  });
  function shown() {
    const others = choices.map(({ value }) => `:not(:nth-child(${value}))`).join("");
    sheet.textContent = `@media (max-width: 40rem) { #map tr:not(.group) :is(th, td):not(:first-child)${others} { display: none; } }`;
  }
  shown();
  const phone = matchMedia("(max-width: 40rem)"), wide = data.columns.length + 1;
  const span = () => { for (const title of $$(".group th", map)) title.colSpan = phone.matches ? 3 : wide; };
  phone.onchange = span;
  span();
}

function enliven(data) {
  pair(data);
  map.setAttribute("role", "grid");
  for (const heading of $$("thead th", map)) {
    heading.innerHTML = `<button type="button">${heading.innerHTML}</button>`;
    heading.setAttribute("aria-sort", "none");
    const next = { none: "ascending", ascending: "descending", descending: "none" };
    heading.onclick = () => sort(data, heading, next[heading.getAttribute("aria-sort")]);
  }
  for (const cell of $$("tbody td", map)) cell.tabIndex = -1;
  lines[0].cells[1].tabIndex = 0;
  const open = (cell) => cell &&
    (location.hash = `${cell.parentNode.id}/${data.columns[cell.cellIndex - 1]}`);
  map.addEventListener("click", (event) => open(event.target.closest("tbody td")));
  map.addEventListener("keydown", (event) => {
    if (event.key === "Enter") open(event.target.closest("tbody td"));
    move(event);
  });
  for (const input of $$("#views input")) {
    input.onchange = () => {
      view = input.value;
      show(data);
      const by = $("[aria-sort$=ascending], [aria-sort$=descending]", map);
      if (by) sort(data, by, by.getAttribute("aria-sort"));
    };
    const known = lines.some((line) =>
      data.columns.some((backend) => valueOf(input.value, data.rows[line.id], backend) !== null));
    input.parentNode.hidden = !known;
  }
}
