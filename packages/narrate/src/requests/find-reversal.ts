import { isObject } from "@earshot/protocol/json";
import type { CommandEffect } from "../calls/command-effects.ts";
import { describeCommand } from "../calls/read-command.ts";
import type { AskedRequest, NarratedInspection, NarratedRequest } from "./request.ts";

/** How an action can be undone, independent of language. */
export type ActionReversal =
  | { readonly is: "uninspectable"; readonly why: string; readonly isKnown: boolean }
  | { readonly is: "irreversible" | "only-reads" | "branch" | "text" | "unknown" }
  | { readonly is: "said"; readonly as: "saidReversible" | "saidWithEffort" }
  | { readonly is: "command"; readonly command: string };

/** Moments at which an action would happen. */
const ACTING = new Set(["action", "permission", "subagent-start"]);
const BY_WORD: Readonly<Record<string, ActionReversal>> = {
  reversible: { is: "said", as: "saidReversible" },
  reversible_with_effort: { is: "said", as: "saidWithEffort" },
};

/** Commands with a known way to undo them, in lookup order. Only for a single command, or one after a `cd`. */
const WAYS: readonly (readonly [RegExp, ActionReversal])[] = [
  [/^git add\b(?!.*--force)/, { is: "command", command: "git restore --staged" }],
  [/^git commit\b(?!.*--amend)/, { is: "command", command: "git reset --soft HEAD~1" }],
  [/^git (?:stash|stash push)$/, { is: "command", command: "git stash pop" }],
  [/^git (?:switch (?:-c|--create)|checkout -b) \S+$/, { is: "branch" }],
  [/^git branch [^-\s]\S*$/, { is: "branch" }],
  [/^git tag [^-\s]\S*$/, { is: "command", command: "git tag --delete" }],
  [/^mkdir (?:-p )?[^-\s]\S*$/, { is: "command", command: "rmdir" }],
];

const ROUTINE: ReadonlySet<CommandEffect> = new Set<CommandEffect>(["test", "typecheck", "lint"]);

const NOTHING_FOUND: NarratedInspection = { commands: [], files: [], dangers: [], hidden: [], irreversible: false, risk: "unknown" };

/** Undefined if nothing happens that could be undone, and for routine commands. */
export function findReversal({ card, inspection = NOTHING_FOUND }: NarratedRequest): ActionReversal | undefined {
  const { asked } = card;
  const { kind, facts, fields } = asked;
  if (kind === "handoff" || kind === "clarification" || fields !== undefined) return undefined;
  if (kind === "permission" && !ACTING.has(String(facts["moment"] ?? "action"))) return undefined;
  const { uninspectable, dangers } = inspection;
  const irreversible = inspection.irreversible || asked.irreversible;
  if (uninspectable !== undefined) return { is: "uninspectable", why: uninspectable, isKnown: irreversible && dangers.length > 0 };
  if (irreversible) return { is: "irreversible" };
  const said = facts["reversibility"];
  const bySaid = typeof said === "string" && Object.hasOwn(BY_WORD, said) ? BY_WORD[said] : undefined;
  if (bySaid !== undefined) return bySaid;
  if (onlyReads(inspection)) return { is: "only-reads" };
  if (dangers.length > 0) return { is: "unknown" };
  return findWay(asked, inspection) ?? (isRoutine(inspection) ? undefined : { is: "unknown" });
}

/** Tests run all day: a warning that they may not be reversible would teach people to ignore it. */
function isRoutine({ commands, hidden }: NarratedInspection): boolean {
  return (
    commands.length > 0 &&
    hidden.length === 0 &&
    commands.every(({ text, via }) => via.length === 0 && ROUTINE.has(describeCommand(text).effect))
  );
}

function onlyReads({ commands, files }: NarratedInspection): boolean {
  return commands.length === 0 && files.length > 0 && files.every(({ what }) => what === "reads");
}

function findWay({ input }: AskedRequest, { commands }: NarratedInspection): ActionReversal | undefined {
  if (commands.length > 0) {
    const [only, ...others] = commands.filter(({ text }) => !/^cd\b/.test(text));
    if (only === undefined || others.length > 0 || only.via.length > 0) return undefined;
    return WAYS.find(([pattern]) => pattern.test(only.text))?.[1];
  }
  if (!isObject(input)) return undefined;
  const edits = Array.isArray(input["edits"]) ? input["edits"] : [input];
  const isChange = (one: unknown) =>
    isObject(one) && [one["old_string"], one["old_str"]].some((before) => typeof before === "string" && before !== "");
  return edits.length > 0 && edits.every(isChange) ? { is: "text" } : undefined;
}
