import { counted } from "../story/amounts.ts";
import { protocolLabel } from "../story/phrases.ts";
import type { Comparison } from "./comparison.ts";
import type { Run } from "./step.ts";

/** What a reader has to know besides: what was not compared, and why. */
export function tellNotes({ a, b, unsaid, cut }: Comparison): readonly string[] {
  const notes: string[] = [];
  for (const side of ["a", "b"] as const) {
    const kinds = unsaid.filter((one) => one.side === side).map(({ kind, count }) => `${kind} ${count.toLocaleString("en")}`);
    if (kinds.length === 0) continue;
    const other = (side === "a" ? b : a).protocols.map(protocolLabel).join(" and ");
    notes.push(`Not compared are these steps of ${side.toUpperCase()}, for which ${other} has no word: ${kinds.join(", ")}.`);
  }
  if (cut > 0) {
    notes.push(
      `The runs are too long and too different to be aligned at once: ${counted(cut, "step")} were aligned in pieces, and some may stand apart that belong together.`,
    );
  }
  return [...notes, ...tellRunNotes("A", a), ...tellRunNotes("B", b)];
}

function tellRunNotes(side: string, { unread, dropped }: Run): readonly string[] {
  const left =
    unread === 1
      ? `A line of ${side} is no event of AAEP, AEP or AOP and was`
      : `${counted(unread, "line")} of ${side} are no event of AAEP, AEP or AOP and were`;
  return [
    ...(unread > 0 ? [`${left} left out.`] : []),
    ...(dropped > 0 ? [`${counted(dropped, "step")} at the end of ${side} were not compared: it is too long.`] : []),
  ];
}

/** `claude.jsonl: AEP, 14 steps in 1 session, from 31 events`. */
export function tellRun({ name, protocols, lanes, events }: Run): string {
  const steps = lanes.reduce((sum, lane) => sum + lane.steps.length, 0);
  return `${name}: ${protocols.map(protocolLabel).join(" and ")}, ${counted(steps, "step")} in ${counted(lanes.length, "session")}, from ${counted(events, "event")}`;
}
