import { type JudgedProblem, toProblem } from "../src/finding.ts";
import { readJson } from "../src/json.ts";
import type { Protocol, ReadingFacts } from "../src/protocol.ts";
import type { Recording } from "./defect.ts";

export interface ToldProblem extends JudgedProblem {
  readonly at: number;
  readonly sessionId: string | undefined;
}

/** Judges a recording as a file would be judged: each item as a line of JSON text, line numbers from 1. */
export function judgeRecording(protocol: Protocol, recording: Recording): ToldProblem[] {
  const told: ToldProblem[] = [];
  const judge = protocol.createJudge({
    tell: ({ finding, at, sessionId }) => {
      const rule = protocol.rules[finding.rule];
      if (rule === undefined) throw new Error(`No rule ${finding.rule} in the catalogue`);
      told.push({ ...toProblem(finding, rule), at, sessionId });
    },
  });
  recording.forEach((item, index) => {
    const text = JSON.stringify(item);
    const read = readJson(text);
    if (!read.ok) throw new Error(`Item ${index} is not readable: ${read.problem.message}`);
    const facts: ReadingFacts = { ...read.facts, sizeBytes: text.length };
    judge.hear(protocol.read(item, facts), index + 1, facts);
  });
  judge.end();
  return told;
}
