import { type Markup, markup } from "../../check/report/markup.ts";
import type { StateName } from "../trace.ts";

/**
 * The style of the picture. The colors are those of Okabe and Ito, which are distinguishable with any kind of color vision, in tints on
 * which dark text is readable. Every color has its own pattern or shape, so nothing is lost in print or in gray. The style follows the
 * reader's light or dark scheme, and is light on paper.
 */
export const SVG_STYLE = `
.trace { --page: #ffffff; --band: #f5f6f7; --ink: #1c2126; --quiet: #4d5761; --line: #c3c9cf; --grid: #e4e7ea;
  --idle: #ffffff; --thinking: #cfe6f7; --deciding: #f7ecb0; --tool: #7fb6dd; --waiting: #f6cf8b; --output: #a5dcc6; --handing: #e9c4d8; --other: #dcdfe2;
  --stroke: #33414d; --error: #98131b; --warning: #8a5300; --info: #0b4a80; }
@media (prefers-color-scheme: dark) { .trace { --page: #14181c; --band: #1c2126; --ink: #e7eaed; --quiet: #aab4be; --line: #4a545e; --grid: #2b333a;
  --idle: #14181c; --thinking: #26495f; --deciding: #57501f; --tool: #1f5f8c; --waiting: #7a5410; --output: #1d5f48; --handing: #6b3a55; --other: #434c55;
  --stroke: #b9c4ce; --error: #ffb4b1; --warning: #ffd88a; --info: #acd3ff; } }
@media print { .trace { --page: #ffffff; --band: #ffffff; --ink: #000000; --quiet: #333333; --line: #777777; --grid: #dddddd;
  --idle: #ffffff; --thinking: #e3eff9; --deciding: #f7ecb0; --tool: #9fc6e4; --waiting: #f6cf8b; --output: #a5dcc6; --handing: #e9c4d8; --other: #dcdfe2;
  --stroke: #222222; --error: #7a0c13; --warning: #6b4000; --info: #083a66; } }
.trace text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif; fill: var(--ink); }
.trace .mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
.trace .page { fill: var(--page); } .trace .band { fill: var(--band); }
.trace .title { font-size: 20px; font-weight: 650; } .trace .heading { font-size: 15px; font-weight: 650; }
.trace .lane { font-size: 12px; fill: var(--ink); } .trace .small { font-size: 11px; } .trace .quiet { fill: var(--quiet); }
.trace .label { font-size: 11px; paint-order: stroke; stroke: var(--page); stroke-width: 2.5px; stroke-linejoin: round; }
.trace .grid { stroke: var(--grid); stroke-width: 1; } .trace .rule { stroke: var(--line); stroke-width: 1; }
.trace .box { stroke: var(--stroke); stroke-width: 1; } .trace .thin { stroke: var(--stroke); stroke-width: 0.5; }
.trace .open { stroke-dasharray: 3 2; } .trace .glyph { fill: none; stroke: var(--ink); stroke-width: 1.8; stroke-linecap: round; }
.trace .stem { fill: none; stroke: var(--ink); stroke-width: 1.1; }
.trace .tick { stroke: var(--quiet); stroke-width: 1; opacity: 0.55; }
.trace .guide { stroke-width: 1; stroke-dasharray: 2 3; } .trace .guide.error { stroke: var(--error); } .trace .guide.warning { stroke: var(--warning); } .trace .guide.info { stroke: var(--info); }
.trace .mark { stroke-width: 1.6; } .trace .mark.error { fill: var(--error); stroke: var(--error); }
.trace .mark.warning { fill: var(--page); stroke: var(--warning); } .trace .mark.info { fill: var(--page); stroke: var(--info); }
.trace .silence { fill: var(--page); stroke: none; } .trace .break { fill: none; stroke: var(--line); stroke-width: 1.5; }
.trace .area { fill: var(--tool); stroke: var(--stroke); stroke-width: 0.75; } .trace .bars { fill: var(--output); stroke: var(--stroke); stroke-width: 0.4; }
.trace .sub { fill: var(--handing); } .trace .failed { fill: var(--page); }
.trace .texture { stroke: var(--stroke); stroke-width: 0.9; opacity: 0.5; fill: none; } .trace .dot { fill: var(--stroke); opacity: 0.5; }
`;

/** The fill of each state's bar: a tint and a texture that stays visible in gray. */
export const STATE_FILLS: Readonly<Record<StateName, string>> = {
  idle: "var(--idle)",
  thinking: "url(#p-thinking)",
  deciding: "url(#p-deciding)",
  calling_tool: "var(--tool)",
  awaiting_input: "url(#p-waiting)",
  writing_output: "url(#p-output)",
  handing_off: "url(#p-handing)",
  other: "url(#p-other)",
};

/** The tint alone, as a background for text. */
export const TINTS: Readonly<Record<StateName, string>> = {
  idle: "idle",
  thinking: "thinking",
  deciding: "deciding",
  calling_tool: "tool",
  awaiting_input: "waiting",
  writing_output: "output",
  handing_off: "handing",
  other: "other",
};

export const FILLS = { tool: "var(--tool)", waiting: "url(#p-waiting)", output: "url(#p-output)", sub: "url(#p-handing)" } as const;

export const FILL_PATTERNS: Markup = markup`<defs>
<pattern id="p-thinking" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" fill="var(--thinking)"/><circle class="dot" cx="2" cy="2" r="0.9"/><circle class="dot" cx="6" cy="6" r="0.9"/></pattern>
<pattern id="p-deciding" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" fill="var(--deciding)"/><path class="texture" d="M0 8L8 0M-2 2L2 -2M6 10L10 6"/></pattern>
<pattern id="p-waiting" width="10" height="10" patternUnits="userSpaceOnUse"><rect width="10" height="10" fill="var(--waiting)"/><path class="texture" d="M0 0L10 10M-2 8L2 12M8 -2L12 2"/></pattern>
<pattern id="p-output" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="var(--output)"/><path class="texture" d="M0 3H6"/></pattern>
<pattern id="p-handing" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" fill="var(--handing)"/><path class="texture" d="M0 0L8 8M0 8L8 0"/></pattern>
<pattern id="p-other" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" fill="var(--other)"/><path class="texture" d="M3 0V6"/></pattern>
</defs>`;
