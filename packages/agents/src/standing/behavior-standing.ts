import { BEHAVIORS, type Behavior } from "@earshot/protocol/aep";
import { isObject, type JsonValue } from "@earshot/protocol/json";
import type { Answers, HookAnswers } from "../answers/answers.ts";
import { descend } from "../answers/ladder.ts";
import { isList } from "../mapping/value.ts";

/** What can be said at one hook: for each behaviour, a word for how. */
export interface HookBehaviors {
  readonly hooks: readonly string[];
  readonly moment: string;
  readonly behaviors: Readonly<Record<Behavior, string>>;
  readonly updatedInput: string;
  readonly additionalContext: string;
  readonly avoid?: string;
}

export function behaviorsOf({ hooks }: Answers): readonly HookBehaviors[] {
  return hooks.map((hook) => ({
    hooks: hook.hooks,
    moment: hook.moment,
    behaviors: Object.fromEntries(BEHAVIORS.map((behavior) => [behavior, wordFor(behavior, hook)])) as Record<Behavior, string>,
    updatedInput:
      hook.updatedInput === undefined ? "no" : `with ${hook.updatedInput.with.join(", ")}${hook.updatedInput.merges ? "; laid over" : ""}`,
    additionalContext: hook.additionalContext === undefined ? "no" : `with ${hook.additionalContext.with.join(", ")}`,
    ...(hook.avoid === undefined ? {} : { avoid: hook.avoid }),
  }));
}

/** `yes`: said as it is. `silence`: nothing need be said. Otherwise what it becomes. */
function wordFor(behavior: Behavior, hook: HookAnswers): string {
  const reply = hook.replies[behavior];
  if (reply?.headless === true) return `without a person only; else ${descend(behavior, hook, USUAL).behavior}`;
  if (reply?.needsUpdatedInput === true) return `with a changed input only; else ${descend(behavior, hook, USUAL).behavior}`;
  const landing = descend(behavior, hook, USUAL);
  if (landing.behavior === behavior) return landing.reply === undefined ? "silence" : "yes";
  return landing.losses.length === 0 && landing.behavior === "abstain" ? "silence" : landing.behavior;
}

const USUAL = { headless: false, hasUpdatedInput: false };

/** Where in an answer one of the texts stands, as a dotted path: `hookSpecificOutput.updatedInput`. */
export function placesOf(template: JsonValue | undefined, texts: readonly string[], path = ""): readonly string[] {
  if (typeof template === "string") return texts.includes(template) ? [path === "" ? "standard output" : path] : [];
  if (isList(template)) return template.flatMap((item) => placesOf(item, texts, path));
  if (!isObject(template)) return [];
  return Object.entries(template).flatMap(([name, inner]) => placesOf(inner, texts, path === "" ? name : `${path}.${name}`));
}
