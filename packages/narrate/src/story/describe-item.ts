import type { Activity, ActivityBase, ActivityKind } from "@earshot/protocol/activities";
import { agentName } from "../names.ts";
import { DESCRIBED_CALL_MEMBERS, type DescribedToolActivity, describeCall, narratedCallOf, undescribedMembers } from "./describe-call.ts";
import { COURSE_DESCRIBERS } from "./describe-course.ts";
import { MIND_DESCRIBERS } from "./describe-mind.ts";
import { OTHER_DESCRIBERS } from "./describe-others.ts";
import type { Describers, ItemDescription, OfKind } from "./describers.ts";
import type { NarratedFlag, NarratedItem, NarratedOutput } from "./narrated-item.ts";
import { type DescriptionVoice, DescriptionWords, type Fact, type Narration, type NarrationTone, type Quote } from "./narration.ts";

const DESCRIBERS: Describers<ActivityKind> = {
  ...COURSE_DESCRIBERS,
  ...MIND_DESCRIBERS,
  ...OTHER_DESCRIBERS,
  "tool.requested": describeTool,
  "tool.started": describeTool,
  "tool.ended": describeTool,
};

function describeTool(activity: DescribedToolActivity, words: DescriptionWords): ItemDescription {
  const rest = Object.fromEntries(Object.entries(activity).filter(([name]) => !DESCRIBED_CALL_MEMBERS.has(name)));
  return { ...describeCall(narratedCallOf(activity), activity, words), rest };
}

/** Members of every activity, described here, by `describeEnvelope`, or by `describeCourse` when they change. */
const BASE: ReadonlySet<string> = new Set([
  "kind",
  "protocol",
  "type",
  "session",
  "agent",
  "agentName",
  "eventId",
  "at",
  "parent",
  "conversation",
  "turn",
  "workspace",
  "model",
  "provider",
  "tokens",
  "costUsd",
  "context",
  "summary",
  "summaries",
  "urgency",
  "language",
  "attachments",
  "metadata",
] satisfies readonly (keyof ActivityBase | "kind")[]);

/** One story item: a joined call or output, or a single event. */
export function describeItem(item: NarratedItem, voice: DescriptionVoice): Narration {
  const words = new DescriptionWords(voice);
  const { activity, call, output, redactions } = item;
  const told = describeActivity(activity, voice);
  const joined = call !== undefined && isTool(activity) ? joinCall(told, describeCall(call, activity, words)) : told;
  const whole =
    output === undefined || activity.kind !== "output.chunk"
      ? joined
      : joinOutput(joined, output, { words, usualType: activity.protocol === "aep" ? "text/markdown" : undefined });
  return { ...whole, facts: [...whole.facts, ...words.facts(1, { secrets: redactions === 0 ? undefined : redactions })] };
}

/** One activity in words. Members without a description are listed under their own names. */
export function describeActivity(activity: Activity, voice: DescriptionVoice): Narration {
  const words = new DescriptionWords(voice);
  const { rest, tone = "plain", quotes = [], facts = [], ...described } = describeKind(activity, words);
  const { summary, urgency, attachments, metadata } = activity;
  const isTold = !("summary" in rest) || summary === undefined || quotes.some((quote) => "text" in quote && quote.text === summary);
  const isSubject = described.subject?.text === summary;
  return {
    ...described,
    tone,
    quotes: [
      ...quotes,
      ...(isTold || isSubject ? [] : words.prose("summary", summary, quotes.some(({ isMain }) => isMain) ? {} : { isMain: true })),
      ...(attachments === undefined ? [] : [{ rank: 1, label: words.label("attachments"), as: "attachments", attachments } as const]),
      ...Object.entries(rest).flatMap(([name, value]) => (BASE.has(name) || value === undefined ? [] : describeMember(name, value, words))),
      ...describeMetadata(metadata, activity, words),
    ],
    facts: [
      ...facts,
      ...words.facts(1, { urgency: urgency === "critical" ? words.story.word(urgency) : undefined }),
      ...describeSpending(activity, words),
    ],
  };
}

/** A kind that only a newer hub knows is named by its type. */
function describeKind<Kind extends ActivityKind>(activity: OfKind<Kind>, words: DescriptionWords): ItemDescription {
  const describe = Object.hasOwn(DESCRIBERS, activity.kind) ? DESCRIBERS[activity.kind] : undefined;
  if (describe !== undefined) return describe(activity, words);
  const { type } = activity as Activity;
  return { topic: "dot", title: words.story.event(type), rest: activity };
}

function describeMember(name: string, value: unknown, words: DescriptionWords): readonly Quote[] {
  return typeof value === "object" ? words.json(name, value, 3) : words.prose(name, String(value), { rank: 3 });
}

/** Additional members from the agent, without numbers described elsewhere: tokens, cost, steps, the model. */
function describeMetadata(metadata: object | undefined, activity: Activity, words: DescriptionWords): readonly Quote[] {
  const { tokens, costUsd, model } = activity;
  const told: readonly unknown[] = [
    tokens?.total,
    tokens?.input,
    tokens?.output,
    costUsd?.value,
    model,
    activity.kind === "session.closed" ? activity.steps : undefined,
  ];
  const others = undescribedMembers(metadata ?? {}, told);
  return others === undefined ? [] : [{ rank: 3, label: words.label("extra"), as: "members", value: others }];
}

function describeSpending({ tokens, costUsd, context, kind }: Activity, words: DescriptionWords): readonly Fact[] {
  const { story } = words;
  const total = kind === "session.closed" ? story.inAll : story.soFar;
  const amount = (text: string, counts: "total" | "delta") => (counts === "total" ? total(text) : text);
  const { percent, limit } = context ?? {};
  return words.facts(2, {
    tokens: tokens === undefined ? undefined : amount(story.tokens(tokens), tokens.counts),
    cacheRead: tokens?.cacheRead,
    cacheWrite: tokens?.cacheWrite,
    reasoning: tokens?.reasoning,
    cost: costUsd === undefined ? undefined : amount(words.money(costUsd.value), costUsd.counts),
    context: percent === undefined ? undefined : story.percent(Math.round(percent)),
    contextTokens:
      percent !== undefined || context?.tokens === undefined
        ? undefined
        : limit === undefined
          ? context.tokens
          : story.ofLimit(context.tokens, limit),
  });
}

function isTool(activity: Activity): activity is DescribedToolActivity {
  return activity.kind === "tool.requested" || activity.kind === "tool.started" || activity.kind === "tool.ended";
}

/** The joined call plus the members that only its activity has: spending, members of a newer hub. */
function joinCall(told: Narration, joined: Narration): Narration {
  const labels = new Set(joined.facts.map(({ label }) => label));
  const isKnown = (quote: Quote) => joined.quotes.some(({ label, as }) => label === quote.label && as === quote.as);
  return {
    ...joined,
    quotes: [
      ...joined.quotes,
      ...told.quotes.filter(({ rank, as }) => rank === 3 || as === "attachments").filter((quote) => !isKnown(quote)),
    ],
    facts: [...joined.facts, ...told.facts.filter(({ label }) => !labels.has(label))],
  };
}

function joinOutput(
  told: Narration,
  { text, complete, gaps, cut, contentType, language }: NarratedOutput,
  { words, usualType }: { readonly words: DescriptionWords; readonly usualType: string | undefined },
): Narration {
  const { story } = words;
  const remarks = [...(complete ? [] : [story.unfinished]), ...(gaps ? [story.gaps] : []), ...(cut ? [story.cut] : [])];
  const typed: Quote = { rank: 1, label: words.label("text"), isMain: true, as: "typed", text, type: contentType ?? usualType };
  return {
    ...told,
    ...(remarks.length === 0 ? {} : { outcome: { words: remarks.join(", "), tone: complete ? "warn" : "busy" } }),
    quotes: [typed, ...told.quotes.filter(({ isMain }) => isMain !== true)],
    facts: words.facts(2, { contentType, language }),
  };
}

/** Sender, time and event type of an item, for every kind. `clock` formats times. */
export function describeEnvelope(
  { activity, receivedAt, position }: NarratedItem,
  voice: DescriptionVoice,
  clock: (at: number) => string,
): readonly Fact[] {
  const words = new DescriptionWords(voice);
  const { agent, agentName: ownName, model, provider, at, type, protocol } = activity;
  const name = agentName(agent, ownName);
  const sentAt = at === undefined ? Number.NaN : Date.parse(at);
  return words.facts(3, {
    saidBy: name,
    ownName: ownName === name ? undefined : ownName,
    model,
    provider,
    saidAt: Number.isNaN(sentAt) ? undefined : clock(sentAt),
    // One time suffices if the event arrived when it was sent.
    heardAt: Math.abs(receivedAt - sentAt) < SOON_MS ? undefined : clock(receivedAt),
    event: `${protocol.toUpperCase()} ${type}, #${position}`,
  });
}

const SOON_MS = 2000;

/** A remark of the hub about an item. */
export interface HubNotice {
  readonly label: string;
  readonly text: string;
  readonly tone: NarrationTone;
  readonly rule?: string;
}

const FLAG_TONES: Readonly<Record<string, NarrationTone>> = { error: "bad", warning: "warn" };

/** Alerts and broken rules. An alert about a rule repeats its finding, so they are one notice. */
export function describeNotices({ alerts, flags }: Pick<NarratedItem, "alerts" | "flags">, voice: DescriptionVoice): readonly HubNotice[] {
  const { story } = new DescriptionWords(voice);
  const alerted = new Set(alerts.map(({ rule }) => rule));
  const found = new Set(flags.map(({ rule }) => rule));
  const describeFlag = ({ severity, rule, code, message, at }: NarratedFlag): HubNotice => {
    const word = Object.hasOwn(story.flags, severity) ? story.flags[severity as keyof typeof story.flags] : severity;
    const about = at === undefined ? word : story.flagAbout(word, at);
    const label = rule !== undefined && alerted.has(rule) ? story.withAlert(about) : about;
    return {
      label: rule === undefined ? `${label}, ${code}` : label,
      text: message,
      tone: FLAG_TONES[severity] ?? "plain",
      ...(rule === undefined ? {} : { rule }),
    };
  };
  return [
    ...alerts
      .filter(({ rule }) => rule === undefined || !found.has(rule))
      .map(({ type, severity, message }) => ({
        label: story.alert(severity, type),
        text: message,
        tone: severity === "critical" ? ("bad" as const) : ("warn" as const),
      })),
    ...flags.map(describeFlag),
  ];
}
