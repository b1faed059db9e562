import { type KeyObject, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@earshot/protocol";
import { type FindingPlace, judgeConversation, type LiveReportFinding, toLiveFinding } from "../live-report.ts";
import { type ConnectOptions, type DrivenConnection, type DrivenPeer, ReceivedStream, type StreamItem } from "../peer/peer.ts";
import { type RunningCommand, readCommandOutput, startCommand } from "../run-command.ts";
import type { DrivePatience, Situation, Situations } from "../situations.ts";
import { DriveConnection, ObservedSession } from "./drive-connection.ts";
import type { DriveMemory } from "./drive-memory.ts";
import { eventIdOf, isEnd, type ObservedQuestion, type QuestionKind, sessionOf, stampOf, toQuestion } from "./question.ts";

export interface ProducerStageOptions {
  readonly peer: DrivenPeer;
  readonly level: 1 | 2 | 3;
  readonly situations: Situations;
  readonly patience: DrivePatience;
  /** The key for verifying signed manifests, if known. */
  readonly manifestKey: KeyObject | undefined;
  readonly memory: DriveMemory;
}

/** The result of a scenario: shown, or why it could not be. */
export type ScenarioResult = { readonly notShown: string } | undefined;

export const notShown = (why: string): ScenarioResult => ({ notShown: why });

/** The tools of a scenario: connections, ways to make the producer act, and a place for findings. */
export class ProducerStage {
  readonly peer: DrivenPeer;
  readonly patience: DrivePatience;
  readonly #options: ProducerStageOptions;
  readonly #lines: DriveConnection[] = [];
  readonly #findings: LiveReportFinding[] = [];
  readonly #shown = new Set<string>();
  readonly #commands: RunningCommand[] = [];
  readonly secret = `sk-live-${randomBytes(12).toString("hex")}`;
  #startedMs = Date.now();

  constructor(options: ProducerStageOptions) {
    this.#options = options;
    this.peer = options.peer;
    this.patience = options.patience;
  }

  get level(): 1 | 2 | 3 {
    return this.#options.level;
  }

  get manifestKey(): KeyObject | undefined {
    return this.#options.manifestKey;
  }

  /** Marks rules as tested. */
  shows(...rules: readonly string[]): void {
    for (const rule of rules) this.#shown.add(rule);
  }

  breaks(rule: string, message: string, item?: StreamItem): void {
    this.shows(rule);
    const place: FindingPlace = item === undefined ? {} : { eventId: eventIdOf(item), sessionId: sessionOf(item) };
    this.#findings.push(toLiveFinding({ rule, message }, place));
  }

  async connect(options?: ConnectOptions): Promise<DriveConnection> {
    return this.#keep(await this.peer.connect(options));
  }

  /** A connection that receives everything and can answer: with a handshake if the level has one, otherwise if needed. */
  async open(capabilities: JsonObject = {}): Promise<DriveConnection | undefined> {
    const line = await this.connect();
    const isPlain = Object.keys(capabilities).length === 0;
    if (this.level < 3 && isPlain && (await line.connection.listen())) return this.#settled(line);
    const answer = await this.request(line, { ...EVERYTHING, ...capabilities });
    if (answer?.["type"] === "subscription.accepted") return this.#settled(line);
    // A producer without a handshake is still judged by its events, and by its silence.
    return answer === undefined && isPlain && (await line.connection.listen()) ? this.#settled(line) : undefined;
  }

  /** A producer may replay earlier events: those sessions were not requested by the drive. */
  async #settled(line: DriveConnection): Promise<DriveConnection> {
    const { quietMs } = this.patience;
    const from = line.stream.items.length;
    let last = await line.stream.until((item) => sessionOf(item) !== undefined, quietMs / 4, from);
    while (last !== undefined) {
      const { index } = last;
      last = await line.stream.until((item) => item.index > index && sessionOf(item) !== undefined, quietMs / 4, index);
    }
    line.keepApart(line.stream.items);
    return line;
  }

  /** The answer to a subscription request with exactly these terms, or undefined for silence. */
  async request(line: DriveConnection, capabilities: JsonObject, version = "1.0.0"): Promise<JsonObject | undefined> {
    const answer = await line.subscribe(toSubscriptionRequest(capabilities, version), this.#wait("handshake"));
    this.#memory.came("handshake", answer !== undefined);
    return answer;
  }

  /** The same connection after a cut, resumed after the last resumable event. */
  async resume(line: DriveConnection, lastEventId: string): Promise<DriveConnection | undefined> {
    const stream = new ReceivedStream();
    const opened = await this.peer.resume?.(line.subscriptionId, lastEventId, stream);
    if (opened === undefined) return undefined;
    const at = this.#lines.indexOf(line);
    if (at >= 0) this.#lines.splice(at, 1);
    const connection: DrivenConnection = { ...bound(line.connection), stream, cut: () => opened.cut() };
    const resumed = new DriveConnection(connection, new Set(), { before: line, stream });
    this.#lines.push(resumed);
    return resumed;
  }

  /** Makes the producer act; returns the session, or undefined if nothing began. */
  async start(line: DriveConnection, situation: Situation): Promise<ObservedSession | undefined> {
    const from = line.stream.items.length;
    if (!(await this.trigger(line, situation))) return undefined;
    const known = new Set(this.#memory.sessions);
    for (const item of line.stream.items.slice(0, from)) note(known, item);
    const first = await line.stream.until((item) => isNew(item, known), this.#wait("start"), from);
    const id = first === undefined ? undefined : sessionOf(first);
    this.#memory.came("start", id !== undefined);
    return id === undefined ? undefined : new ObservedSession(id, line, from);
  }

  /** The terminal event of a session; undefined on timeout. */
  async end(session: ObservedSession): Promise<StreamItem | undefined> {
    const end = await session.until(isEnd, this.#wait("end"));
    this.#memory.came("end", end !== undefined);
    return end;
  }

  async trigger(line: DriveConnection, situation: Situation): Promise<boolean> {
    const how = this.#options.situations.triggers[situation];
    if (how === undefined) return false;
    this.#startedMs = Math.min(this.#startedMs, Date.now());
    if ("wait" in how) return true;
    if ("run" in how) {
      const started = await startCommand(how.run);
      if (started !== undefined) this.#commands.push(started);
      return started !== undefined;
    }
    const message = JSON.parse(JSON.stringify(how.send).replaceAll("{secret}", this.secret)) as JsonObject;
    const receipt = await line.connection.send(message);
    return receipt === undefined || receipt.status < 400;
  }

  /** Whether the user specified how to reach this situation. */
  isGiven(situation: Situation): boolean {
    return this.#options.situations.triggers[situation]?.given === true;
  }

  /** Whether another attendant can answer. */
  get isAttended(): boolean {
    return this.#options.situations.attended;
  }

  /** Whether an earlier scenario had this session. */
  isKnown(session: string): boolean {
    return this.#memory.sessions.has(session);
  }

  /** Types and states seen in the drive so far. */
  get heard(): Pick<DriveMemory, "types" | "states"> {
    return this.#memory;
  }

  /** The question of a session; undefined if it ends without one. */
  async question(session: ObservedSession, kind: QuestionKind): Promise<ObservedQuestion | undefined> {
    const item = await session.until((one) => toQuestion(one)?.kind === kind || isEnd(one), this.patience.answerMs);
    return item === undefined ? undefined : toQuestion(item);
  }

  /** The same session on another connection. */
  on(line: DriveConnection, session: ObservedSession): ObservedSession {
    return new ObservedSession(session.id, line, 0);
  }

  quiet(): Promise<void> {
    return sleep(this.patience.quietMs);
  }

  /** The state of the outside world; undefined without a probe. */
  async world(): Promise<string | undefined> {
    const { probe } = this.#options.situations;
    if (probe === undefined) return undefined;
    if ("run" in probe) return readCommandOutput(probe.run);
    return (await this.peer.get(probe.get))?.body;
  }

  /** Ends all connections properly and judges each. */
  async finish(): Promise<{ readonly findings: readonly LiveReportFinding[]; readonly shown: readonly string[]; readonly events: number }> {
    let events = 0;
    for (const line of this.#lines) {
      for (const problem of line.stream.unreadable) this.breaks("aaep/required-fields", `A frame cannot be read: ${problem.message}`);
      this.#judgeTimes(line);
      const reused = line.stream.items.filter((item) => this.#memory.isReused(item));
      for (const item of reused) this.breaks("aaep/reply-token-unique", "The token was used for another question before.", item);
      const judged = judgeConversation({ texts: line.texts(), whole: !line.leftEarly, level: this.level });
      this.#findings.push(...judged.findings.filter(({ rule }) => rule !== JUDGED_BY_ARRIVAL));
      this.shows(...judged.exercised.filter((rule) => rule !== JUDGED_BY_ARRIVAL));
      events += judged.events;
    }
    for (const line of this.#lines) {
      for (const item of line.stream.items) this.#memory.handle(item);
      await this.#leave(line);
    }
    for (const command of this.#commands) command.stop();
    return { findings: this.#findings, shown: [...this.#shown], events };
  }

  get #memory(): DriveMemory {
    return this.#options.memory;
  }

  #wait(what: "start" | "end" | "handshake"): number {
    const { answerMs, quietMs } = this.patience;
    return this.#memory.patience(what, { longMs: answerMs, shortMs: 2 * quietMs });
  }

  async #leave(line: DriveConnection): Promise<void> {
    try {
      await line.close();
      await line.cut();
    } catch {
      // The producer has gone, which was reported where it mattered.
    }
  }

  #keep(connection: DrivenConnection): DriveConnection {
    const strangers = new Set(this.#memory.sessions);
    for (const other of this.#lines) for (const item of other.stream.items) note(strangers, item);
    const line = new DriveConnection(connection, strangers);
    this.#lines.push(line);
    return line;
  }

  /** An event's time must be neither after its arrival nor before anything was requested. */
  #judgeTimes(line: DriveConnection): void {
    const { clockMs } = this.patience;
    for (const item of line.stream.items) {
      const stamp = stampOf(item);
      const session = sessionOf(item);
      if (stamp === undefined || session === undefined || this.#memory.sessions.has(session) || line.isStranger(session)) continue;
      this.shows("aaep/timestamps-honest");
      const seconds = Math.round((stamp - item.wallMs) / 1000);
      if (stamp > item.wallMs + clockMs) this.breaks("aaep/timestamps-honest", `An event is dated ${seconds} s after it arrived.`, item);
      else if (stamp < this.#startedMs - clockMs) {
        this.breaks("aaep/timestamps-honest", `An event is dated ${-seconds} s before it arrived, and before it was asked for.`, item);
      } else continue;
      return;
    }
  }
}

/** Recordings only contain event times; here arrival times are known, and a scenario checks them. */
const JUDGED_BY_ARRIVAL = "aaep/rate-honored";

/** A subscriber that requests everything. */
const EVERYTHING: JsonObject = {
  languages: ["en-US", "en"],
  supports_confirmation_reply: true,
  supports_clarification_reply: true,
  supported_conformance_levels: [1, 2, 3],
  event_filters: { include: ["aaep:agent.*"], exclude: [] },
};

export function toSubscriptionRequest(capabilities: JsonObject, version = "1.0.0"): JsonObject {
  return {
    type: "subscription.request",
    aaep_version: version,
    subscriber_id: "earshot-check",
    subscriber_name: "Earshot check",
    capabilities,
  };
}

function note(sessions: Set<string>, item: StreamItem): void {
  const session = sessionOf(item);
  if (session !== undefined) sessions.add(session);
}

function isNew(item: StreamItem, known: ReadonlySet<string>): boolean {
  const session = sessionOf(item);
  return session !== undefined && !known.has(session);
}

function bound(connection: DrivenConnection): Omit<DrivenConnection, "stream"> {
  return {
    listen: () => connection.listen(),
    subscribe: (request, waitMs) => connection.subscribe(request, waitMs),
    renegotiate: (message, waitMs) => connection.renegotiate(message, waitMs),
    sendMessage: (message) => connection.sendMessage(message),
    send: (message) => connection.send(message),
    cut: () => connection.cut(),
  };
}
