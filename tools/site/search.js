// Searches the sections of all pages while the reader types. Every word must occur; matches in headings come first.
const MAX_RESULTS = 20;
const input = document.getElementById("search");
const results = document.getElementById("results");
const up = document.body.dataset.up;

input.addEventListener("input", () => show(input.value));
input.form.addEventListener("submit", (event) => event.preventDefault());
input.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  input.value = "";
  show("");
});

function show(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  results.hidden = words.length === 0;
  results.replaceChildren();
  if (words.length === 0) return;
  const found = window.searchIndex
    .map((entry) => ({ entry, rank: rankOf(entry, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank);
  const count = document.createElement("p");
  count.textContent =
    found.length === 0
      ? "No matches"
      : found.length > MAX_RESULTS
        ? `First ${MAX_RESULTS} of ${found.length} matches`
        : `Matches: ${found.length}`;
  const list = document.createElement("ol");
  for (const { entry } of found.slice(0, MAX_RESULTS)) list.append(itemOf(entry, words[0]));
  results.append(count, list);
}

function rankOf({ page, heading, text }, words) {
  const title = `${page} ${heading}`.toLowerCase();
  const body = text.toLowerCase();
  let rank = 0;
  for (const word of words) {
    if (title.includes(word)) rank += 10;
    else if (body.includes(word)) rank += 1;
    else return 0;
  }
  return rank;
}

function itemOf({ page, heading, href, text }, word) {
  const link = document.createElement("a");
  link.href = up + href;
  link.textContent = heading === page ? page : `${page}: ${heading}`;
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 60);
  const snippet = document.createElement("p");
  snippet.textContent = `${at > 0 ? "… " : ""}${text.slice(at, at + 180)}${text.length > at + 180 ? " …" : ""}`;
  const item = document.createElement("li");
  item.append(link, snippet);
  return item;
}
