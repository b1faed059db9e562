import type { ProtocolName, Severity } from "@earshot/protocol";
import type { Activity } from "@earshot/protocol/activities";
import type { Axis, OutputSpan, Section, SubagentSpan, TraceMoment } from "../trace.ts";
import { shortenLabel } from "./briefly.ts";
import { type AddedCounts, Buckets } from "./buckets.ts";
import { AgentClock } from "./clock.ts";
import { OpenSpans, type RowSpan } from "./open-spans.ts";
import { RequestFold } from "./request-fold.ts";
import { StateFold } from "./state-fold.ts";
import { ToolFold } from "./tool-fold.ts";

/** The position of a section among the others. */
export interface SectionPosition {
  readonly index: number;
  readonly depth: number;
  readonly parent: number | undefined;
  readonly axis: Axis;
}

/** One agent in one session, folded event by event into bounded memory. */
export class SectionFold {
  readonly protocol: ProtocolName | undefined;
  readonly session: string;
  /** Empty until an event names the agent. */
  agent: string;
  readonly clock = new AgentClock();
  readonly requests = new RequestFold();
  /** The parent's session or conversation id, once known. */
  parentSession: string | undefined;
  conversation: string | undefined;
  readonly #state = new StateFold();
  readonly #tools = new ToolFold();
  readonly #output = new OutputFold();
  readonly #subagents = new SubagentFold();
  readonly #buckets = new Buckets();
  readonly #violations: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  #agentName: string | undefined;
  #goal: string | undefined;
  #outcome: string | undefined;
  #errors = 0;
  #events = 0;
  #messages = 0;
  #first: TraceMoment | undefined;
  #last: TraceMoment | undefined;

  constructor(protocol: ProtocolName | undefined, session: string, agent: string) {
    this.protocol = protocol;
    this.session = session;
    this.agent = agent;
  }

  get entries(): number {
    return this.#events + this.#messages;
  }

  /** Adds one entry, as one or more activities. */
  handle(activities: readonly Activity[], at: TraceMoment, isEvent: boolean): void {
    this.#buckets.open(at, this.#last, this.#state.now);
    if (isEvent) this.#events++;
    else this.#messages++;
    this.#first ??= at;
    this.#last = at;
    const added: AddedCounts[] = [];
    for (const activity of activities) {
      this.#introduce(activity);
      added.push(this.#tools.handle(activity, at), this.requests.handle(activity, at), this.#output.handle(activity, at));
      this.#subagents.handle(activity, this.session, at);
      this.#state.handle(activity, at, { openTools: this.#tools.spans.openNow, openRequests: this.requests.spans.openNow });
      if (activity.kind === "session.closed") this.#close(activity.outcome, at);
    }
    const standing = {
      state: this.#state.now,
      tools: this.#tools.spans.openNow,
      subagents: this.#subagents.spans.openNow,
      requests: this.requests.spans.openNow,
    };
    this.#buckets.close(standing, added.reduce(sumOf, {}));
  }

  violated(at: TraceMoment, severity: Severity): void {
    this.#violations[severity]++;
    this.#buckets.violated(at.entry, severity);
  }

  section({ index, depth, parent, axis }: SectionPosition): Section {
    const nowhere: TraceMoment = { entry: 0, line: 0 };
    const last = this.#last ?? nowhere;
    return {
      index,
      protocol: this.protocol,
      session: this.session,
      agent: this.agent,
      ...(this.#agentName === undefined ? {} : { agentName: this.#agentName }),
      ...(this.#goal === undefined ? {} : { goal: this.#goal }),
      ...(parent === undefined ? {} : { parent }),
      depth,
      events: this.#events,
      messages: this.#messages,
      first: this.#first ?? nowhere,
      last,
      axis,
      ...(this.#outcome === undefined ? {} : { outcome: this.#outcome }),
      statesAreRead: !this.#state.isTold,
      state: this.#state.lane(last),
      tools: { ...this.#tools.spans.lane(last), names: this.#tools.names(), failed: this.#tools.failed },
      requests: this.requests.spans.lane(last),
      output: { ...this.#output.spans.lane(last), characters: this.#output.characters },
      subagents: this.#subagents.spans.lane(last),
      errors: this.#errors,
      buckets: this.#buckets.all(),
      violations: this.#violations,
    };
  }

  #introduce(activity: Activity): void {
    this.#agentName ??= activity.agentName === undefined ? undefined : shortenLabel(activity.agentName, 80);
    if (activity.parent !== undefined && activity.parent.session !== this.session) this.parentSession ??= activity.parent.session;
    this.conversation ??= activity.conversation;
    if (activity.kind === "session.opened") this.#goal ??= goalOf(activity.goal ?? activity.summary);
    if (activity.kind === "goal" || activity.kind === "prompt") this.#goal ??= goalOf(activity.text);
    if (activity.kind === "error") this.#errors++;
  }

  /** The first end counts; events after it are reported by a rule. */
  #close(outcome: string, at: TraceMoment): void {
    this.#outcome ??= outcome;
    for (const spans of [this.#tools.spans, this.requests.spans, this.#output.spans, this.#subagents.spans]) spans.leaveAll(at);
  }
}

function goalOf(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : shortenLabel(text);
}

function sumOf(one: AddedCounts, other: AddedCounts): AddedCounts {
  return {
    toolsStarted: (one.toolsStarted ?? 0) + (other.toolsStarted ?? 0),
    toolsFailed: (one.toolsFailed ?? 0) + (other.toolsFailed ?? 0),
    requestsAsked: (one.requestsAsked ?? 0) + (other.requestsAsked ?? 0),
    characters: (one.characters ?? 0) + (other.characters ?? 0),
  };
}

const NOTHING: AddedCounts = {};

/** The agent's output, streamed or whole. */
class OutputFold {
  readonly spans = new OpenSpans<OutputSpan>();
  #characters = 0;

  get characters(): number {
    return this.#characters;
  }

  handle(activity: Activity, at: TraceMoment): AddedCounts {
    if (activity.kind === "response") {
      // A response that repeats a streamed output is not counted twice.
      const streamed = `=`;
      if (this.spans.has(streamed)) {
        this.spans.end(streamed, at);
        return NOTHING;
      }
      return this.#piece(undefined, activity.text.length, true, at);
    }
    if (activity.kind !== "output.chunk" || activity.of === "thought") return NOTHING;
    return this.#piece(`=${shortenLabel(activity.outputId ?? "", 256)}`, activity.text.length, activity.last, at);
  }

  #piece(key: string | undefined, characters: number, isLast: boolean, at: TraceMoment): AddedCounts {
    this.#characters += characters;
    const grow = (span: OutputSpan): OutputSpan => ({
      ...span,
      to: at,
      characters: span.characters + characters,
      chunks: span.chunks + 1,
    });
    const own =
      key !== undefined && this.spans.has(key) ? key : this.spans.begin(key, at, (begun) => ({ ...begun, characters: 0, chunks: 0 }));
    if (isLast) this.spans.end(own, at, grow);
    else this.spans.change(own, grow);
    return { characters };
  }
}

/** The subagents that the agent itself reports. */
class SubagentFold {
  readonly spans = new OpenSpans<SubagentSpan>();

  handle(activity: Activity, session: string, at: TraceMoment): void {
    // A child session's event about itself does not make it its own child.
    if ((activity.kind !== "subagent.started" && activity.kind !== "subagent.ended") || activity.child === session) return;
    const { child, childAgent, callId } = activity;
    const key = child ?? callId;
    const own = key === undefined ? undefined : `=${shortenLabel(key, 256)}`;
    const make = (begun: RowSpan): SubagentSpan => ({
      ...begun,
      name: shortenLabel(childAgent ?? child ?? ""),
      ...(child === undefined ? {} : { child: shortenLabel(child) }),
    });
    if (activity.kind === "subagent.started") {
      this.spans.begin(own, at, make);
      return;
    }
    const { outcome } = activity;
    const open = own !== undefined && this.spans.has(own) ? own : this.spans.search(({ name }) => name === shortenLabel(childAgent ?? ""));
    if (open === undefined) this.spans.instant(at, make);
    else this.spans.end(open, at, (span) => ({ ...span, ...(outcome === undefined ? {} : { outcome: shortenLabel(outcome, 40) }) }));
  }
}
