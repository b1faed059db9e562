import type { RequestView, RuleProposal } from "@earshot/hub";
import { describeDecision, formatCount, type Presentation } from "@earshot/narrate";
import { EarshotError } from "@earshot/protocol/problem";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { changeAtHub, type HubAccess, requestFromHub } from "../hub-client.ts";
import { openOwnHub } from "../own-hub.ts";
import { askLine } from "../terminal/ask.ts";
import { requireKeyboard, unlockTerminal } from "./approver.ts";
import { findRequest } from "./request-client.ts";
import { requestLines, terminalPresentation } from "./request-lines.ts";
import { visibleBeginning, visibleText } from "./visible-text.ts";

/** How long an answer applies: until the session ends, in this project until the end of the day, or permanently. */
export const RULE_SCOPES = ["session", "project", "always"] as const;
type RuleScope = (typeof RULE_SCOPES)[number];

export type RuleOffer = { readonly ok: true; readonly proposal: RuleProposal } | { readonly ok: false; readonly why: string };

/** The rule the hub would store for "allow this kind from now on", or why it offers none. */
export async function requestRuleOffer(hub: HubAccess, { id }: Pick<RequestView, "id">, scope: RuleScope): Promise<RuleOffer> {
  try {
    const response = await requestFromHub(hub, `/api/requests/${encodeURIComponent(id)}/rule?scope=${scope}`);
    return { ok: true, proposal: (await response.json()) as RuleProposal };
  } catch (error) {
    if (!EarshotError.is(error) || error.problem.code !== "RULE_NOT_OFFERED") throw error;
    return { ok: false, why: error.problem.message };
  }
}

/** The rule, shown before the person agrees. */
export function ruleLines({ words, yaml, file, past }: RuleProposal): readonly string[] {
  const where =
    file === null ? "The hub stores it; it is not written to a file." : `It is written to ${visibleText(file)}, before all other rules:`;
  const written =
    yaml === null || file === null
      ? []
      : yaml
          .trimEnd()
          .split("\n")
          .map((line) => `  ${visibleText(line)}`);
  return [visibleBeginning(words, 600), ...pastLines(past), where, ...written];
}

/** The past actions the rule would have allowed. */
function pastLines(past: RuleProposal["past"]): readonly string[] {
  if (past === null) return [];
  const examples = past.examples.map((example) => `  ${visibleBeginning(example, 100)}`);
  return [
    `It would have allowed ${past.matched} of the last ${formatCount(past.asks, "action")}${past.matched === 0 ? "." : ":"}`,
    ...examples,
  ];
}

/** Allows the request and stores exactly the rule that was shown. */
export function rememberRuleAtHub(
  approver: HubAccess,
  { request, digest, scope, hash }: RuleProposal,
  reason?: string,
): Promise<RequestView> {
  const body = { digest, scope, hash, ...(reason === undefined ? {} : { reason }) };
  return changeAtHub(approver, "POST", `/api/requests/${encodeURIComponent(request)}/remember`, body);
}

/** The result, and how to remove the rule. */
export function rememberedLines({ decision, remembered, card }: RequestView, shown: Presentation): readonly string[] {
  return [
    ...(decision === null ? [] : [describeDecision(decision, card, shown)]),
    ...(remembered === undefined ? [] : [`To remove the rule: earshot policy forget ${visibleText(remembered.rule)}`]),
  ];
}

export interface RememberOptions {
  readonly json: boolean;
  readonly scope: RuleScope;
  readonly reason?: string;
}

/** Allows a request and its kind from now on: shows request and rule, and stores both with the PIN, or neither. */
export async function rememberAtTerminal(id: string, io: CommandIo, { json, scope, reason }: RememberOptions): Promise<number> {
  requireKeyboard(io);
  const hub = await openOwnHub(process.env);
  const view = await findRequest(hub, id);
  for (const line of requestLines(view, { now: Date.now() })) io.err(`${line}\n`);
  const offer = await requestRuleOffer(hub, view, scope);
  if (!offer.ok) {
    io.err(`No rule is offered for this, and nothing was decided: ${plainText(offer.why)}\n`);
    return EXIT.found;
  }
  for (const line of ruleLines(offer.proposal)) io.err(`${line}\n`);
  if (!/^yes$/i.test((await askLine(io, "Type yes to keep this rule and allow this one: "))?.trim() ?? "")) {
    io.err("Cancelled; nothing was stored or decided.\n");
    return EXIT.found;
  }
  await using approver = await unlockTerminal(io, hub);
  if (approver === undefined) return EXIT.found;
  const remembered = await rememberRuleAtHub(await approver.access(hub), offer.proposal, reason);
  if (json) io.out(`${JSON.stringify({ counts: true, request: remembered }, null, 2)}\n`);
  else for (const line of rememberedLines(remembered, terminalPresentation({ now: Date.now() }))) io.out(`${line}\n`);
  return EXIT.ok;
}
