import { plainName } from "../mapping/compile-mapping.ts";
import type { Answers, HookAnswers } from "./answers.ts";

export interface CompiledAnswers {
  readonly answers: Answers;
  /** What can be said at a hook, however its name is spelled. */
  readonly answersOf: (hook: string) => HookAnswers | undefined;
}

export function compileAnswers(answers: Answers): CompiledAnswers {
  const exact = new Map(answers.hooks.flatMap((hook) => hook.hooks.map((name) => [name, hook] as const)));
  const spelled = new Map([...exact].map(([name, hook]) => [plainName(name), hook]));
  return { answers, answersOf: (name) => exact.get(name) ?? spelled.get(plainName(name)) };
}
