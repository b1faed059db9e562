import { EXIT, type Io } from "../io.ts";
import { ask } from "../terminal/ask.ts";
import { plainText } from "../terminal/plain-text.ts";
import { openOwnHub } from "../unlock-hub.ts";
import { requireKeyboard, unlockTerminal } from "./approver.ts";
import { findRequest } from "./find-request.ts";
import { offerRule, type RuleScope, rememberedLines, rememberRule, ruleLines } from "./remember-rule.ts";
import { requestLines } from "./request-lines.ts";

export interface RememberOptions {
  readonly json: boolean;
  readonly scope: RuleScope;
  readonly reason?: string;
}

/** Allows a request and its kind from now on: shows the request and the rule, and keeps both with the PIN, or neither. */
export async function rememberAtTerminal(id: string, io: Io, { json, scope, reason }: RememberOptions): Promise<number> {
  requireKeyboard(io);
  const hub = await openOwnHub(process.env);
  const view = await findRequest(hub, id);
  for (const line of requestLines(view, { now: Date.now() })) io.err(`${line}\n`);
  const offer = await offerRule(hub, view, scope);
  if (!offer.ok) {
    io.err(`No rule is offered for this, and nothing was decided: ${plainText(offer.why)}\n`);
    return EXIT.found;
  }
  for (const line of ruleLines(offer.proposal)) io.err(`${line}\n`);
  if (!/^yes$/i.test((await ask(io, "Type yes to keep this rule and allow this one: "))?.trim() ?? "")) {
    io.err("Left as it is; nothing was kept or decided.\n");
    return EXIT.found;
  }
  await using approver = await unlockTerminal(io, hub);
  if (approver === undefined) return EXIT.found;
  const remembered = await rememberRule(await approver.access(hub), offer.proposal, reason);
  if (json) io.out(`${JSON.stringify({ counts: true, request: remembered }, null, 2)}\n`);
  else for (const line of rememberedLines(remembered, Date.now())) io.out(`${line}\n`);
  return EXIT.ok;
}
