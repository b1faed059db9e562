import type { Answers } from "../answers/answers.ts";
import { type CompiledAnswers, compileAnswers } from "../answers/compile-answers.ts";
import { type CompiledMapping, compileMapping } from "../mapping/compile-mapping.ts";
import type { Mapping } from "../mapping/mapping.ts";

/** All that is known about one coding agent, ready for use. */
export interface Agent {
  readonly slug: string;
  readonly mapping: CompiledMapping;
  readonly answers: CompiledAnswers;
}

/** Both files of an agent as plain data. */
export interface AgentData {
  readonly mapping: Mapping;
  readonly answers: Answers;
}

/** For an agent of which only the mapping is known: it is watched, and nothing is said to it. */
export function observingAnswers(agent: string): Answers {
  return { agent, gate: "none", neutral: {}, limits: { message: 10_000, context: 10_000 }, hooks: [] };
}

export function toAgent({ mapping, answers }: AgentData): Agent {
  return { slug: mapping.agent, mapping: compileMapping(mapping), answers: compileAnswers(answers) };
}
