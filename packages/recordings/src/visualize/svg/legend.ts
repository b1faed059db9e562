import { formatState } from "@earshot/narrate";
import { type Markup, markup } from "../../check/report/markup.ts";
import { readYesOrNo } from "../draw/marks.ts";
import { type RecordingTrace, type StateName, TRACE_STATES } from "../trace.ts";
import { type DrawnPart, WIDTH, widthOf } from "./plot.ts";
import { drawShape } from "./rules-lane.ts";
import { drawSign } from "./span-lane.ts";
import { STATE_FILLS } from "./svg-style.ts";

interface Key {
  readonly label: string;
  readonly draw: (x: number, y: number) => Markup;
}

const LINE = 22;

/** Explains the shapes and fills that occur in the picture. */
export function drawLegend(trace: RecordingTrace, y: number): DrawnPart {
  const keys = [...statesIn(trace).map(stateKey), ...outcomeKeys(trace), ...ruleKeys(trace), ...silenceKeys(trace)];
  let x = 28;
  let line = 0;
  const drawn = keys.map(({ label, draw }) => {
    const width = 30 + widthOf(label, 12) + 22;
    if (x + width > WIDTH - 20) {
      x = 28;
      line++;
    }
    const at = x;
    x += width;
    return markup`<g>${draw(at, y + line * LINE)}<text class="lane" x="${at + 30}" y="${y + line * LINE + 13}">${label}</text></g>`;
  });
  return { markup: markup`<g>${drawn}</g>`, height: keys.length === 0 ? 0 : (line + 1) * LINE + 6 };
}

function statesIn(trace: RecordingTrace): readonly StateName[] {
  return TRACE_STATES.filter((_state, index) =>
    trace.sections.some(
      ({ buckets, state }) =>
        state.count > 0 && buckets.some(({ stateEvents, stateMs }) => (stateEvents[index] ?? 0) > 0 || (stateMs[index] ?? 0) > 0),
    ),
  );
}

function stateKey(state: StateName): Key {
  return {
    label: state === "other" ? "another state" : formatState(state),
    draw: (x, y) => markup`<rect class="box" x="${x}" y="${y + 1}" width="22" height="15" fill="${STATE_FILLS[state]}"/>`,
  };
}

function outcomeKeys({ sections }: RecordingTrace): readonly Key[] {
  const tools = sections.flatMap(({ tools }) => tools.spans ?? []);
  const failed = tools.some(({ outcome }) => outcome === "failed" || outcome === "timeout");
  const isOpen = tools.some(({ open }) => open);
  const answers = new Set(sections.flatMap(({ requests }) => requests.spans ?? []).map(({ answer }) => readYesOrNo(answer)));
  const crosses = [...(failed ? ["failed"] : []), ...(answers.has("no") ? ["refused"] : [])];
  return [
    ...(crosses.length > 0 ? [{ label: crosses.join(" or "), draw: (x: number, y: number) => drawSign("cross", x + 11, y + 8) }] : []),
    ...(answers.has("yes") ? [{ label: "accepted", draw: (x: number, y: number) => drawSign("tick", x + 11, y + 8) }] : []),
    ...(isOpen
      ? [
          {
            label: "no end recorded",
            draw: (x: number, y: number) =>
              markup`<rect class="box open" x="${x}" y="${y + 1}" width="22" height="15" rx="2.5" fill="var(--tool)"/>`,
          },
        ]
      : []),
  ];
}

function ruleKeys({ counts }: RecordingTrace): readonly Key[] {
  const words = { error: "rule broken", warning: "warning", info: "note" } as const;
  return (["error", "warning", "info"] as const)
    .filter((severity) => counts[severity] > 0)
    .map((severity) => ({ label: words[severity], draw: (x, y) => drawShape(severity, x + 11, y + 9) }));
}

function silenceKeys({ sections }: RecordingTrace): readonly Key[] {
  if (!sections.some(({ axis }) => axis.silences.length > 0)) return [];
  return [
    {
      label: "silence, drawn short",
      draw: (x, y) => markup`<path class="break" d="M${x + 5} ${y}l4 5l-4 5l4 5M${x + 13} ${y}l4 5l-4 5l4 5"/>`,
    },
  ];
}
