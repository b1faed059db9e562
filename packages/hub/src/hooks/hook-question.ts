import type { AepResponse, JsonObject } from "@earshot/protocol";
import type { Submission } from "../ledger/ledger.ts";
import { isDangerous, isOfPreset, type Ruling } from "../policy/rules.ts";
import { isConsent } from "../requests/answer.ts";
import { isRisky } from "../requests/card.ts";
import type { ControlDesk } from "../requests/control-desk.ts";
import type { Question } from "../requests/question.ts";
import { actionIdOf, answersAt, rawInput, toAsked } from "./aep-question.ts";
import type { HookEvent } from "./hook-event.ts";

/** What a hook asks, beside its event. */
export interface HookAsk {
  /** The event, secrets masked, as it is stored. */
  readonly submission: Submission;
  /** The event as it was said. */
  readonly raw: JsonObject;
  /** The agent itself wants to ask: the question is put to a person without any rule. */
  readonly asksItself: boolean;
  /** Its own dialog is shown meanwhile, and whichever is answered first counts. */
  readonly besideDialog: boolean;
  /** Whether the agent can ask by itself when it is told to. */
  readonly canAsk: boolean;
  /** Whether a yes spares the person the agent's own question; it does unless somebody knows better. */
  readonly canGrant?: boolean;
  /** Whether a question that the agent shows by itself comes here as well. */
  readonly reportsDialog?: boolean;
  /** Whether a person is at the agent at all; false in headless runs. */
  readonly attended: boolean;
  /** How long the agent waits at most. */
  readonly longestMs: number | null;
  /** Its id was made just now: nobody can have asked this before. */
  readonly isNew?: boolean;
  /** Every action of this asker has arguments. */
  readonly expectsInput?: boolean;
  readonly finish?: Finish;
}

/** What a response becomes before it is recorded and told: where an agent cannot be told all of it, it says so. */
export type Finish = (response: AepResponse) => AepResponse;

/** What a hook asks, as it was read, and what the rules say to it. */
export interface Judged extends HookEvent {
  readonly hook: HookAsk;
  readonly ruling: Ruling;
}

const MORE_TIME_MS = 600_000;
/** An agent that waits for this long is told before its own time is up. */
const MARGIN_MS = 2000;

/** Whether it is for a person to say: a rule wants that, or the agent itself would ask. */
export function wantsPerson({ asksItself }: HookAsk, { moment }: HookEvent, { behaviour }: Ruling): boolean {
  return behaviour === "ask" || (behaviour === "abstain" && (asksItself || moment === "question"));
}

/** A preset never has somebody say yes where the agent asks all the same. Whoever writes that into a rule of their own wants it. */
export function holdOf({ canGrant = true }: HookAsk, rule: { readonly name: string }, ruling: Ruling): Ruling["hold"] {
  return !canGrant && isOfPreset(rule) && !isDangerous(ruling) ? "never" : ruling.hold;
}

/**
 * Why a question is not held for a person; undefined where it is. What is dangerous, and what the agent would not ask about,
 * waits for an approver who is not active just now.
 */
export function whyNotHeld(hold: Ruling["hold"], mustBeHeld: boolean, { isAttended, hasApprover }: ControlDesk): string | undefined {
  if (hold === "never") return NEVER_HELD;
  if (hold === "always" || isAttended) return undefined;
  if (!hasApprover) return "Nobody was asked: no approver is set up.";
  return mustBeHeld ? undefined : "Nobody was asked: no approver was active in the last five minutes.";
}

const NEVER_HELD = "Nobody was asked: the rule holds nothing.";

/** What a person is asked, and under which terms. */
export function toQuestion({ hook, moment, ruling }: Judged, holdMs: number): Question {
  const { submission, raw, longestMs, canAsk, asksItself, besideDialog } = hook;
  const asked = toAsked(submission, moment, ruling);
  const latestMs = longestMs === null ? null : Math.max(0, longestMs - MARGIN_MS);
  const timeMs = Math.min(holdMs, latestMs ?? holdMs);
  const input = rawInput(raw);
  return {
    asked,
    terms: {
      // A card that does not show everything offers no yes.
      answers: answersAt(moment).filter((word) => asked.isCut !== true || !isConsent({ word })),
      silence: {
        answer: { word: silenceOf(ruling, { canAsk, asksItself: asksItself || moment === "question", risky: isRisky(asked) }) },
        by: ruling.rule === undefined ? "hub" : `policy: ${ruling.rule.name}`,
      },
      moreTimeMs: latestMs !== null && latestMs <= timeMs ? 0 : MORE_TIME_MS,
      latestAt: latestMs === null ? null : submission.receivedAt + latestMs,
      polls: true,
      besideDialog,
      ...(hook.reportsDialog === true ? { reportsDialog: true } : {}),
      action: actionIdOf(raw) ?? null,
      because: ruling.rule === undefined ? "the agent asks" : `the rule ${ruling.rule.name}`,
    },
    timeMs,
    identity: submission.identity ?? "",
    ...(input === undefined ? {} : { raw: input }),
  };
}

/** Who wants to ask by itself does so when it hears nothing; who cannot ask is refused. */
function silenceOf(
  ruling: Ruling,
  { canAsk, asksItself, risky }: { readonly canAsk: boolean; readonly asksItself: boolean; readonly risky: boolean },
) {
  if (asksItself && ruling.rule === undefined) return "abstain";
  if (ruling.unanswered === "allow" && !risky) return "allow";
  if (ruling.unanswered === "ask" && canAsk) return "ask";
  return "deny";
}
