import type { PromptReply } from "@earshot/aaep";
import type { Answer } from "../requests/answer.ts";
import type { Ending } from "../requests/machine-types.ts";

/**
 * What a producer is to hear of how its question ended here; undefined where it is to hear nothing. A yes is told only where
 * somebody, or a rule of theirs, has said it: that nobody answered is for the producer's own default to turn into a yes.
 */
export function toCarriedReply({ state, by, reason }: Ending, answer: Answer): PromptReply | undefined {
  const decidedBy = whoDecided(state, by);
  if (decidedBy === undefined) return undefined;
  switch (answer.word) {
    case "accept":
      return state === "defaulted" ? undefined : { decision: "accept", decidedBy, ...rationale(answer, reason) };
    case "reject":
      return { decision: "reject", decidedBy, ...rationale(answer, reason) };
    case "respond": {
      const { response } = answer;
      const isPlain = typeof response === "string" || typeof response === "number" || typeof response === "boolean";
      return state === "defaulted" || !isPlain ? undefined : { response, decidedBy };
    }
    default:
      return undefined; // a handoff is acknowledged elsewhere: the protocol has no words for it
  }
}

function whoDecided(state: Ending["state"], by: string): string | undefined {
  switch (state) {
    case "answered-by-person":
      return `user:${by}`;
    case "answered-by-policy":
      return `auto:${by.replace(/^policy: /, "policy:")}`;
    case "defaulted":
      return "auto:no_answer";
    case "withdrawn":
    case "orphaned":
      return undefined;
  }
}

function rationale({ message }: Answer, reason: string | undefined): { readonly rationale?: string } {
  const text = message ?? reason;
  return text === undefined || text === "" ? {} : { rationale: text };
}
