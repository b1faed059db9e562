import { brief } from "../brief.ts";
import { type Finding, NO_FINDINGS } from "../finding.ts";
import { HashTable, hashText } from "../hash-table.ts";
import {
  ID_CAPACITY,
  type Judge,
  type JudgeOptions,
  type Reading,
  type ReadingFacts,
  SESSION_CAPACITY,
  TOMB_CAPACITY,
  type Told,
} from "../protocol.ts";
import { clip } from "../schema.ts";
import { SessionTable } from "../session-table.ts";
import { createTeller, type ToldOnce } from "../teller.ts";
import { type Answer, readAnswer } from "./answer.ts";
import { HeldAnswers } from "./held-answers.ts";
import { actionIdOf, joinAnswer, mayBeAnswered } from "./join.ts";
import { closeSession, compactSession, openSession, type SessionState, stepSession } from "./lifecycle.ts";
import { type Request, Requests } from "./requests.ts";
import { AEP_RULES, type AepRuleId } from "./rules.ts";
import { conversationOf, isBoundary, keyFor, type ScopeKind, sessionOf } from "./scope.ts";
import { isNewCase } from "./told-cases.ts";

/** How many ended sessions keep their finished rows, for events that come late. */
const ENDED_IN_FULL = 1024;

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
  readonly #sharesIds: boolean;
  readonly #requests = new Requests();
  readonly #held = new HeldAnswers();
  /** The agents heard, in brief, with the seeds for the hashes of their ids. */
  readonly #agents = new Map<string, readonly [number, number]>();
  readonly #table: SessionTable<SessionState>;
  /** Keys of the sessions ended last, in a ring. */
  readonly #ended: string[] = [];
  #nextEnded = 0;
  /** What events outside of any session were told once. */
  readonly #alone: ToldOnce = {};
  /** Rows and questions forgotten by sessions, and responses not looked for because of too many agents. */
  #forgotten = 0;
  #lastOwner: string | undefined;
  #seedA = 0;
  #seedB = 0;
  // The session of the last event: most events come in runs, and comparing two strings is cheaper than joining them.
  #lastAgent: string | undefined;
  #lastScope = "";
  #lastKind: ScopeKind = "session";
  #lastKey = "";
  #lastState: SessionState | undefined;

  constructor({ tell, ids, idCapacity = ID_CAPACITY, sessionCapacity = SESSION_CAPACITY }: JudgeOptions) {
    this.#tell = createTeller(AEP_RULES, tell);
    this.#ids = ids ?? new HashTable(idCapacity);
    this.#sharesIds = ids !== undefined;
    this.#table = new SessionTable({ sessions: sessionCapacity, tombs: Math.min(idCapacity, TOMB_CAPACITY) });
  }

  get sessions(): number {
    return this.#table.total;
  }

  get forgotten(): number {
    return (this.#sharesIds ? 0 : this.#ids.forgotten) + this.#table.forgotten + this.#held.forgotten + this.#forgotten;
  }

  hear(reading: Reading, at: number, facts: ReadingFacts): void {
    const known = this.#addId(reading, facts);
    if (known === facts.bodyHash) return; // delivered again: everything about it was said the first time
    const conflict = known !== undefined;
    if (reading.kind === "message") this.#hearResponse(reading, at, conflict);
    else this.#hearEvent(reading, at, conflict);
  }

  end(): void {
    for (const { requestId, at, eventId } of this.#held.takeAll()) {
      const message = `No event with the id ${clip(requestId ?? "", 60)} was heard.`;
      const finding = { rule: rule("aep/response-needs-request"), message, pointer: "/request_event_id" };
      this.#tell(finding, { at, eventId, sessionId: undefined }, this.#alone);
    }
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
    if (this.#ids.forgotten > 0) return true;
    if (this.#agents.size >= AGENTS) {
      this.#forgotten++;
      return true;
    }
    for (const [seedA, seedB] of this.#agents.values()) {
      if (this.#ids.get(hashText(eventId, seedA), hashText(eventId, seedB)) !== undefined) return true;
    }
    return false;
  }

  #hearEvent(reading: Reading, at: number, conflict: boolean): void {
    const state = this.#stateOf(reading);
    const told = state?.told ?? this.#alone;
    if (conflict || reading.findings !== NO_FINDINGS) {
      const place = placeOf(reading, at);
      if (conflict) this.#tellConflict(place, told);
      this.#tellAll(reading.findings, place, told);
    }
    // A conversation may have many sessions: an event that does not say which one begins or ends none.
    if (state !== undefined && !(this.#lastKind === "conversation" && isBoundary(reading))) {
      const wasOpen = state.phase === "open";
      const { forgotten } = state;
      const { findings } = stepSession(state, reading, at);
      if (findings !== NO_FINDINGS) this.#tellAll(findings, placeOf(reading, at), told);
      this.#forgotten += state.forgotten - forgotten;
      if (wasOpen && state.phase === "ended") this.#keepEnded(this.#lastKey);
    }
    if (reading.eventId === undefined) return;
    const waiting = this.#held.isEmpty ? NO_ANSWERS : this.#held.take(brief(reading.eventId));
    if (!mayBeAnswered(reading)) return;
    const request: Request = {
      at,
      session: state === undefined ? undefined : this.#lastKey,
      actionId: actionIdOf(reading),
      behavior: undefined,
      answeredAt: 0,
      ambiguous: conflict,
    };
    this.#requests.keep(reading.eventId, request);
    for (const answer of waiting) {
      this.#join(answer, request, { at: answer.at, eventId: answer.eventId, sessionId: sessionOf(request.session) });
    }
  }

  #hearResponse(reading: Reading, at: number, conflict: boolean): void {
    const { request_event_id: requestId } = reading.value;
    const found = typeof requestId === "string" ? this.#requests.get(requestId) : undefined;
    const request = found?.ambiguous === true ? undefined : found;
    const place: Place = { at, eventId: reading.eventId, sessionId: sessionOf(request?.session) };
    if (conflict || reading.findings !== NO_FINDINGS) {
      const told = this.#sessionOf(request)?.told ?? this.#alone;
      if (conflict) this.#tellConflict(place, told);
      this.#tellAll(reading.findings, place, told);
    }
    if (request !== undefined) this.#join(readAnswer(reading.value, at), request, place);
    else if (typeof requestId === "string" && requestId !== "" && found === undefined) {
      // Heard, but so long ago that only its id is known: whether the answer fits it cannot be said any more.
      if (this.#mayHaveHeard(requestId)) this.#forgotten++;
      else this.#held.hold(brief(requestId), readAnswer(reading.value, at));
    }
  }

  /** A response and the event that it answers, whichever of them was recorded first. */
  #join(answer: Answer, request: Request, place: Place): void {
    const state = this.#sessionOf(request);
    const forgotten = state?.forgotten ?? 0;
    this.#tellAll(joinAnswer(answer, request, state), place, state?.told ?? this.#alone);
    this.#forgotten += (state?.forgotten ?? 0) - forgotten;
  }

  #sessionOf(request: Request | undefined): SessionState | undefined {
    return request?.session === undefined ? undefined : this.#table.get(request.session);
  }

  /** The session of an event, or failing that its conversation; with neither, nothing about it can be joined. */
  #stateOf(reading: Reading): SessionState | undefined {
    const { agentId, sessionId } = reading;
    const scope = sessionId ?? conversationOf(reading);
    if (scope === undefined) return undefined;
    const kind: ScopeKind = sessionId === undefined ? "conversation" : "session";
    if (this.#lastState !== undefined && scope === this.#lastScope && agentId === this.#lastAgent && kind === this.#lastKind) {
      return this.#lastState;
    }
    const key = keyFor(kind, agentId ?? "", scope);
    let state = this.#table.get(key);
    if (state === undefined) {
      state = openSession(this.#table.tomb(key) !== undefined);
      this.#table.open(key, state);
    } else {
      this.#table.touch(key, state);
    }
    this.#lastAgent = agentId;
    this.#lastScope = scope;
    this.#lastKind = kind;
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
    if (state?.phase !== "ended") return;
    const { forgotten } = state;
    compactSession(state);
    this.#forgotten += state.forgotten - forgotten;
  }

  #tellConflict(place: Place, told: ToldOnce): void {
    const message = `The id ${clip(place.eventId ?? "", 60)} was used before, for something else.`;
    this.#tell({ rule: rule("aep/id-unique"), message, pointer: "/id" }, place, told);
  }

  #tellAll(findings: readonly Finding[], place: Place, told: ToldOnce): void {
    for (const finding of findings) {
      if (isNewCase(finding, told)) this.#tell(finding, place, told);
    }
  }
}

type Place = Omit<Told, "finding">;

const NO_ANSWERS: readonly Answer[] = [];

function placeOf({ eventId, sessionId }: Reading, at: number): Place {
  return { at, eventId, sessionId };
}

/** Lets the compiler check that the id is in the catalogue. */
function rule(id: AepRuleId): AepRuleId {
  return id;
}
