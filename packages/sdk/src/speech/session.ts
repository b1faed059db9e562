import { callQuietly, ownOptions } from "../plain/own.ts";
import { PlainCopy, type PlainObject } from "../plain/plain-copy.ts";
import { toAddress, toAmount, toDisplayText, toErrorMessage, toId, toOptionalText } from "../plain/text.ts";
import { AopEventWriter, type Payload, toObject } from "./event-writer.ts";
import { outcomeOfError } from "./outcome.ts";
import type {
  DecisionOptions,
  EndOptions,
  ExternalOptions,
  GoalOptions,
  GoalStatus,
  MemoryOperation,
  MemoryOptions,
  Metadata,
  SessionOptions,
  SpawnOptions,
  Status,
  ThoughtOptions,
  ToolOptions,
} from "./session-options.ts";
import type { SessionPorts } from "./session-ports.ts";
import { SpawnedAgent } from "./spawned-agent.ts";
import { ToolCall } from "./tool-call.ts";
import { type Spending, Totals } from "./totals.ts";

const LEFT = "The session was left before it was ended: by an error, an early return, or because end() was forgotten.";
const UNFINISHED = "Not finished when the session ended.";
const NAME_LENGTH = 256;
const MAX_ALTERNATIVES = 1000;

/**
 * One run of one agent, reported while it happens. Every method returns at once and none throws; events after the end are counted and
 * dropped. The agent need not know whether anything receives its events.
 */
export class Session {
  readonly sessionId: string;
  readonly agentId: string;
  readonly parentSessionId: string | undefined;
  readonly #ports: SessionPorts;
  readonly #writer: AopEventWriter;
  readonly #totals = new Totals();
  readonly #openCalls = new Set<ToolCall>();
  readonly #signal: AbortSignal | undefined;
  readonly #stopHeartbeats: () => void;
  #calls = 0;
  #status: Status = "running";
  #ended = false;

  constructor(ports: SessionPorts, options: SessionOptions | undefined) {
    const { goal, sessionId, parentSessionId, metadata, signal } = ownOptions(options);
    const { agentId, agentVersion, now, names } = ports;
    this.#ports = ports;
    this.sessionId = toId(sessionId ?? "", `sess_${ports.newId()}`);
    this.parentSessionId = parentSessionId === undefined ? undefined : toId(parentSessionId, "unknown");
    this.agentId = agentId;
    this.#signal = signal;
    const speaker = { sessionId: this.sessionId, agentId, agentVersion, parentSessionId: this.parentSessionId };
    this.#writer = new AopEventWriter({ speaker, now, names });
    this.#totals.goal = toOptionalText(goal);
    this.#emit("session.started", { goal: this.#totals.goal, agent_version: agentVersion, metadata });
    this.#stopHeartbeats = ports.every(() => this.heartbeat(this.#status));
  }

  /** The number of the next event. */
  get sequence(): number {
    return this.#writer.sequence;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  /** The agent's reasoning before it acts, in the model's own words. */
  thought(content: string, options?: ThoughtOptions): void {
    const { confidence, metadata } = ownOptions(options);
    this.#emit("cognition.thought", { content: toDisplayText(content), confidence, metadata });
  }

  /** An objective that is set, started, reached or abandoned. */
  goal(goal: string, status: GoalStatus = "set", options?: GoalOptions): void {
    const { parentGoal, metadata } = ownOptions(options);
    const text = toDisplayText(goal);
    if (status === "set" || status === "in_progress") this.#totals.goal = text;
    this.#emit("cognition.goal", { goal: text, status, parent_goal: toOptionalText(parentGoal), metadata });
  }

  /** A choice and its alternatives. */
  decision(decision: string, options?: DecisionOptions): void {
    const { alternatives, reasoning, metadata } = ownOptions(options);
    const others = callQuietly(() => alternatives?.slice(0, MAX_ALTERNATIVES).map(toDisplayText));
    const payload = { decision: toDisplayText(decision), reasoning: toOptionalText(reasoning), alternatives: others, metadata };
    this.#emit("cognition.decision", payload);
  }

  /** Something the agent is unsure about; `low` is least sure. */
  uncertainty(content: string, options?: ThoughtOptions): void {
    const { confidence, metadata } = ownOptions(options);
    this.#emit("cognition.uncertainty", { content: toDisplayText(content), confidence, metadata });
  }

  /**
   * Runs a tool between the events of its start and end, and returns or throws its result. `input` is sent as given: leave out or shorten
   * what nobody should read.
   */
  async tool<Result>(
    name: string,
    input: unknown,
    work: (call: ToolCall) => Result | Promise<Result>,
    options?: ToolOptions<Result>,
  ): Promise<Result> {
    const { resultSummary, tokenSpendDelta, metadata } = ownOptions(options);
    const call = this.startTool(name, input, metadata);
    try {
      const result = await work(call);
      call.succeeded({
        resultSummary: callQuietly(() => resultSummary?.(result)),
        tokenSpendDelta: callQuietly(() => tokenSpendDelta?.(result)),
      });
      return result;
    } catch (error) {
      call.failed(error);
      throw error;
    }
  }

  /** As `tool`, in two steps, for calls that cannot be wrapped. The caller must report the result. */
  startTool(name: string, input?: unknown, metadata?: Metadata): ToolCall {
    const id = `call_${++this.#calls}`;
    const tool = toDisplayText(name).slice(0, NAME_LENGTH);
    const startedMs = this.#ports.elapsedMs();
    const call = new ToolCall(id, tool, (success, { resultSummary, tokenSpendDelta, metadata: more }) => {
      const tokens = toAmount(tokenSpendDelta);
      const payload = {
        tool_name: tool,
        tool_call_id: id,
        success,
        duration_ms: Math.round((this.#ports.elapsedMs() - startedMs) * 1000) / 1000,
        result_summary: toOptionalText(resultSummary),
        metadata: more,
      };
      this.#openCalls.delete(call);
      this.#emit("operation.tool_end", payload, tokens === undefined ? undefined : { token_spend_delta: tokens });
      this.#totals.spend({ tokens });
    });
    if (!this.#ended) this.#openCalls.add(call);
    this.#totals.step();
    this.#emit("operation.tool_start", { tool_name: tool, tool_call_id: id, input: input ?? undefined, metadata });
    return call;
  }

  /** A read, write or deletion in the agent's memory. */
  memory(operation: MemoryOperation, options?: MemoryOptions): void {
    const { key, summary, metadata } = ownOptions(options);
    this.#emit("operation.memory", { operation, key: toOptionalText(key), summary: toOptionalText(summary), metadata });
  }

  /** A call to another service that is not a tool call. User and password are removed from the URL. */
  external(method: string, url: string, options?: ExternalOptions): void {
    const { statusCode, durationMs, metadata } = ownOptions(options);
    const amounts = { status_code: toAmount(statusCode), duration_ms: toAmount(durationMs) };
    this.#emit("operation.external_call", { method: toDisplayText(method), url: toAddress(url), ...amounts, metadata });
  }

  /** Announces a child agent. The result opens its session here, or is passed to the process that will. */
  spawn(options: SpawnOptions): SpawnedAgent {
    const { agentId, agentVersion, goal, metadata } = ownOptions(options);
    const child = new SpawnedAgent(this.#ports, { agentId, agentVersion, goal, parentSessionId: this.sessionId });
    const ids = { child_session_id: child.sessionId, child_agent_id: child.agentId };
    this.#emit("operation.agent_spawn", { ...ids, goal: child.goal, metadata });
    return child;
  }

  /** Reports that the agent is alive and its status; automatic heartbeats repeat the last status. */
  heartbeat(status: Status = "running", metadata?: Metadata): void {
    this.#status = status;
    const dropped = this.#ports.dropped();
    const facts = { ...this.#totals.running(), ...(dropped === 0 ? {} : { dropped_events: dropped }) };
    this.#emit("session.heartbeat", { status, metadata }, facts);
  }

  /** Adds to the session's usage; heartbeats and the end report the total. */
  spend(spending: Spending): void {
    callQuietly(() => this.#totals.spend(spending));
  }

  /** An event of a custom type, for example `billing.invoice_sent`. */
  custom(type: string, payload: Metadata = {}): void {
    const copy = callQuietly(() => new PlainCopy(60_000).of(payload));
    this.#emit(toId(type, "custom.event"), toObject(copy ?? {}));
  }

  /** Ends the session once. Open tool calls end with it. */
  end(options?: EndOptions): void {
    const { outcome = "completed", summary, errorMessage, totalCostUsd, totalTokens, metadata } = ownOptions(options);
    if (this.#ended) {
      this.#ports.ignored();
      return;
    }
    for (const call of this.#openCalls) call.failed(undefined, { resultSummary: UNFINISHED });
    const texts = { error_message: toOptionalText(errorMessage), outcome_summary: toOptionalText(summary) };
    const dropped = this.#ports.dropped();
    const facts = { ...this.#totals.final(totalCostUsd, totalTokens), ...(dropped === 0 ? {} : { dropped_events: dropped }) };
    this.#emit("session.ended", { outcome, ...texts, metadata }, facts);
    this.#ended = true;
    this.#stopHeartbeats();
    this.#ports.hasEnded(this);
  }

  /** Ends the session with an error: as cancelled or timed out if the error or the run's signal says so. */
  fail(error: unknown, options?: Omit<EndOptions, "outcome" | "errorMessage">): void {
    this.end({ ...ownOptions(options), outcome: outcomeOfError(error, this.#signal), errorMessage: toErrorMessage(error) });
  }

  /** A session that goes out of scope without an end counts as cancelled: success is never assumed. */
  [Symbol.dispose](): void {
    if (!this.#ended) this.end({ outcome: outcomeOfError(undefined, this.#signal), errorMessage: LEFT });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this[Symbol.dispose]();
  }

  #emit(type: string, payload: Payload, facts?: PlainObject): void {
    if (this.#ended) {
      this.#ports.ignored();
      return;
    }
    try {
      this.#ports.put(this.#writer.write(type, payload, facts));
    } catch {
      this.#ports.ignored(); // whatever it is, the agent's work is worth more than the telling of it
    }
  }
}
