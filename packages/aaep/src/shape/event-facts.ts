import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { FeedEvent } from "../feed.ts";
import type { Terms } from "../terms.ts";
import { BOUNDARY_LEVELS } from "./limits.ts";
import { chooseLanguage, readSummaryVariants, type SummaryVariants, withoutVariants, withSummary } from "./summary-variants.ts";
import { advanceTextNode, type OutputChunk, type TextNode } from "./text-node.ts";

/** A state change that may be merged with the next one. */
export interface StateStep {
  readonly from: string;
  readonly to: string;
  readonly isBackground: boolean;
}

/** An event in the chosen words. */
interface Told {
  readonly event: JsonObject;
  readonly text: string;
}

/** How many paths to a chunk are cached: subscribers that joined midway soon share the others' path. */
const MAX_NODES = 8;
/** The members in which mergeable events may differ; all others must be equal. */
const VARIES = {
  output: new Set(["event_id", "timestamp", "sequence_number", "chunk", "position", "complete", "coalesce_hint"]),
  state: /^(?:event_id|timestamp|sequence_number|from_state|to_state|expected_duration_ms|verbosity|summary_.*)$/u,
  progress: /^(?:event_id|timestamp|sequence_number|progress|eta_ms|verbosity|summary_.*)$/u,
} as const;
/** Under pressure the later value stands for both; prefixes of extensions are declared in the context. */
const LATEST_WINS = new Set(["@context", "extensions", "correlation_id", "urgency"]);

/** Derived facts of an event, computed once for all subscriptions. */
export class EventFacts {
  readonly source: FeedEvent;
  /** Its place in the order: nothing overtakes within a lane. Outputs and progress have their own lanes in a session. */
  readonly lane: string;
  readonly chunk: OutputChunk | undefined;
  readonly step: StateStep | undefined;
  /** Numeric progress, which the next one fully replaces. */
  readonly isMeasure: boolean;
  /** Progress in words. It may report the result of a question, so only later words replace it. */
  readonly isRemark: boolean;
  #kind: string | undefined;
  #gist: string | undefined;
  #wording: SummaryVariants | undefined | null = null;
  #frame: readonly [string, string] | undefined;
  readonly #rendered = new Map<string, Told>();
  readonly #nodes: { readonly before: TextNode; readonly node: TextNode }[] = [];

  constructor(heard: FeedEvent) {
    this.source = heard;
    const { event, merges, session, agent, critical } = heard;
    this.chunk = merges === "output" && !critical ? readChunk(event) : undefined;
    this.step = merges === "state" && !critical ? readStep(event) : undefined;
    const isProgress = merges === "progress" && !critical;
    this.isMeasure = isProgress && isMeasure(event["progress"]);
    this.isRemark = isProgress && !this.isMeasure && isRemark(event["progress"]);
    if (this.chunk !== undefined) this.lane = `${session} o ${agent} ${textOr(event["output_id"], "")}`;
    else this.lane = this.isMeasure ? `${session} p ${agent}` : session;
  }

  /** Two events are normally merged only without loss: everything but text, state or progress is equal. */
  isLike(other: EventFacts): boolean {
    this.#kind ??= JSON.stringify(this.#constants());
    other.#kind ??= JSON.stringify(other.#constants());
    return this.#kind === other.#kind;
  }

  /** Under pressure the later event may stand for both, but never in another language, content type or for another agent. */
  isRoughlyLike(other: EventFacts): boolean {
    if (this.isLike(other)) return true;
    this.#gist ??= JSON.stringify(this.#constants().filter(([name]) => !LATEST_WINS.has(name)));
    other.#gist ??= JSON.stringify(other.#constants().filter(([name]) => !LATEST_WINS.has(name)));
    return this.#gist === other.#gist;
  }

  #constants(): [string, JsonValue | undefined][] {
    const { merges, event } = this.source;
    const varies = VARIES[merges ?? "output"];
    return Object.entries(withoutVariants(event)).filter(([name]) => !(varies instanceof Set ? varies.has(name) : varies.test(name)));
  }

  /** The state of its output after it. */
  nodeAfter(before: TextNode, chunk: OutputChunk): TextNode {
    for (const known of this.#nodes) if (known.before === before) return known.node;
    const made = advanceTextNode(before, chunk);
    // A subscriber on another path joins the common one as soon as the path no longer matters.
    const node = this.#nodes.find((known) => isSame(known.node, made))?.node ?? made;
    if (this.#nodes.length < MAX_NODES) this.#nodes.push({ before, node });
    return node;
  }

  /** In the words the terms request, and without a sequence number, which filtering and merging invalidate; as object and JSON. */
  renderedFor(terms: Terms): Told {
    if (this.#wording === null) this.#wording = readSummaryVariants(this.source.event);
    const wording = this.#wording;
    if (wording === undefined && this.source.event["sequence_number"] === undefined) return this.source;
    const language = wording === undefined ? undefined : chooseLanguage(wording, terms.languages);
    const key = language === undefined ? terms.verbosity : `${terms.verbosity} ${language}`;
    let told = this.#rendered.get(key);
    if (told === undefined) {
      const { sequence_number: _, ...unnumbered } = this.source.event;
      const event = wording === undefined ? unnumbered : withSummary(unnumbered, wording, terms.verbosity, language);
      told = { event, text: JSON.stringify(event) };
      this.#rendered.set(key, told);
    }
    return told;
  }

  /** A chunk with another text: the parts before `event_id` and after the rewritten members. */
  get frame(): readonly [string, string] {
    if (this.#frame === undefined) {
      const same = Object.entries(this.source.event).filter(([name]) => !VARIES.output.has(name));
      const [opening, rest] = [same.slice(0, 2), same.slice(2)];
      const before = JSON.stringify(Object.fromEntries(opening)).slice(0, -1);
      const after = JSON.stringify(Object.fromEntries(rest));
      this.#frame = [before === "{" ? before : `${before},`, after === "{}" ? "}" : `,${after.slice(1)}`];
    }
    return this.#frame;
  }
}

const insights = new WeakMap<FeedEvent, EventFacts>();

export function deriveEventFacts(heard: FeedEvent): EventFacts {
  let found = insights.get(heard);
  if (found === undefined) {
    found = new EventFacts(heard);
    insights.set(heard, found);
  }
  return found;
}

function isSame(one: TextNode, other: TextNode): boolean {
  return (
    one.tail === other.tail &&
    one.units === other.units &&
    one.sentence === other.sentence &&
    one.word === other.word &&
    one.paragraph === other.paragraph &&
    one.looksDone === other.looksDone
  );
}

/** Undefined for an invalid chunk, which is passed on like any other event. */
function readChunk(event: JsonObject): OutputChunk | undefined {
  const { chunk, position, complete, coalesce_hint: hint, content_type: contentType, language } = event;
  if (typeof chunk !== "string" || typeof position !== "number" || typeof complete !== "boolean") return undefined;
  const hints = event["localization_hints"];
  const primary = isObject(hints) ? textOr(hints["primary_language"], "en") : "en";
  return {
    text: chunk,
    position,
    isComplete: complete,
    hint: isHint(hint) ? hint : undefined,
    language: textOr(language, primary),
    isText: typeof contentType !== "string" || contentType.startsWith("text/"),
  };
}

function isHint(value: JsonValue | undefined): value is keyof typeof BOUNDARY_LEVELS {
  return typeof value === "string" && Object.hasOwn(BOUNDARY_LEVELS, value);
}

/**
 * A change to the same state has another meaning, and one from `awaiting_input` reports the result of a question: both are passed on
 * unchanged.
 */
function readStep(event: JsonObject): StateStep | undefined {
  const { from_state: from, to_state: to, urgency } = event;
  if (typeof from !== "string" || typeof to !== "string" || from === to || from === "awaiting_input") return undefined;
  return { from, to, isBackground: urgency === "background" };
}

function isMeasure(progress: JsonValue | undefined): boolean {
  return isObject(progress) && (typeof progress["percent"] === "number" || typeof progress["step"] === "number");
}

function isRemark(progress: JsonValue | undefined): boolean {
  return isObject(progress) && typeof progress["description"] === "string";
}

function textOr(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
