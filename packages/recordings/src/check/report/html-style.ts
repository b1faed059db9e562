/**
 * The stylesheet of the page. Every pair of text and background has a contrast of at least 4.5 in both color schemes. All lengths are
 * relative, so zoom and a narrow window only make the page longer.
 */
export const HTML_STYLE = `
:root {
  color-scheme: light dark;
  --page: #f7f7f5; --card: #ffffff; --text: #1c2126; --quiet: #4d5761; --line: #d6d9dc; --link: #0b4f9c; --code: #eef0f2;
  --error: #98131b; --error-back: #fdebeb; --warning: #694400; --warning-back: #fdf0d0;
  --info: #0b4a80; --info-back: #e6f0fa; --good: #16562e; --good-back: #e3f3e8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181c; --card: #1c2126; --text: #e7eaed; --quiet: #aab4be; --line: #39424b; --link: #8ec3ff; --code: #2a3138;
    --error: #ffb4b1; --error-back: #4b171b; --warning: #ffd88a; --warning-back: #41300b;
    --info: #acd3ff; --info-back: #14314f; --good: #a6e6bc; --good-back: #143a23;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}
header, main, footer { max-width: 60rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; }
footer { padding-top: 1.5rem; padding-bottom: 3rem; color: var(--quiet); font-size: 0.9rem; }
h1 { margin: 0 0 0.75rem; font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.01em; }
h2 { margin: 2.75rem 0 0.75rem; font-size: 1.3rem; line-height: 1.3; }
h3 { margin: 0; font-size: 1rem; line-height: 1.5; }
p { margin: 0.4rem 0; max-width: 46rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
a:focus-visible, summary:focus-visible { outline: 0.2rem solid var(--link); outline-offset: 0.2rem; border-radius: 0.2rem; }
code { font-family: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: 0.9em; unicode-bidi: isolate; }
h2 code, h3 code { font-size: 0.95em; }
h3 .quiet { font-weight: 400; }
.id { padding: 0.1em 0.35em; border-radius: 0.3em; background: var(--code); user-select: all; -webkit-user-select: all; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
.quote { unicode-bidi: isolate; }
.skip { position: absolute; left: 1rem; top: -10rem; padding: 0.5rem 1rem; background: var(--card); }
.skip:focus { top: 1rem; }
.quiet { color: var(--quiet); }
.verdict { max-width: none; padding: 0.85rem 1.1rem; border-radius: 0.6rem; border: 1px solid; font-weight: 600; }
.badge { display: inline-block; padding: 0.05em 0.6em; border: 1px solid; border-radius: 1em; font-size: 0.85rem; font-weight: 600; white-space: nowrap; }
.error { color: var(--error); background: var(--error-back); }
.warning { color: var(--warning); background: var(--warning-back); }
.info { color: var(--info); background: var(--info-back); }
.good { color: var(--good); background: var(--good-back); }
.finding { margin: 1rem 0; padding: 1rem 1.25rem 1.1rem; border: 1px solid var(--line); border-radius: 0.6rem; background: var(--card); }
.finding h3 { display: flex; flex-wrap: wrap; gap: 0.4rem 0.7rem; align-items: baseline; }
.finding .title { margin-top: 0.6rem; }
dl { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 0.35rem 1rem; margin: 0.85rem 0 0; }
dt { color: var(--quiet); }
dd { margin: 0; }
details { margin-top: 0.85rem; }
summary { width: fit-content; cursor: pointer; color: var(--link); }
table { width: 100%; border-collapse: collapse; background: var(--card); font-size: 0.95rem; }
caption { padding: 0 0 0.5rem; text-align: start; color: var(--quiet); }
details caption { padding-top: 0.6rem; }
th, td { padding: 0.5rem 0.75rem; border: 1px solid var(--line); text-align: start; vertical-align: top; }
thead th { font-weight: 600; overflow-wrap: normal; }
tbody th { font-weight: 400; }
.number { text-align: end; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
ul { margin: 0.6rem 0 0; padding-inline-start: 1.25rem; }
li { margin: 0.3rem 0; }
@media (max-width: 40rem) {
  header { padding-top: 1.5rem; }
  header, main, footer { padding-left: 0.9rem; padding-right: 0.9rem; }
  .finding { padding: 0.85rem 0.9rem 1rem; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dt { margin-top: 0.5rem; font-size: 0.9rem; }
  table, caption, tbody, tr, th, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table { background: none; }
  tr { background: var(--card); margin-bottom: 0.75rem; padding: 0.35rem 0; border: 1px solid var(--line); border-radius: 0.4rem; }
  th, td { padding: 0.2rem 0.75rem; border: 0; }
  td, .number { text-align: start; }
  /* A screen reader already announces the column's header, so the alternative text is empty. */
  td::before { content: attr(data-label) ": "; content: attr(data-label) ": " / ""; color: var(--quiet); }
  td:empty { display: none; }
}
@media print {
  body { background: none; }
  .finding, tr { break-inside: avoid; }
  .skip { display: none; }
}
`;
