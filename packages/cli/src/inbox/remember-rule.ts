import type { RequestView, RuleProposal } from "@earshot/hub";
import { EarshotError } from "@earshot/protocol/problem";
import { askHub, type HubAccess, tellHub } from "../hub-client.ts";
import { decisionLine } from "./decision-line.ts";
import { visibleBeginning, visibleText } from "./visible-text.ts";

/** For how long an answer is to count: until the session ends, in this project until the end of the day, or for good. */
export const SCOPES = ["session", "project", "always"] as const;
export type RuleScope = (typeof SCOPES)[number];

export type Offer = { readonly ok: true; readonly proposal: RuleProposal } | { readonly ok: false; readonly why: string };

/** The rule for "allow this kind from now on", as the hub would keep it; or why it offers none. */
export async function offerRule(hub: HubAccess, { id }: Pick<RequestView, "id">, scope: RuleScope): Promise<Offer> {
  try {
    const response = await askHub(hub, `/api/requests/${encodeURIComponent(id)}/rule?scope=${scope}`);
    return { ok: true, proposal: (await response.json()) as RuleProposal };
  } catch (error) {
    if (!EarshotError.is(error) || error.problem.code !== "RULE_NOT_OFFERED") throw error;
    return { ok: false, why: error.problem.message };
  }
}

/** What is agreed to, before it is. */
export function ruleLines({ words, yaml, file }: RuleProposal): readonly string[] {
  const where = file === null ? "It is kept by the hub, and in no file." : `It is written into ${visibleText(file)}, before all others:`;
  const written =
    yaml === null || file === null
      ? []
      : yaml
          .trimEnd()
          .split("\n")
          .map((line) => `  ${visibleText(line)}`);
  return [visibleBeginning(words, 600), where, ...written];
}

/** Allows the request, and keeps exactly the rule that was shown. */
export function rememberRule(approver: HubAccess, { request, digest, scope, hash }: RuleProposal, reason?: string): Promise<RequestView> {
  const body = { digest, scope, hash, ...(reason === undefined ? {} : { reason }) };
  return tellHub(approver, "POST", `/api/requests/${encodeURIComponent(request)}/remember`, body);
}

/** How it ended, and how the rule is taken back. */
export function rememberedLines({ decision, remembered }: RequestView, now: number, timeZone?: string): readonly string[] {
  return [
    ...(decision === null ? [] : [decisionLine(decision, now, timeZone)]),
    ...(remembered === undefined ? [] : [`To take the rule back: earshot policy forget ${visibleText(remembered.rule)}`]),
  ];
}
