import { findingToProblem, type JudgedProblem } from "../src/finding.ts";
import { createJudge } from "../src/judge.ts";
import type { Protocol } from "../src/protocol.ts";
import type { Recording } from "./defect.ts";
import { readItem } from "./read-item.ts";

export interface ToldProblem extends JudgedProblem {
  readonly at: number;
  readonly sessionId: string | undefined;
}

/** Judges a recording like a file: each item as a line of JSON text, line numbers from 1. */
export function judgeRecording(protocol: Protocol, recording: Recording): ToldProblem[] {
  const told: ToldProblem[] = [];
  const judge = createJudge(protocol, {
    tell: ({ finding, at, sessionId }) => {
      const rule = protocol.rules[finding.rule];
      if (rule === undefined) throw new Error(`No rule ${finding.rule} in the catalogue`);
      told.push({ ...findingToProblem(finding, rule), at, sessionId });
    },
  });
  recording.forEach((item, index) => {
    const { value, facts } = readItem(item);
    judge.handle(protocol.read(value, facts), index + 1, facts);
  });
  judge.end();
  return told;
}
