import type { RequestView } from "@earshot/hub";
import { agentName } from "@earshot/sdk/ear";
import { quoted, shortly } from "../../words/request-words.ts";
import { clock } from "../../words/times.ts";

type Told = Pick<RequestView, "card" | "deadlineAt" | "extensionsLeft">;

/** What happens when nobody answers, and when; and what else happens meanwhile. Whole sentences, with a time that does not tick. */
export function silenceWords({ card, deadlineAt, extensionsLeft }: Told, now = Date.now()): readonly string[] {
  const { asked, terms } = card;
  const agent = shortly(agentName(asked.agent), 60);
  return [
    ...(deadlineAt === null
      ? ["It waits for as long as it takes."]
      : [`If you don't answer by ${clock(deadlineAt, now)}, ${agent} will ${ofSilence(card)}.`]),
    ...(deadlineAt !== null && extensionsLeft === 0 ? [`More time cannot be had: ${agent} waits no longer.`] : []),
    ...(terms.besideDialog ? [`${agent} shows its own dialog, too: whichever is answered first counts.`] : []),
    ...(asksAnyway(card) ? [`Allowing here does not skip ${agent}'s own question.`] : []),
  ];
}

/** "ask at its own terminal", "be told there was no answer". */
function ofSilence({ asked, terms }: RequestView["card"]): string {
  const { answer, by } = terms.silence;
  const isRisky = asked.irreversible || asked.risk === "high";
  switch (answer.word) {
    case "ask":
      return "ask at its own terminal";
    case "abstain":
      // A hook that hears nothing leaves it to its agent, which would have asked by itself.
      return asked.protocol === "aep" ? "ask at its own terminal" : "be told there was no answer";
    case "allow":
    case "accept":
    case "continue":
      // Whatever the asker has set: the hub says no in its place.
      return isRisky ? "be told there was no answer, and it does not happen" : `go ahead${wishOf(by)}`;
    case "respond":
      return `go on with ${quoted(String(answer.response ?? "an answer of its own"), 80)}${wishOf(by)}`;
    case "take-over":
      return "take it as taken over";
    case "deny":
    case "reject":
    case "block":
    case "stop":
    case "defer":
    case "decline":
      return `be told there was no answer${asked.kind === "permission" || asked.kind === "confirmation" ? ", and it does not happen" : ""}`;
  }
}

function wishOf(by: string): string {
  if (by === "asker") return ", as it has set itself";
  const rule = /^policy: (.*)$/s.exec(by)?.[1];
  return rule === undefined ? "" : `, as the rule ${shortly(rule, 80)} says`;
}

/**
 * Agents whose hook before an action can refuse it, but not let it through: a yes leaves them to their own rules, which may ask.
 * Where such an agent asks for permission by a hook of its own, a yes to that one is heard.
 */
export const ASK_ANYWAY: ReadonlySet<string> = new Set([
  "auggie",
  "cline",
  "codex",
  "gemini",
  "hermes",
  "kilo",
  "kimi",
  "kiro",
  "opencode",
  "windsurf",
]);

function asksAnyway({ asked, terms }: RequestView["card"]): boolean {
  return (
    asked.kind === "permission" && asked.facts["moment"] === "action" && terms.answers.includes("allow") && ASK_ANYWAY.has(asked.agent)
  );
}
