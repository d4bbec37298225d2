"use strict";
// Sorting: a heading's button orders the rows of its table, and reverses them when pressed again.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    const button = heading.querySelector("button");
    if (!button) return;
    button.addEventListener("click", () => {
      const isNumber = heading.dataset.kind !== "text";
      const before = heading.getAttribute("aria-sort");
      // Numbers are looked at from the top, names from A.
      const descending = before ? before === "ascending" : isNumber;
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
      const keyed = [...body.rows].map((row) => {
        const cell = row.cells[column];
        return [row, isNumber ? parseFloat(cell.dataset.value) : cell.textContent.trim()];
      });
      const sign = descending ? -1 : 1;
      keyed.sort(([, a], [, b]) => {
        if (!isNumber) return sign * a.localeCompare(b, undefined, { numeric: true });
        if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b); // unknown ones last
        return sign * (a - b);
      });
      body.append(...keyed.map(([row]) => row));
    });
  });
}
// Filtering: rows whose text holds what was typed.
for (const input of document.querySelectorAll("input.filter")) {
  const rows = [...document.getElementById(input.dataset.table).tBodies[0].rows];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const told = document.getElementById(input.dataset.count);
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    let shown = 0;
    rows.forEach((row, k) => {
      row.hidden = !texts[k].includes(wanted);
      shown += !row.hidden;
    });
    told.textContent = `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} shown`;
  });
}
// Paper shows everything, and a link opens what it points to.
const closed = new Set();
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details:not([open])")) {
    closed.add(details);
    details.open = true;
  }
});
addEventListener("afterprint", () => {
  for (const details of closed) details.open = false;
  closed.clear();
});
const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
};
addEventListener("hashchange", openTarget);
openTarget();
