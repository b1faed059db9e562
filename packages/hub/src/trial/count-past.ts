import { isObject, type JsonValue } from "@earshot/protocol";
import type { RulePast, RuleProposal } from "../requests/api.ts";
import type { StudyDesk } from "./study-desk.ts";

/** A proposed rule is tried on so many past actions, among so many entries: the offer must not wait for long. */
const MAX_PAST_ASKS = 500;
const MAX_PAST_ENTRIES = 100_000;
const MAX_PAST_EXAMPLES = 5;

/** What the rule would have allowed before. Null where nobody has time to count. */
export async function countPast({ yaml, rule }: RuleProposal, study: StudyDesk, gone: AbortSignal): Promise<RulePast | null> {
  if (yaml === null) return null;
  const text = { file: "proposed rule", text: `rules:\n${yaml.replaceAll(/^(?=.)/gm, "  ")}` };
  try {
    const { asks, rules, moves } = await study.ask(
      "tryOut",
      { text, accepted: null, limit: MAX_PAST_ASKS, lookedAt: MAX_PAST_ENTRIES },
      gone,
    );
    const examples = moves.flatMap((move) => move.examples.map(({ asked: { title, input } }) => exampleOf(title, input)));
    return {
      asks,
      matched: rules.find((one) => one.rule === rule)?.count ?? 0,
      examples: [...new Set(examples)].slice(0, MAX_PAST_EXAMPLES),
    };
  } catch {
    return null; // busy, or gone
  }
}

function exampleOf(title: string, input: JsonValue | undefined): string {
  const { command, file_path: path } = isObject(input) ? input : {};
  const about = command ?? path;
  return typeof about === "string" ? about.slice(0, MAX_EXAMPLE_CHARACTERS) : title;
}

const MAX_EXAMPLE_CHARACTERS = 200;
