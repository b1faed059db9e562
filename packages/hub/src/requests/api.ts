import { REQUEST_KINDS, REQUEST_STATES } from "@earshot/judge";
import Type, { type Static } from "typebox";
import { isoTime, listOf, naturalNumber, orNull } from "../api-schema.ts";
import { APPROVAL_SCOPES } from "../policy/rule-writer.ts";
import { answerSchema, reasonedBody, shownDigest, spokenText } from "./answer.ts";
import { cardSchema, riskSchema } from "./card.ts";

/**
 * Request and response types for requests over HTTP. The schemas validate the bodies, describe the routes in `GET /openapi.json`, and
 * type the dashboard and the command line. Times are ISO 8601 in UTC, durations milliseconds. No event can decide, and an asker cannot
 * answer: the roles are disjoint.
 */
const maybe = Type.Optional;

const inspectedDangerSchema = Type.Object({ id: Type.String({ description: "of the catalogue of dangers" }), sentence: Type.String() });

export const inspectionSchema = Type.Object(
  {
    command: maybe(Type.String({ description: "the whole command, as it was sent" })),
    commands: listOf(
      Type.Object({
        text: Type.String(),
        via: listOf(Type.String(), { description: "what it is wrapped in, outermost first" }),
        effect: Type.String(),
        dangers: listOf(Type.String()),
      }),
      { description: "every simple command in it, as it would run" },
    ),
    files: listOf(
      Type.Object({
        path: Type.String(),
        what: Type.String({ description: "`reads`, `writes`, `deletes`, or `names` where it is not known" }),
        notes: listOf(Type.String()),
      }),
    ),
    dangers: listOf(inspectedDangerSchema),
    hidden: listOf(Type.String(), { description: "what a screen would hide in the input, in sentences" }),
    uninspectable: maybe(Type.String({ description: "why it could not be taken apart" })),
    irreversible: Type.Boolean(),
    risk: riskSchema,
  },
  { title: "Inspection" },
);
export type Inspection = Static<typeof inspectionSchema>;
export type InspectedCommand = Inspection["commands"][number];
export type InspectedFile = Inspection["files"][number];

/** A rule for "allow this kind from now on". It is shown before it is stored, and consent names its hash. */
export const ruleProposalSchema = Type.Object(
  {
    request: Type.String(),
    digest: Type.String({ description: "of the request, as it was shown" }),
    scope: Type.Enum(APPROVAL_SCOPES),
    hash: Type.String(),
    rule: orNull(Type.String(), { description: "its name; null for `once`, where none is kept" }),
    yaml: orNull(Type.String(), { description: "as it would stand in a file of rules" }),
    words: Type.String(),
    file: orNull(Type.String(), { description: "the file it would be written to; null where it is kept only for a while" }),
    until: orNull(isoTime()),
    past: orNull(
      Type.Object({
        asks: naturalNumber({ description: "how many of the last actions were looked at" }),
        matched: naturalNumber(),
        examples: listOf(Type.String()),
      }),
      { description: "what the rule would have allowed before; null where it was not counted" },
    ),
  },
  { title: "RuleProposal" },
);
export type RuleProposal = Static<typeof ruleProposalSchema>;
export type RulePast = NonNullable<RuleProposal["past"]>;

const rememberedSchema = Type.Object({
  rule: Type.String(),
  scope: Type.Enum(["session", "project", "always"]),
  yaml: Type.String(),
  request: Type.String(),
  session: Type.String(),
  by: Type.String(),
  at: isoTime(),
  until: orNull(isoTime()),
});
export type RememberedView = Static<typeof rememberedSchema>;

const decisionSchema = Type.Object({
  state: Type.Enum(["answered-by-person", "answered-by-policy", "defaulted", "withdrawn", "orphaned"]),
  by: Type.String({ description: "the name of an approver's device, `policy: RULE`, or `hub`" }),
  at: isoTime(),
  answer: answerSchema,
  held: Type.Boolean({ description: "whether it waited for a person at all" }),
  unanswered: Type.Boolean({ description: "nobody answered in time; never to be shown as a refusal" }),
  reason: orNull(Type.String()),
  position: Type.Integer(),
});
export type DecisionView = Static<typeof decisionSchema>;

export const requestViewSchema = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(REQUEST_KINDS),
    state: Type.Enum(REQUEST_STATES),
    waits: Type.Boolean({ description: "whether somebody waits for the answer; if not, an open request cannot be answered" }),
    closedBecause: orNull(Type.String(), { description: "why no answer is taken; null when one is" }),
    position: Type.Integer(),
    protocol: Type.String(),
    source: Type.String(),
    session: Type.String(),
    sessionKey: Type.Integer(),
    openedAt: isoTime(),
    deadlineAt: orNull(isoTime()),
    leftMs: orNull(Type.Number(), { description: "by the hub's own clock; null without a deadline, and after the end" }),
    extensionsLeft: naturalNumber({ description: "how often *More time* is still possible" }),
    digest: Type.String({ description: "to be repeated by an answer" }),
    card: cardSchema,
    inspection: inspectionSchema,
    decision: orNull(decisionSchema),
    takenAt: orNull(isoTime(), { description: "when the asker fetched the answer, since this hub started" }),
    outcome: orNull(Type.String(), { description: "`completed`, `failed` or `denied`, as far as it is known" }),
    alarm: orNull(Type.String(), { description: "something went on although it was refused" }),
    keepable: Type.Boolean({ description: "whether a yes that comes now may be kept for when it is asked again" }),
    remembered: maybe(rememberedSchema),
  },
  { title: "Request" },
);
export type RequestView = Static<typeof requestViewSchema>;

export const requestListSchema = Type.Object({
  requests: listOf(requestViewSchema),
  next: orNull(Type.Integer(), { description: "`after` or `before` of the next page; null when this was the last" }),
  open: naturalNumber(),
});
export type RequestList = Static<typeof requestListSchema>;

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

const newsSchema = Type.Object({
  number: Type.Integer({ description: "only grows" }),
  at: isoTime(),
  what: Type.Enum(NEWS_KINDS),
  request: orNull(Type.String(), { description: "null for what concerns all" }),
  session: orNull(Type.String()),
  text: Type.String(),
});
export type RequestNews = Static<typeof newsSchema>;

export const newsListSchema = Type.Object({
  news: listOf(newsSchema),
  next: Type.Integer(),
  missed: Type.Boolean({ description: "something older than the last thousand was asked for" }),
});
export type NewsList = Static<typeof newsListSchema>;

const holdingSchema = Type.Object({
  holds: Type.Enum(["everything", "dangerous", "nothing"]),
  words: Type.String({ description: "whole sentences, for every surface alike" }),
  change: orNull(Type.String(), { description: "how to change it; null where everything is held" }),
});
/** Which requests currently wait for an approver, and why. It depends on whether an approver is present. */
export type HoldingView = Static<typeof holdingSchema>;

const gateFaultSchema = Type.Object({ agent: Type.String(), name: Type.String(), reason: Type.String(), advice: Type.String() });
/** Why an agent's hooks cannot block its tool calls. `agent` is its slug, `reason` and `advice` whole sentences. */
export type GateFault = Static<typeof gateFaultSchema>;

const stoppedSchema = Type.Object({
  protocol: Type.String(),
  source: Type.String(),
  session: Type.String(),
  by: Type.String(),
  at: isoTime(),
  reason: orNull(Type.String()),
});

export const controlViewSchema = Type.Object(
  {
    pause: orNull(Type.Object({ until: isoTime(), by: Type.String(), reason: Type.String() })),
    away: orNull(Type.Object({ since: isoTime(), by: Type.String() })),
    stopped: listOf(stoppedSchema),
    attended: Type.Boolean({ description: "whether an approver did something within the last five minutes" }),
    holding: holdingSchema,
    notGated: listOf(gateFaultSchema, { description: "agents with registered hooks that cannot block a call" }),
    kept: listOf(
      Type.Object({ request: Type.String(), session: Type.String(), answer: answerSchema, by: Type.String(), until: isoTime() }),
      { description: "answers that wait for the same question to be asked again" },
    ),
    deferred: listOf(Type.String(), { description: "requests that were deferred and not decided since" }),
    remembered: listOf(rememberedSchema, { description: "what is allowed from now on because of a decision" }),
  },
  { title: "Control" },
);
export type ControlView = Static<typeof controlViewSchema>;

/**
 * `waits`: poll `GET /aep/v1/hooks/ID` within five seconds, and continue while the agent waits. `again`: the hub was restarted and no
 * longer has the input; send the same event first. Otherwise `response` is the AEP response.
 */
export const hookAnswerSchema = Type.Union([
  Type.Object({ waits: Type.Literal(true), again: Type.Boolean(), request: Type.String(), leftMs: orNull(Type.Number()) }),
  Type.Object({ waits: Type.Literal(false), request: orNull(Type.String()), response: Type.Unsafe<object>({ type: "object" }) }),
]);
export type HookAnswer = Static<typeof hookAnswerSchema>;

/** The same for an asker of any protocol. */
export const askerViewSchema = Type.Union([
  Type.Object({ waits: Type.Literal(true), request: Type.String(), leftMs: orNull(Type.Number()) }),
  Type.Object({
    waits: Type.Literal(false),
    request: Type.String(),
    state: Type.String(),
    answer: answerSchema,
    unanswered: Type.Boolean(),
    reason: orNull(Type.String()),
  }),
]);
export type AskerView = Static<typeof askerViewSchema>;

export const rememberBody = Type.Object({
  digest: shownDigest,
  scope: Type.Enum(APPROVAL_SCOPES),
  hash: Type.String({ minLength: 1, description: "of the rule, as it was shown" }),
  ...reasonedBody.properties,
});
export type RememberBody = Static<typeof rememberBody>;

export const forgetBody = Type.Object({ rule: spokenText("the name of a rule that was kept from a decision") });

export const requestsQuery = Type.Object({
  state: maybe(Type.Enum(REQUEST_STATES)),
  session: maybe(Type.String({ minLength: 1 })),
  after: maybe(naturalNumber({ description: "the oldest first, those asked after this position" })),
  before: maybe(naturalNumber({ description: "the newest first, those asked before this position" })),
  limit: naturalNumber({ maximum: 200, default: 50 }),
});
