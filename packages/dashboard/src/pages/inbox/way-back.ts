import type { Asked, Inspection } from "@earshot/hub";
import { isObject } from "@earshot/protocol/json";

/** Moments at which something would happen that may have to be undone. */
const ACTING = new Set(["action", "permission", "subagent-start"]);
const BY_WORD: Readonly<Record<string, string>> = {
  reversible: "Can be undone, the agent says.",
  reversible_with_effort: "Can be undone with effort, the agent says.",
};

/** Commands with a way back that is known, looked for in the order given. Only for one that stands alone, or after a `cd`. */
const WAYS: readonly (readonly [RegExp, string])[] = [
  [/^git add\b(?!.*--force)/, "git restore --staged"],
  [/^git commit\b(?!.*--amend)/, "git reset --soft HEAD~1"],
  [/^git (?:stash|stash push)$/, "git stash pop"],
  [/^git (?:switch (?:-c|--create)|checkout -b) \S+$/, "deleting the branch"],
  [/^git branch [^-\s]\S*$/, "deleting the branch"],
  [/^git tag [^-\s]\S*$/, "git tag --delete"],
  [/^mkdir (?:-p )?[^-\s]\S*$/, "rmdir"],
];

export interface WayBack {
  readonly sentence: string;
  /** How it is drawn: a `bad` one stands out. */
  readonly tone: "bad" | "warn" | "good" | "calm";
}

/** Whether there is a way back. Undefined where nothing happens that could be undone. */
export function wayBackOf(asked: Asked, inspection: Inspection): WayBack | undefined {
  const { kind, facts } = asked;
  if (kind === "handoff" || kind === "clarification") return undefined;
  if (kind === "permission" && !ACTING.has(String(facts["moment"] ?? "action"))) return undefined;
  const { uninspectable, irreversible, dangers } = inspection;
  if (uninspectable !== undefined) {
    const known = irreversible && dangers.length > 0 ? " Cannot be undone." : " It is treated as if it could not be undone.";
    return { sentence: `Cannot be inspected. ${uninspectable}${known}`, tone: "bad" };
  }
  if (irreversible) return { sentence: "Cannot be undone.", tone: "bad" };
  const said = facts["reversibility"];
  if (typeof said === "string" && Object.hasOwn(BY_WORD, said)) return { sentence: BY_WORD[said] ?? "", tone: "calm" };
  if (onlyReads(inspection)) return { sentence: "Changes nothing: it only reads.", tone: "good" };
  const by = dangers.length > 0 ? undefined : wayOf(asked, inspection);
  if (by !== undefined) return { sentence: `Can be undone by ${by}.`, tone: "good" };
  return { sentence: "Whether it can be undone is not known.", tone: "warn" };
}

function onlyReads({ commands, files }: Inspection): boolean {
  return commands.length === 0 && files.length > 0 && files.every(({ what }) => what === "reads");
}

function wayOf({ input }: Asked, { commands }: Inspection): string | undefined {
  if (commands.length > 0) {
    const [only, ...others] = commands.filter(({ text }) => !/^cd\b/.test(text));
    if (only === undefined || others.length > 0 || only.via.length > 0) return undefined;
    return WAYS.find(([pattern]) => pattern.test(only.text))?.[1];
  }
  if (!isObject(input)) return undefined;
  const edits = Array.isArray(input["edits"]) ? input["edits"] : [input];
  const isChange = (one: unknown) =>
    isObject(one) && [one["old_string"], one["old_str"]].some((before) => typeof before === "string" && before !== "");
  return edits.length > 0 && edits.every(isChange) ? "changing the text back" : undefined;
}
