import type { ProtocolName } from "@earshot/protocol";
import type { StepKind } from "./step.ts";

/** What every protocol has a word for. */
const COMMON: readonly StepKind[] = ["opened", "task", "call", "event", "closed"];

const SAID: Readonly<Record<ProtocolName, ReadonlySet<StepKind>>> = {
  aaep: new Set([...COMMON, "state", "request", "output", "handoff"]),
  aep: new Set([...COMMON, "request", "subagent", "output", "thought", "plan", "workspace", "compaction", "notification", "error"]),
  aop: new Set([...COMMON, "thought", "goal", "decision", "uncertainty", "subagent", "memory", "external", "notification"]),
};

/** Whether a protocol has a word for such a step: that it is missing says something only then. */
export function canSay(protocol: ProtocolName, kind: StepKind): boolean {
  return SAID[protocol].has(kind);
}
