import { NO_RULES, readPolicy } from "@earshot/policy";
import { type AcceptedPolicy, policyHash } from "./accepted-policy.ts";

/** A text that is in force, as hooks read it. */
export function toAccepted(text: string | null, file: string): AcceptedPolicy {
  const reading = text === null ? undefined : readPolicy({ text, file, kind: "user" });
  return { hash: policyHash(text), policy: reading?.ok === true ? reading.policy : NO_RULES };
}
