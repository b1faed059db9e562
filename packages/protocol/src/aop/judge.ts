import type { Finding } from "../finding.ts";
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
import { show } from "../schema.ts";
import { SessionTable } from "../session-table.ts";
import type { ToldOnce } from "../teller.ts";
import { hasEnded, sequenceOf } from "./lifecycle.ts";
import { isNews } from "./news.ts";
import { closeHeardSession, forgottenIn, type HeardSession, hearSession, openHeardSession, repeatedFinding } from "./session.ts";
import type { PlacedFinding } from "./tool-calls.ts";
import { type KnownFacts, SpawnTree } from "./tree.ts";

/** A session with the hashes of its name and of its agent's, so that they are not made anew for every event. */
interface Entry {
  readonly session: HeardSession;
  readonly high: number;
  readonly low: number;
  agentId: string;
  agentHigh: number;
  agentLow: number;
  lingers: boolean;
}

/** Ended sessions are kept for a while, because what they said last may still be on its way. */
const LINGERING_SESSIONS = 1024;

/** What a tombstone says: bit 0 ended, bit 1 announced, above them the number of the end as far as it fits. */
const ENDED = 1;
const ANNOUNCED = 2;
const MAX_TOMB_SEQUENCE = 0x0fff_ffff;

export function createAopJudge(options: JudgeOptions): Judge {
  return new AopJudge(options);
}

class AopJudge implements Judge {
  readonly #tellOne: (told: Told) => void;
  readonly #ids: HashTable;
  readonly #sharesIds: boolean;
  readonly #table: SessionTable<Entry>;
  readonly #tree: SpawnTree;
  readonly #wasHeard: (sessionId: string) => boolean;
  /** Told of events that belong to no session. */
  readonly #toldNowhere: ToldOnce = {};
  readonly #lingering: string[] = [];
  readonly #maxLingering: number;
  #oldestLingering = 0;
  /** What sessions forgot about themselves. */
  #forgottenInside = 0;

  constructor(options: JudgeOptions) {
    const sessions = options.sessionCapacity ?? SESSION_CAPACITY;
    const capacity = options.idCapacity ?? ID_CAPACITY;
    this.#tellOne = options.tell;
    this.#ids = options.ids ?? new HashTable(capacity);
    this.#sharesIds = options.ids !== undefined;
    this.#table = new SessionTable({ sessions, tombs: Math.min(capacity, TOMB_CAPACITY) });
    this.#maxLingering = Math.max(1, Math.min(LINGERING_SESSIONS, sessions >> 2));
    this.#tree = new SpawnTree((sessionId) => this.#table.get(sessionId)?.session.life);
    this.#wasHeard = (sessionId) => this.#table.get(sessionId) !== undefined || this.#table.tomb(sessionId) !== undefined;
  }

  get sessions(): number {
    return this.#table.total;
  }

  get forgotten(): number {
    return this.#table.forgotten + (this.#sharesIds ? 0 : this.#ids.forgotten) + this.#tree.forgotten + this.#forgottenInside;
  }

  hear(reading: Reading, at: number, facts: ReadingFacts): void {
    const { sessionId } = reading;
    if (reading.kind === "message" || sessionId === undefined) {
      this.#tellAll(reading.findings, at, sessionId, this.#toldNowhere);
      return;
    }
    let entry = this.#table.get(sessionId);
    if (entry === undefined) {
      const tomb = this.#table.tomb(sessionId);
      if (tomb !== undefined) {
        this.#hearBuried(reading, at, facts, tomb);
        return;
      }
      entry = this.#open(sessionId);
    } else {
      this.#table.touch(sessionId, entry);
    }
    const seen = this.#remember(entry, reading, facts);
    if (seen === "again") return;
    const { session } = entry;
    this.#tellAll(reading.findings, at, sessionId, session.told);
    if (seen === "repeated") this.#tellRepeated(reading, at, session.told);

    const { agentId, parentId, goal } = session.life;
    const forgotten = forgottenIn(session);
    this.#tellPlaced(hearSession(session, reading, at, seen === "repeated"), sessionId, session.told);
    this.#forgottenInside += forgottenIn(session) - forgotten;
    const { life } = session;
    if (life.parentId !== parentId || life.agentId !== agentId || life.goal !== goal) {
      this.#learn(sessionId, session, { agentId, parentId, goal }, at);
    }
    if (reading.type === "operation.agent_spawn") {
      this.#tellAll(this.#tree.spawn(reading, at, this.#wasHeard), at, sessionId, session.told);
    }
    if (!entry.lingers && hasEnded(life)) this.#linger(sessionId, entry);
  }

  end(): void {
    for (const [sessionId, entry] of this.#table.entries()) this.#close(sessionId, entry.session);
    for (const { sessionId, at, finding } of this.#tree.silent()) {
      this.#tell(finding, { at, eventId: undefined, sessionId }, this.#table.get(sessionId)?.session.told ?? {});
    }
  }

  #open(sessionId: string): Entry {
    const session = openHeardSession();
    const high = hashText(sessionId, 0x3c6ef372);
    const low = hashText(sessionId, 0x1f83d9ab);
    const entry: Entry = { session, high, low, agentId: "", agentHigh: 0, agentLow: 0, lingers: false };
    this.#table.open(sessionId, entry);
    this.#tree.heard(sessionId);
    return entry;
  }

  /** Whether the number is new, was said again as it was, or was used for another event before. */
  #remember(entry: Entry, reading: Reading, facts: ReadingFacts): "new" | "again" | "repeated" {
    const sequence = sequenceOf(reading.value["sequence"]);
    if (sequence === null) return "new";
    const agentId = reading.agentId ?? "";
    if (agentId !== entry.agentId) {
      entry.agentId = agentId;
      entry.agentHigh = hashText(agentId, 0x510e527f);
      entry.agentLow = hashText(agentId, 0x2b05688c);
    }
    const below = sequence | 0;
    const above = (sequence / 0x1_0000_0000) | 0;
    const high = mix(entry.high ^ entry.agentHigh ^ Math.imul(below, 0x2c1b3c6d) ^ above);
    const low = mix((entry.low + entry.agentLow) ^ Math.imul(below, 0x297a2d39) ^ Math.imul(above, 0x165667b1));
    const body = facts.bodyHash | 0;
    const kept = this.#ids.add(high, low, body);
    if (kept === undefined) return "new";
    return kept === body ? "again" : "repeated";
  }

  #learn(sessionId: string, session: HeardSession, before: KnownFacts, at: number): void {
    this.#tellAll(this.#tree.learn(sessionId, before, session.life), at, sessionId, session.told);
  }

  #linger(sessionId: string, entry: Entry): void {
    entry.lingers = true;
    this.#lingering.push(sessionId);
    if (this.#lingering.length - this.#oldestLingering <= this.#maxLingering) return;
    const oldest = this.#lingering[this.#oldestLingering] as string;
    this.#oldestLingering++;
    if (this.#oldestLingering >= LINGERING_SESSIONS) {
      this.#lingering.splice(0, this.#oldestLingering);
      this.#oldestLingering = 0;
    }
    const session = this.#table.get(oldest)?.session;
    if (session === undefined) return;
    this.#close(oldest, session);
    const { life } = session;
    const announced = life.phase === "ended" ? ANNOUNCED : 0;
    // Where several agents count, the number of the end says nothing about what the others say later.
    const end = session.mixed ? MAX_TOMB_SEQUENCE : (life.endedSequence ?? MAX_TOMB_SEQUENCE);
    this.#table.close(oldest, (Math.min(end, MAX_TOMB_SEQUENCE) << 2) | announced | ENDED);
  }

  #close(sessionId: string, session: HeardSession): void {
    const { agentId, parentId, goal, lastAt } = session.life;
    const forgotten = forgottenIn(session);
    this.#tellPlaced(closeHeardSession(session), sessionId, session.told);
    this.#forgottenInside += forgottenIn(session) - forgotten;
    this.#learn(sessionId, session, { agentId, parentId, goal }, lastAt);
  }

  /** An event of a session that ended long ago, or was set aside: only what the tombstone remembers can be said. */
  #hearBuried(reading: Reading, at: number, facts: ReadingFacts, tomb: number): void {
    const sessionId = reading.sessionId ?? "";
    const high = hashText(sessionId, 0x3c6ef372);
    const low = hashText(sessionId, 0x1f83d9ab);
    const told: ToldOnce = {};
    const entry: Entry = { session: openHeardSession(), high, low, agentId: "", agentHigh: 0, agentLow: 0, lingers: true };
    const seen = this.#remember(entry, reading, facts);
    if (seen === "again") return;
    this.#tellAll(reading.findings, at, sessionId, told);
    if (seen === "repeated") this.#tellRepeated(reading, at, told);
    if ((tomb & ENDED) === 0) return;
    const sequence = sequenceOf(reading.value["sequence"]);
    const place = { at, eventId: undefined, sessionId };
    if (reading.type === "session.ended") {
      this.#tell({ rule: "aop/ended-once", message: "The session has ended before." }, place, told);
    } else if (reading.type === "session.started" && (tomb & ANNOUNCED) !== 0) {
      this.#tell({ rule: "aop/started-once", message: "The session has started before." }, place, told);
    } else if (sequence !== null && sequence > tomb >>> 2 && tomb >>> 2 < MAX_TOMB_SEQUENCE) {
      this.#tell({ rule: "aop/nothing-after-ended", message: `${show(reading.type)} follows \`session.ended\`.` }, place, told);
    }
  }

  #tellRepeated(reading: Reading, at: number, told: ToldOnce): void {
    this.#tell(repeatedFinding(reading), { at, eventId: undefined, sessionId: reading.sessionId }, told);
  }

  #tellAll(findings: readonly Finding[], at: number, sessionId: string | undefined, told: ToldOnce): void {
    for (let index = 0; index < findings.length; index++) {
      this.#tell(findings[index] as Finding, { at, eventId: undefined, sessionId }, told);
    }
  }

  #tellPlaced(findings: readonly PlacedFinding[], sessionId: string, told: ToldOnce): void {
    for (let index = 0; index < findings.length; index++) {
      const { finding, at } = findings[index] as PlacedFinding;
      this.#tell(finding, { at, eventId: undefined, sessionId }, told);
    }
  }

  #tell(finding: Finding, place: Omit<Told, "finding">, told: ToldOnce): void {
    if (isNews(finding, told)) this.#tellOne({ finding, ...place });
  }
}

/** Spreads the bits, so that neighbouring numbers do not become neighbouring slots. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}
