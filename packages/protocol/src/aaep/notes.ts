import type { Finding } from "../finding.ts";
import { NO_FINDINGS } from "../finding.ts";
import type { AaepRuleId } from "./rules.ts";

// One collector for all events: reading is synchronous, and a clean event, which is the usual case, allocates no closure and no list.
let noted: Finding[] | undefined;

export function beginNotes(): void {
  noted = undefined;
}

export function addNote(rule: AaepRuleId, message: string, pointer?: string, hint?: string): void {
  noted ??= [];
  noted.push({ rule, message, ...(pointer === undefined ? {} : { pointer }), ...(hint === undefined ? {} : { hint }) });
}

export function noteAll(findings: readonly Finding[]): void {
  noted ??= [];
  noted.push(...findings);
}

export function takeNotes(): readonly Finding[] {
  return noted ?? NO_FINDINGS;
}
