/** What a page with two runs side by side needs besides the look of all reports. A row's edge repeats what its mark says. */
export const DIFF_STYLE = `
header, main, footer { max-width: 84rem; }
header dl { grid-template-columns: 2rem minmax(0, 1fr); }
.steps { table-layout: fixed; margin: 0 0 0.75rem; }
.steps caption { padding-top: 0.6rem; font-size: 0.9rem; }
.steps th:first-child { width: 10.5rem; }
.steps td p { margin: 0.15rem 0; max-width: none; }
.steps td p { padding-inline-start: 2.75em; }
.steps .head { font-weight: 600; }
.steps .number { display: inline-block; min-width: 2.25em; margin-inline: -2.75em 0.5em; color: var(--quiet); font-weight: 400; text-align: end; }
.mark { font-weight: 600; white-space: nowrap; }
.sign { display: inline-block; width: 1.1em; font-family: ui-monospace, Menlo, Consolas, monospace; }
tr.alike .mark, tr.alike .head { font-weight: 400; }
tr.alike .mark { color: var(--quiet); }
tr.changed > *, tr.details > * { background: var(--warning-back); }
tr.changed .mark, tr.details .mark, .label { color: var(--warning); }
tr.only-a > th, tr.only-a > td:nth-child(2) { background: var(--error-back); }
tr.only-a .mark { color: var(--error); }
tr.only-b > th, tr.only-b > td:nth-child(3) { background: var(--info-back); }
tr.only-b .mark { color: var(--info); }
.steps tr.changed > th { border-inline-start: 0.3rem double var(--warning); }
.steps tr.details > th { border-inline-start: 0.3rem dotted var(--warning); }
.steps tr.only-a > th { border-inline-start: 0.3rem solid var(--error); }
.steps tr.only-b > th { border-inline-start: 0.3rem dashed var(--info); }
.sums { width: auto; min-width: 30rem; }
.picture { margin: 1rem 0; }
.frame { margin: 0.5rem 0; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.6rem; }
.frame:focus-visible { outline: 0.2rem solid var(--link); outline-offset: 0.2rem; }
.frame img { display: block; width: 100%; min-width: 48rem; height: auto; }
.picture h3 { margin-top: 0.75rem; }
.folded { margin: 0.75rem 0; }
@media (max-width: 40rem) {
  .steps th:first-child { width: auto; }
  .sums { min-width: 0; width: 100%; }
}
@media print {
  .folded > summary { color: inherit; }
  .frame { overflow: visible; border: 0; }
  .frame img { min-width: 0; }
  thead { display: table-header-group; }
}
`;
