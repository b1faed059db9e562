import { BEHAVIORS, type Behavior } from "@earshot/protocol/aep";
import { isObject, type JsonValue } from "@earshot/protocol/json";
import type { Answers, HookAnswers } from "../answers/answers.ts";
import { descend } from "../answers/ladder.ts";
import { isList } from "../mapping/json-values.ts";
import type { FieldRule, MappingEntry, ValueRule } from "../mapping/mapping.ts";

/**
 * Where a field comes from: `supplied` by the agent; `inferred` from what the agent supplies, or made by Earshot; `missing`.
 */
export type Standing = "supplied" | "inferred" | "missing";

export interface FieldStanding {
  readonly standing: Standing;
  /** Where from, in few words. */
  readonly from: readonly string[];
}

/** Transforms that draw a conclusion instead of handing on what is there. */
const CONCLUSIONS: ReadonlySet<string> = new Set(["tool_type", "provider_from_model", "status_from_bool"]);

/** What Earshot fills in by itself, and how. */
const MADE: Readonly<Record<string, string>> = {
  id: "made by Earshot",
  time: "when it was received",
  "agent.slug": "the mapping file",
  "agent.display_name": "the mapping file",
  "response.request_event_id": "kept by Earshot",
};

export function standingOf(field: string, entry: MappingEntry): FieldStanding {
  if (field === "type") return { standing: "supplied", from: ["the hook's name"] };
  const rules = entry.fields.filter(({ path }) => path === field || path.startsWith(`${field}.`));
  const promised = rules.filter(({ unconfirmed }) => unconfirmed !== true);
  const supplied = promised.flatMap(suppliedFrom);
  if (supplied.length > 0) return { standing: "supplied", from: supplied };
  const inferred = promised.flatMap(inferredFrom);
  if (inferred.length > 0) return { standing: "inferred", from: inferred };
  const made = MADE[field] ?? inferredByEngine(field, entry);
  if (made !== undefined) return { standing: "inferred", from: [made] };
  const looked = rules.flatMap(suppliedFrom);
  return { standing: "missing", from: looked.length === 0 ? [] : [`not documented; looked for at ${looked.join(", ")}`] };
}

function inferredByEngine(field: string, { type, fields }: MappingEntry): string | undefined {
  const isAction = type.startsWith("action.");
  if (field === "action.id" && isAction) return "derived from session, turn, tool and input";
  if (field === "action.type" && isAction) return "the kind of what is named";
  if (field === "tool.type" && fields.some(({ path }) => path === "tool.name")) return "the tool's name";
  return field === "action.status" && (type === "action.completed" || type === "action.failed") ? "the hook's name" : undefined;
}

function suppliedFrom({ rules }: FieldRule): readonly string[] {
  return rules
    .filter((rule) => rule.value === undefined && !concludes(rule))
    .flatMap(({ sources, concat }) => concat?.join(" + ") ?? sources ?? []);
}

function inferredFrom({ rules }: FieldRule): readonly string[] {
  return rules.flatMap((rule) => {
    if (rule.value !== undefined) return [`always ${JSON.stringify(rule.value)}`];
    return concludes(rule) ? [`from ${(rule.sources ?? []).join(", ")}`] : [];
  });
}

function concludes({ map, transforms = [] }: ValueRule): boolean {
  return map !== undefined || transforms.some(({ name }) => CONCLUSIONS.has(name));
}

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

const USUAL = { asks: true, headless: false, hasUpdatedInput: false };

/** Where in an answer one of the texts stands, as a dotted path: `hookSpecificOutput.updatedInput`. */
export function placesOf(template: JsonValue | undefined, texts: readonly string[], path = ""): readonly string[] {
  if (typeof template === "string") return texts.includes(template) ? [path === "" ? "standard output" : path] : [];
  if (isList(template)) return template.flatMap((item) => placesOf(item, texts, path));
  if (!isObject(template)) return [];
  return Object.entries(template).flatMap(([name, inner]) => placesOf(inner, texts, path === "" ? name : `${path}.${name}`));
}
