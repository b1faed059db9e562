import type { AepResponse, JsonObject } from "@earshot/protocol";
import type { Submission } from "../ledger/ledger.ts";
import { isDangerous, isOfPreset, type RuleResult } from "../policy/rules.ts";
import { isConsent } from "../requests/answer.ts";
import { isRisky } from "../requests/card.ts";
import type { ControlStore } from "../requests/control-store.ts";
import type { RequestQuestion } from "../requests/question.ts";
import { actionIdOfEvent, possibleAnswersAt, rawInput, toAskedCard } from "./aep-question.ts";
import type { HookEvent } from "./hook-event.ts";

/** A hook's question beside its event. */
export interface HookQuestionInput {
  /** The event as stored, with secrets masked. */
  readonly submission: Submission;
  /** The unmasked event. */
  readonly raw: JsonObject;
  /** The agent itself wants to ask: a person is asked without any rule. */
  readonly asksItself: boolean;
  /** Its own dialog is shown meanwhile, and the first answer counts. */
  readonly besideDialog: boolean;
  /** Whether the agent can prompt by itself when told to. */
  readonly canAsk: boolean;
  /** Whether an allow replaces the agent's own prompt. Default: true. */
  readonly canGrant?: boolean;
  /** Whether the agent reports its own prompts. */
  readonly reportsDialog?: boolean;
  /** Whether a person is at the agent; false in headless runs. */
  readonly attended: boolean;
  /** The agent's timeout. */
  readonly longestMs: number | null;
  /** Its id was just generated, so nobody can have asked this before. */
  readonly isNew?: boolean;
  /** Every action of this asker has arguments. */
  readonly expectsInput?: boolean;
  readonly finish?: AdaptResponse;
}

/** Adapts a response before it is recorded and sent, and notes what the agent cannot express. */
export type AdaptResponse = (response: AepResponse) => AepResponse;

/** A parsed question and the rules' result. */
export interface JudgedHook extends HookEvent {
  readonly hook: HookQuestionInput;
  readonly ruling: RuleResult;
}

const MORE_TIME_MS = 600_000;
/** The answer is given this long before the agent's timeout. */
const MARGIN_MS = 2000;

/** Whether a person must decide: a rule requires it, or the agent itself would ask. */
export function wantsPerson({ asksItself }: HookQuestionInput, { moment }: HookEvent, { behaviour }: RuleResult): boolean {
  return behaviour === "ask" || (behaviour === "abstain" && (asksItself || moment === "question"));
}

/** A preset never asks for an allow that would not spare the agent's own prompt. A person's own rule may. */
export function holdForRuling(
  { canGrant = true }: HookQuestionInput,
  rule: { readonly name: string },
  ruling: RuleResult,
): RuleResult["hold"] {
  return !canGrant && isOfPreset(rule) && !isDangerous(ruling) ? "never" : ruling.hold;
}

/**
 * Why a question is not held for a person; undefined if it is. Dangerous actions, and those the agent would not ask about, wait even for
 * an inactive approver.
 */
export function reasonNotHeld(
  hold: RuleResult["hold"],
  mustBeHeld: boolean,
  { isAttended, hasApprover }: ControlStore,
): string | undefined {
  if (hold === "never") return NEVER_HELD;
  if (hold === "always" || isAttended) return undefined;
  if (!hasApprover) return "Nobody was asked: no approver is set up.";
  return mustBeHeld ? undefined : "Nobody was asked: no approver was active in the last five minutes.";
}

const NEVER_HELD = "Nobody was asked: the rule holds nothing.";

/** A person's question and its terms. */
export function toHookQuestion({ hook, moment, ruling }: JudgedHook, holdMs: number): RequestQuestion {
  const { submission, raw, longestMs, canAsk, asksItself, besideDialog } = hook;
  const asked = toAskedCard(submission, moment, ruling);
  const latestMs = longestMs === null ? null : Math.max(0, longestMs - MARGIN_MS);
  const timeMs = Math.min(holdMs, latestMs ?? holdMs);
  const input = rawInput(raw);
  return {
    asked,
    terms: {
      // A card that does not show everything offers no allow.
      answers: possibleAnswersAt(moment).filter((word) => asked.isCut !== true || !isConsent({ word })),
      silence: {
        answer: { word: silenceOf(ruling, { canAsk, asksItself: asksItself || moment === "question", risky: isRisky(asked) }) },
        by: ruling.rule === undefined ? "hub" : `policy: ${ruling.rule.name}`,
      },
      moreTimeMs: latestMs !== null && latestMs <= timeMs ? 0 : MORE_TIME_MS,
      latestAt: latestMs === null ? null : submission.receivedAt + latestMs,
      polls: true,
      besideDialog,
      ...(hook.reportsDialog === true ? { reportsDialog: true } : {}),
      action: actionIdOfEvent(raw) ?? null,
      because: ruling.rule === undefined ? "the agent asks" : `the rule ${ruling.rule.name}`,
    },
    timeMs,
    identity: submission.identity ?? "",
    ...(input === undefined ? {} : { raw: input }),
  };
}

/** An agent that asks by itself does so without an answer; one that cannot ask is refused. */
function silenceOf(
  ruling: RuleResult,
  { canAsk, asksItself, risky }: { readonly canAsk: boolean; readonly asksItself: boolean; readonly risky: boolean },
) {
  if (asksItself && ruling.rule === undefined) return "abstain";
  if (ruling.unanswered === "allow" && !risky) return "allow";
  if (ruling.unanswered === "ask" && canAsk) return "ask";
  return "deny";
}
