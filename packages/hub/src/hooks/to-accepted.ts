import { NO_RULES, readPolicy } from "@earshot/policy";
import { UNREADABLE_TEXT } from "../policy/policy-language.ts";
import { type AcceptedPolicy, policyHash } from "./accepted-policy.ts";

/** A text that is in force, as hooks read it. */
export function toAccepted(text: string | null, file: string): AcceptedPolicy {
  const read = (one: string) => readPolicy({ text: one, file, kind: "user" });
  const reading = text === null ? undefined : read(text);
  const counted = reading?.ok === false ? read(UNREADABLE_TEXT) : reading;
  return { hash: policyHash(text), policy: counted?.ok === true ? counted.policy : NO_RULES };
}
