import { formatLabel, formatMoney, formatNumber, formatSize, formatTokens } from "@earshot/narrate";
import type { Activity, ActivityBase, ActivityKind, Attachment } from "@earshot/protocol/activities";
import { jsonInWords, untoldMetadata } from "./json-in-words.ts";
import type { OfKind, Tellers, Told } from "./of-kind.ts";
import { given, labelled } from "./phrases.ts";
import type { Labelled, Saying } from "./saying.ts";
import { COURSE } from "./tell-course.ts";
import { MIND } from "./tell-mind.ts";
import { REQUESTS } from "./tell-requests.ts";
import { WORK } from "./tell-work.ts";

const TELLERS: Tellers<ActivityKind> = { ...COURSE, ...MIND, ...WORK, ...REQUESTS };

/** Said by every event, and told here or by whoever knows what was said before. */
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

/** One activity in words. Whatever it says is there: what no teller knows stands under its own name. */
export function tellActivity(activity: Activity): Saying {
  const { rest, ...told } = tellKind(activity);
  return withBase(told, activity, rest);
}

/** A kind that only a later hub knows is told as what it is called. */
function tellKind<Kind extends ActivityKind>(activity: OfKind<Kind>): Told {
  const tell = Object.hasOwn(TELLERS, activity.kind) ? TELLERS[activity.kind] : undefined;
  return tell === undefined ? { what: `Event ${activity.type}`, rest: activity } : tell(activity);
}

function withBase(told: Saying, activity: Activity, rest: object): Saying {
  const summary = "summary" in rest && activity.summary !== told.words ? activity.summary : undefined;
  const hasWords = told.words !== undefined && told.words !== "";
  const words = hasWords ? told.words : summary;
  return {
    ...told,
    remarks: [...(told.remarks ?? []), ...given(activity.urgency === "critical" && "critical"), ...spendingInWords(activity)],
    ...(words === undefined ? {} : { words }),
    parts: partsOf(told, words, hasWords ? summary : undefined),
    below: [...(told.below ?? []), ...othersOf(rest), ...(activity.attachments ?? []).map(tellAttachment), ...metadataOf(activity)],
  };
}

/** Ids come last, since nobody wants to hear them first. The same twice, as a summary and as an error, is said once. */
function partsOf({ parts = [] }: Saying, words: string | undefined, summary: string | undefined): readonly Labelled[] {
  const others = parts.filter(({ text }) => text !== words);
  const isId = ({ label }: Labelled) => IDS.has(label);
  return [...others.filter((part) => !isId(part)), ...labelled({ Summary: summary }), ...others.filter(isId)];
}

const IDS: ReadonlySet<string> = new Set(["Call id", "Reply token", "Output id", "Child session", "Answers event"]);

/** `150 tokens`, `0.12 US dollars so far`, `context 43 percent full`. */
function spendingInWords({ tokens, costUsd, context, kind }: Activity): readonly string[] {
  const total = kind === "session.closed" ? " in all" : " so far";
  const soFar = (counts: "total" | "delta") => (counts === "total" ? total : "");
  const { percent, limit } = context ?? {};
  return given(
    tokens !== undefined && `${formatTokens(tokens)}${soFar(tokens.counts)}`,
    tokens?.cacheRead !== undefined && `${formatNumber(tokens.cacheRead)} from the cache`,
    tokens?.cacheWrite !== undefined && `${formatNumber(tokens.cacheWrite)} to the cache`,
    tokens?.reasoning !== undefined && `${formatNumber(tokens.reasoning)} for reasoning`,
    costUsd !== undefined && `${formatMoney(costUsd.value)}${soFar(costUsd.counts)}`,
    percent !== undefined && `context ${Math.round(percent)} percent full`,
    percent === undefined &&
      context?.tokens !== undefined &&
      `context holds ${formatNumber(context.tokens)}${limit === undefined ? "" : ` of ${formatNumber(limit)}`} tokens`,
  );
}

function othersOf(rest: object): readonly Labelled[] {
  return Object.entries(rest)
    .filter(([name, value]) => !BASE.has(name) && value !== undefined)
    .map(([name, value]) => ({ label: formatLabel(name), text: jsonInWords(value) }));
}

function metadataOf(activity: Activity): readonly Labelled[] {
  const { metadata = {}, tokens, costUsd, model } = activity;
  const steps = activity.kind === "session.closed" ? activity.steps : undefined;
  return untoldMetadata(metadata, [tokens?.total, tokens?.input, tokens?.output, costUsd?.value, model, steps]);
}

function tellAttachment({ type, name, mimeType, url, sizeBytes }: Attachment): Labelled {
  const size = sizeBytes === undefined ? undefined : formatSize(sizeBytes);
  return { label: "Attachment", text: given(name, type, mimeType, size, url).join(", ") };
}
