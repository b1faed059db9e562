import type { RequestKind, RequestState } from "../request.ts";
import type { Answer, Word } from "./answer.ts";
import type { Card } from "./card.ts";
import type { GateFault, HoldingView } from "./holding.ts";
import type { Inspection } from "./inspection.ts";

/**
 * What the hub answers about requests, over HTTP. Times are ISO 8601 in UTC, durations milliseconds. Problems have the usual
 * shape; those of requests are `NOT_FOUND`, `ANSWER_INVALID`, `DIGEST_DIFFERS`, `DECIDED_ALREADY`, `NOBODY_WAITS`,
 * `NOT_EXTENDABLE`, `TOO_MANY_OPEN`, `RULE_NOT_OFFERED`, `RULE_NOT_KEPT`.
 *
 * | route | who | body → answer |
 * |---|---|---|
 * | `GET /api/requests?state=&session=&after=&before=&limit=` | viewer | → `RequestList` |
 * | `GET /api/requests/:id?wait=MS` | viewer | → `RequestView`; with `wait`, when it has ended or after that time, at most 25 s |
 * | `GET /api/requests/news?after=N&wait=MS` | viewer | → `NewsList`: what changed, also what is not in the ledger |
 * | `POST /api/requests/:id/answer` | approver | `AnswerBody` → `RequestView` |
 * | `GET /api/requests/:id/rule?scope=` | viewer | `once`, `session`, `project`, `always` → `RuleProposal` |
 * | `POST /api/requests/:id/remember` | approver | `RememberBody`: allows it, and keeps the rule that was shown → `RequestView` |
 * | `POST /api/policy/forget` | approver | `{rule}`: takes back what was kept so → `ControlView` |
 * | `POST /api/requests/:id/withdraw` | approver | `{digest, reason?}` → `RequestView` |
 * | `POST /api/requests/:id/extend` | approver | `{digest}` → `RequestView` |
 * | `POST /api/sessions/:id/stop`, `…/lift` | approver | `{reason?}`, `?protocol=&source=` where an id is not enough → `ControlView` |
 * | `GET /api/control` | viewer | → `ControlView`: pause, away, stopped sessions, who is there, deferred actions |
 * | `POST /api/pause` | approver | `{forMs, reason}`; `{forMs: 0}` ends it → `ControlView` |
 * | `POST /api/away` | approver | `{on: boolean}` → `ControlView` |
 * | `POST /api/presence` | approver | `{}`: a person did something here just now → `ControlView` |
 * | `GET /api/policy` | viewer | → `PolicyView` |
 * | `POST /api/policy/accept` | approver | `{hash}` of the pending text → `PolicyView` |
 * | `/api/policy/rules`, `…/check`, `…/try`, `…/explain`, `…/text` | | reading, trying and writing rules: see trial/api.ts |
 * | `POST /aep/v1/hooks?wait=MS&…` | producer | an AEP event → `HookAnswer`; see `HookQuery` |
 * | `GET /aep/v1/hooks/:id?wait=MS` | producer | only the one who asked → `HookAnswer` |
 * | `POST /aep/v1/hooks/:id/withdraw` | producer | only the one who asked; `{reason?}` → `HookAnswer` |
 * | `GET /v1/answers/:id?wait=MS` | producer | only the one who asked, in any protocol → `AskerView` |
 *
 * Nobody decides by what they send as an event, and who asks cannot answer: the roles do not meet.
 */
export interface RequestView {
  readonly id: string;
  readonly kind: RequestKind;
  readonly state: RequestState;
  /** Whether somebody waits for the answer. An open request for which nobody waits cannot be answered: show no buttons. */
  readonly waits: boolean;
  /** Why no answer is taken; null when one is. */
  readonly closedBecause: string | null;
  readonly position: number;
  readonly protocol: string;
  readonly source: string;
  readonly session: string;
  readonly sessionKey: number;
  readonly openedAt: string;
  readonly deadlineAt: string | null;
  /** How long there is still, by the hub's own clock; null without a deadline, and when it has ended. */
  readonly leftMs: number | null;
  /** How often *More time* is still possible; 0 where the agent does not allow it. */
  readonly extensionsLeft: number;
  /** To be named by whoever answers. */
  readonly digest: string;
  readonly card: Card;
  /** What the hub finds by looking into the input, with the eyes of its rules. */
  readonly inspection: Inspection;
  readonly decision: DecisionView | null;
  /** When the asker fetched the answer, as far as this hub has seen it since it started. */
  readonly takenAt: string | null;
  /** What came of it, as far as it was heard: `completed`, `failed`, `denied`. */
  readonly outcome: string | null;
  /** Something went on although it was refused. */
  readonly alarm: string | null;
  /** Whether a yes that comes now may be kept for when it is asked again. */
  readonly keepable: boolean;
  /** There when a rule was kept together with the decision, as long as it counts: `POST /api/policy/forget` takes it back. */
  readonly remembered?: RememberedView;
}

/** A rule for "allow this kind from now on". Shown before it is kept: whoever agrees to it names its hash. */
export interface RuleProposal {
  readonly request: string;
  /** Of the request, as it was shown. */
  readonly digest: string;
  readonly scope: "once" | "session" | "project" | "always";
  readonly hash: string;
  /** Its name; null for `once`, where none is kept. */
  readonly rule: string | null;
  /** As it would stand in a file of rules. */
  readonly yaml: string | null;
  readonly words: string;
  /** The file that it would be written to; null where it is kept only for a while. */
  readonly file: string | null;
  readonly until: string | null;
  /** What the rule would have allowed before; null where it was not counted. */
  readonly past: RulePast | null;
}

export interface RulePast {
  /** How many actions were looked at, the last ones. */
  readonly asks: number;
  readonly matched: number;
  readonly examples: readonly string[];
}

export interface RememberBody {
  readonly digest: string;
  readonly scope: RuleProposal["scope"];
  readonly hash: string;
  readonly reason?: string;
}

export interface RememberedView {
  readonly rule: string;
  readonly scope: "session" | "project" | "always";
  readonly yaml: string;
  readonly request: string;
  readonly session: string;
  readonly by: string;
  readonly at: string;
  readonly until: string | null;
}

export interface DecisionView {
  readonly state: Exclude<RequestState, "open">;
  /** Who decided: the name of an approver's device, `policy: RULE`, or `hub`. */
  readonly by: string;
  readonly at: string;
  readonly answer: Answer;
  /** Whether it waited for a person at all. */
  readonly held: boolean;
  /** Nobody answered in time. To be told as "no answer", never as "refused". */
  readonly unanswered: boolean;
  readonly reason: string | null;
  readonly position: number;
}

export interface RequestList {
  readonly requests: readonly RequestView[];
  /** `after` (or `before`) of the next page; null when this was the last. */
  readonly next: number | null;
  readonly open: number;
}

/** `digest` is the one that was shown. `keep`: if it comes too late, allow it when it is asked again (same session, once, 30 minutes). */
export interface AnswerBody {
  readonly digest: string;
  readonly answer: Word;
  readonly response?: string | number | boolean;
  readonly message?: string;
  readonly context?: string;
  readonly edit?: readonly { readonly pointer: string; readonly value: unknown }[];
  readonly reason?: string;
  readonly keep?: boolean;
}

/** What happened, in order. `number` only grows; what is older than the last thousand is forgotten (`missed`). */
export interface NewsList {
  readonly news: readonly News[];
  readonly next: number;
  readonly missed: boolean;
}

export interface News {
  readonly number: number;
  readonly at: string;
  readonly what: NewsKind;
  /** The request meant; null for what concerns all. */
  readonly request: string | null;
  readonly session: string | null;
  /** In words, for whoever announces it. */
  readonly text: string;
}

export const NEWS_KINDS = [
  "asked",
  "half-time",
  "last-call",
  "extended",
  "unattended",
  "attended",
  "decided",
  "taken",
  "outcome",
  "alarm",
  "refused",
  "control",
  "policy",
] as const;
export type NewsKind = (typeof NEWS_KINDS)[number];

export interface ControlView {
  readonly pause: { readonly until: string; readonly by: string; readonly reason: string } | null;
  readonly away: { readonly since: string; readonly by: string } | null;
  readonly stopped: readonly {
    readonly protocol: string;
    readonly source: string;
    readonly session: string;
    readonly by: string;
    readonly at: string;
    readonly reason: string | null;
  }[];
  /** Whether an approver did something within the last five minutes. */
  readonly attended: boolean;
  /** Which requests currently wait for an approver, and why. */
  readonly holding: HoldingView;
  /** Agents with registered hooks that cannot block a call: switched off, removed, or without a launcher. */
  readonly notGated: readonly GateFault[];
  /** Answers that wait for the same question to be asked again. */
  readonly kept: readonly {
    readonly request: string;
    readonly session: string;
    readonly answer: Answer;
    readonly by: string;
    readonly until: string;
  }[];
  /** Requests that were deferred and not decided since. */
  readonly deferred: readonly string[];
  /** What is allowed from now on because of a decision: by a rule in the file, or for a while. */
  readonly remembered: readonly RememberedView[];
}

/**
 * `waits`: poll `GET /aep/v1/hooks/ID` within five seconds, and go on for as long as the agent waits. `again`: the hub has
 * started anew and does not have the input any more; send the same event again first. Otherwise `response` is the AEP response.
 */
export type HookAnswer =
  | { readonly waits: true; readonly again: boolean; readonly request: string; readonly leftMs: number | null }
  | { readonly waits: false; readonly request: string | null; readonly response: object };

/** The same for an asker of any protocol. */
export type AskerView =
  | { readonly waits: true; readonly request: string; readonly leftMs: number | null }
  | {
      readonly waits: false;
      readonly request: string;
      readonly state: string;
      readonly answer: Answer;
      readonly unanswered: boolean;
      readonly reason: string | null;
    };

/**
 * What a hook says about its agent, in the address. All may be left out.
 * @public Documents the route; the hub reads the members one by one.
 */
export interface HookQuery {
  /** How long this call may be held; at most 25 s. */
  readonly wait?: string;
  /** `1`: the agent itself wants to ask (a permission hook). */
  readonly asks?: string;
  /** `1`: and shows its own dialog meanwhile. */
  readonly dialog?: string;
  /** `0`: the agent cannot ask by itself when it is told to; then silence is a no. */
  readonly canAsk?: string;
  /** `0`: nobody is at the agent: a headless run. */
  readonly attended?: string;
  /** How long the agent waits for its hook at most, in milliseconds. */
  readonly longest?: string;
}
