import { redactText } from "../intake/redact-text.ts";
import type { Answer } from "./answer.ts";
import { problem } from "./telling.ts";

/**
 * An answer is stored: what has the shape of a secret in it is masked. Where the agent would work with what is written there,
 * it is refused instead: a mask would be of no use to it.
 */
export function withoutSecrets(answer: Answer): Answer {
  const { message, response, context, edit } = answer;
  if (edit !== undefined && holdsSecret(JSON.stringify(edit))) throw refuse("The edit");
  if (response !== undefined && holdsSecret(typeof response === "string" ? response : JSON.stringify(response))) throw refuse("The answer");
  return {
    ...answer,
    ...(message === undefined ? {} : { message: redactText(message).text }),
    ...(context === undefined ? {} : { context: redactText(context).text }),
  };
}

function holdsSecret(text: string): boolean {
  return redactText(text).shapes.length > 0;
}

function refuse(what: string): Error {
  return problem("ANSWER_INVALID", `${what} holds something like a credential, and it would be stored. Give it to the agent itself.`);
}
