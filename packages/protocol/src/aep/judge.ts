import { type Finding, NO_FINDINGS } from "../finding.ts";
import { HashTable, hashText } from "../hash-table.ts";
import { isObject } from "../json.ts";
import { ID_CAPACITY, type Judge, type JudgeOptions, type Reading, type ReadingFacts, SESSION_CAPACITY, type Told } from "../protocol.ts";
import { clip } from "../schema.ts";
import { SessionTable } from "../session-table.ts";
import { createTeller, type ToldOnce } from "../teller.ts";
import { closeSession, compactSession, isBehavior, openSession, type SessionState, stepSession } from "./lifecycle.ts";
import { brief } from "./recent.ts";
import { type Request, Requests } from "./requests.ts";
import { AEP_RULES, type AepRuleId } from "./rules.ts";

/** How many ended sessions keep their finished rows, for events that come late. */
const ENDED_IN_FULL = 256;

/** Past this many agents it is no longer asked which of them an id may belong to. */
const AGENTS = 1000;
const RESPONSES = "\u0000responses";
const SEED_A = 0x243f6a88;
const SEED_B = 0x13198a2e;

export function createAepJudge(options: JudgeOptions): Judge {
  return new AepJudge(options);
}

class AepJudge implements Judge {
  readonly #tell: ReturnType<typeof createTeller>;
  readonly #ids: HashTable;
  readonly #requests = new Requests();
  /** The agents heard, in brief, with the seeds for the hashes of their ids. */
  readonly #agents = new Map<string, readonly [number, number]>();
  readonly #table: SessionTable<SessionState>;
  /** Keys of the sessions ended last, in a ring. */
  readonly #ended: string[] = [];
  #nextEnded = 0;
  /** What events outside of any session were told once. */
  readonly #alone: ToldOnce = {};
  #lastOwner: string | undefined;
  #seedA = 0;
  #seedB = 0;
  // The session of the last event: most events come in runs, and comparing two strings is cheaper than joining them.
  #lastAgent: string | undefined;
  #lastSession = "";
  #lastKey = "";
  #lastState: SessionState | undefined;

  constructor({ tell, idCapacity = ID_CAPACITY, sessionCapacity = SESSION_CAPACITY }: JudgeOptions) {
    this.#tell = createTeller(AEP_RULES, tell);
    this.#ids = new HashTable(idCapacity);
    this.#table = new SessionTable({ sessions: sessionCapacity, tombs: idCapacity });
  }

  get sessions(): number {
    return this.#table.total;
  }

  get forgotten(): number {
    return this.#ids.forgotten + this.#table.forgotten;
  }

  hear(reading: Reading, at: number, facts: ReadingFacts): void {
    const known = this.#addId(reading, facts);
    if (known === facts.bodyHash) return; // delivered again: everything about it was said the first time
    const conflict = known !== undefined;
    if (reading.kind === "message") this.#hearResponse(reading, at, conflict);
    else this.#hearEvent(reading, at, conflict);
  }

  end(): void {
    for (const [key, state] of this.#table.entries()) {
      for (const finding of closeSession(state)) {
        this.#tell(finding, { at: finding.since ?? 0, eventId: undefined, sessionId: sessionOf(key) }, state.told);
      }
    }
  }

  /** The hash kept for this id, if it was heard before. Ids are the agent's own; responses have no agent. */
  #addId({ eventId, agentId, kind }: Reading, facts: ReadingFacts): number | undefined {
    if (eventId === undefined) return undefined;
    const owner = kind === "message" ? RESPONSES : (agentId ?? "");
    if (owner !== this.#lastOwner) {
      this.#lastOwner = owner;
      this.#seedA = hashText(owner, SEED_A);
      this.#seedB = hashText(owner, SEED_B);
      if (kind === "event" && this.#agents.size < AGENTS) this.#agents.set(brief(owner), [this.#seedA, this.#seedB]);
    }
    return this.#ids.add(hashText(eventId, this.#seedA), hashText(eventId, this.#seedB), facts.bodyHash);
  }

  /** Whether an event of this id may have been heard, of whichever agent. Asked only where a response seems lost. */
  #mayHaveHeard(eventId: string): boolean {
    if (this.#ids.forgotten > 0 || this.#agents.size >= AGENTS) return true;
    for (const [seedA, seedB] of this.#agents.values()) {
      if (this.#ids.get(hashText(eventId, seedA), hashText(eventId, seedB)) !== undefined) return true;
    }
    return false;
  }

  #hearEvent(reading: Reading, at: number, conflict: boolean): void {
    const state = reading.sessionId === undefined ? undefined : this.#stateOf(reading.agentId, reading.sessionId);
    const told = state?.told ?? this.#alone;
    if (conflict || reading.findings !== NO_FINDINGS) {
      const place = placeOf(reading, at);
      if (conflict) this.#tellConflict(place, told);
      this.#tellAll(reading.findings, place, told);
    }
    if (state !== undefined) {
      const wasOpen = state.phase === "open";
      const { findings } = stepSession(state, reading, at);
      if (findings !== NO_FINDINGS) this.#tellAll(findings, placeOf(reading, at), told);
      if (wasOpen && state.phase === "ended") this.#keepEnded(this.#lastKey);
    }
    // No hook waits on a delta, and there are many.
    if (reading.eventId === undefined || reading.type === "model.delta") return;
    const { action } = reading.value;
    this.#requests.keep(reading.eventId, {
      at,
      session: state === undefined ? undefined : this.#lastKey,
      actionId: isObject(action) && typeof action["id"] === "string" ? brief(action["id"]) : undefined,
      behavior: undefined,
      answeredAt: 0,
      ambiguous: conflict,
    });
  }

  #hearResponse(reading: Reading, at: number, conflict: boolean): void {
    const { request_event_id: requestId } = reading.value;
    const found = typeof requestId === "string" ? this.#requests.get(requestId) : undefined;
    const request = found?.ambiguous === true ? undefined : found;
    const state = request?.session === undefined ? undefined : this.#table.get(request.session);
    const told = state?.told ?? this.#alone;
    const place: Place = {
      at,
      eventId: reading.eventId,
      sessionId: request?.session === undefined ? undefined : sessionOf(request.session),
    };
    if (conflict) this.#tellConflict(place, told);
    this.#tellAll(reading.findings, place, told);
    if (request === undefined) {
      if (typeof requestId !== "string" || requestId === "" || this.#mayHaveHeard(requestId)) return;
      const message = `No event with the id ${clip(requestId, 60)} was heard before.`;
      this.#tell({ rule: rule("aep/response-needs-request"), message, pointer: "/request_event_id" }, place, told);
      return;
    }
    this.#tellAll(compareWithRequest(reading, request), place, told);
    if (!this.#isFirst(reading, request, place, told) || state === undefined) return;
    this.#tellAll(stepSession(state, reading, at).findings, place, told);
  }

  /** Only the first answer counts. Saying the same thing twice surprises nobody. */
  #isFirst({ value: { control } }: Reading, request: Request, place: Place, told: ToldOnce): boolean {
    const behavior = isObject(control) ? control["behavior"] : undefined;
    if (!isBehavior(behavior)) return false;
    if (request.behavior === undefined) {
      request.behavior = behavior;
      request.answeredAt = place.at;
      return true;
    }
    if (request.behavior === behavior) return false;
    const message = `The event was answered \`${request.behavior}\` before; this \`${behavior}\` comes too late.`;
    this.#tell({ rule: rule("aep/one-response"), message, pointer: "/control/behavior", since: request.answeredAt }, place, told);
    return false;
  }

  #stateOf(agentId: string | undefined, sessionId: string): SessionState {
    if (this.#lastState !== undefined && sessionId === this.#lastSession && agentId === this.#lastAgent) {
      return this.#lastState;
    }
    const key = keyFor(agentId ?? "", sessionId);
    let state = this.#table.get(key);
    if (state === undefined) {
      state = openSession(this.#table.tomb(key) !== undefined);
      this.#table.open(key, state);
    } else {
      this.#table.touch(key, state);
    }
    this.#lastAgent = agentId;
    this.#lastSession = sessionId;
    this.#lastKey = key;
    this.#lastState = state;
    return state;
  }

  #keepEnded(key: string): void {
    const former = this.#ended[this.#nextEnded];
    this.#ended[this.#nextEnded] = key;
    this.#nextEnded = (this.#nextEnded + 1) % ENDED_IN_FULL;
    if (former === undefined) return;
    const state = this.#table.get(former);
    if (state?.phase === "ended") compactSession(state);
  }

  #tellConflict(place: Place, told: ToldOnce): void {
    const message = `The id ${clip(place.eventId ?? "", 60)} was used before, for something else.`;
    this.#tell({ rule: rule("aep/id-unique"), message, pointer: "/id" }, place, told);
  }

  #tellAll(findings: readonly Finding[], place: Place, told: ToldOnce): void {
    for (const finding of findings) {
      if (finding.rule === "aep/should-carry") {
        // Once in a session for each type and gap: the catalogue knows only once for each rule.
        if (told[finding.message] === true) continue;
        told[finding.message] = true;
      }
      this.#tell(finding, place, told);
    }
  }
}

type Place = Omit<Told, "finding">;

/** Whether a response carries the action id of the event that it answers. */
function compareWithRequest({ value }: Reading, { actionId, at }: Request): readonly Finding[] {
  const { action_id: given } = value;
  if (given === undefined || given === null) {
    if (actionId === undefined) return NO_FINDINGS;
    const message = `The event answered has the action id ${clip(actionId, 60)}, and \`action_id\` is missing.`;
    return [{ rule: rule("aep/response-carries-action-id"), message, pointer: "/action_id", since: at }];
  }
  if (typeof given !== "string" || given === "" || brief(given) === actionId) return NO_FINDINGS;
  const asked = actionId === undefined ? "no action id" : `the action id ${clip(actionId, 60)}`;
  const message = `\`action_id\` is ${clip(given, 60)}; the event answered has ${asked}.`;
  return [{ rule: rule("aep/response-action-id"), message, pointer: "/action_id", since: at }];
}

/** The length in front keeps two agents apart whatever characters their names have. */
function keyFor(agent: string, session: string): string {
  const owner = brief(agent);
  return `${owner.length} ${owner}${brief(session)}`;
}

function sessionOf(key: string): string {
  const space = key.indexOf(" ");
  return key.slice(space + 1 + Number(key.slice(0, space)));
}

function placeOf({ eventId, sessionId }: Reading, at: number): Place {
  return { at, eventId, sessionId };
}

/** Lets the compiler check that the id is in the catalogue. */
function rule(id: AepRuleId): AepRuleId {
  return id;
}
