import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonValue } from "@earshot/protocol";
import type { Decision } from "../../request.ts";
import type { Flag, Stored as StoredVerdict, Verdict } from "../../verdict.ts";
import { contentDigest } from "../content-digest.ts";
import type { Judgement, Lifecycle, Placing, RedactionMark, Submission } from "../ledger.ts";
import { readNotes, writeNotes } from "../notes.ts";
import { type Draft, openDraft } from "./draft.ts";
import { type LiveSession, LiveSessions } from "./live-sessions.ts";
import type { RecentEntry } from "./recent-entries.ts";
import { type EntryRow, ERASED_TEXT, EVENT, MESSAGE } from "./rows.ts";
import type { KnownRow, Stored } from "./stored.ts";
import type { Underway } from "./underway.ts";

/** What is known of a submission: it was stored before; or another one under its identity; or its number is not its own. */
interface Known {
  readonly same?: KnownRow;
  readonly conflict?: KnownRow;
  readonly shared?: true;
}

const LIVE_BYTES = 32 * 1024 * 1024;
const NO_MARKS: readonly RedactionMark[] = [];

export interface WriterOptions {
  readonly lifecycle: Lifecycle;
  readonly liveSessions: number;
  readonly onFailure: (error: unknown) => void;
}

/** A draft that is complete, with what it adds to the ledger. */
export interface Drafted {
  readonly draft: Draft;
  readonly entries: readonly RecentEntry[];
}

/**
 * Judges what is submitted and draws up what is to be written. What it keeps in memory is what the drafts will have made
 * true; `startOver` forgets it, when one of them could not be written.
 */
export class Writer {
  readonly #lifecycle: Lifecycle;
  readonly #options: WriterOptions;
  readonly #stored: Stored;
  readonly #sessions: LiveSessions;
  /** Sessions in this draft, whose state may have to be stored with it. */
  #touched = new Set<LiveSession>();
  #entries: RecentEntry[] = [];
  #draft = openDraft(0, 0);
  #head: number;

  constructor(stored: Stored, head: number, options: WriterOptions) {
    this.#options = options;
    this.#lifecycle = options.lifecycle;
    this.#stored = stored;
    this.#head = head;
    this.#sessions = new LiveSessions({
      lifecycle: options.lifecycle,
      stored,
      draft: () => this.#draft,
      capacity: options.liveSessions,
      capacityBytes: LIVE_BYTES,
      hearAgain: (live, row) => this.#hearAgain(live, row),
    });
  }

  get sessions(): LiveSessions {
    return this.#sessions;
  }

  /** Everything said from now on belongs to the next draft. */
  begin(epoch: number): void {
    this.#draft = openDraft(this.#draft.number + 1, epoch);
    this.#entries = [];
    this.#sessions.trim();
  }

  /** Stores one submission, or says why not. Throws only when the store itself fails. */
  write(submission: Submission): Verdict {
    const live = this.#sessionFor(submission);
    const identity = submission.identity === null ? null : identityKey(live.sourceKey, submission.identity);
    const known = this.#find(live, submission, identity);
    if (known?.same !== undefined) return duplicate(known.same);
    if (known?.conflict !== undefined && submission.sequence === null) return conflict(submission, known.conflict);
    const repeated = known?.conflict !== undefined;
    const position = this.#head + 1;
    const place = this.#placeOf(live, submission, position, repeated);
    const judgement = this.#judge(live, submission, place);
    if (judgement.refuse !== undefined) return { ok: false, problem: judgement.refuse };
    return this.#store(live, submission, known?.shared === true ? repeatKey(live, submission) : identity, judgement);
  }

  /** Takes a position for a decision. What becomes of it is found out when it is written: it may stay unused. */
  decide(decision: Decision, at: number): number {
    this.#head++;
    this.#draft.decisions.push({ position: this.#head, at, decision });
    this.#stored.addDecision();
    return this.#head;
  }

  /** Completes the draft. */
  finish(side: Pick<Draft, "refusals" | "counts">): Drafted {
    for (const live of this.#touched) this.#sessions.store(live);
    this.#touched = new Set(); // see UnderwayEntries: one that lives on keeps what was in it
    return { draft: { ...this.#draft, ...side, ...this.#stored.endDraft() }, entries: this.#entries };
  }

  /** What was drawn up after a position will not be written. */
  startOver(head: number): void {
    this.#head = head;
    this.#touched.clear();
    this.#entries = [];
    this.#sessions.forgetAll();
  }

  /** A message belongs to the session of what it answers; what answers nothing known belongs to none. */
  #sessionFor({ source, session, answers }: Submission): LiveSession {
    if (answers !== undefined) {
      const key = this.#stored.nameIn(this.#sessions.sourceKey(source), answers);
      const answered = key === undefined ? undefined : this.#sessions.ofKey(key);
      if (answered !== undefined) return answered;
    }
    return this.#sessions.of(source, session);
  }

  #find(live: LiveSession, submission: Submission, identity: string | null): Known | undefined {
    if (identity !== null) {
      const row = this.#stored.byIdentity(identity);
      if (row === undefined) return undefined;
      return isSame(row, submission.text) ? { same: row } : { conflict: row };
    }
    const { sequence, agent, text } = submission;
    // In order, as nearly always: nothing can have had this number.
    if (sequence === null || sequence > live.highest) return undefined;
    const used = this.#stored.numbered(live.info.key, sequence, this.#head + 1);
    if (used.length === 0) return undefined;
    // A sender that never counts gives one number to everything it says: its first event is compared, the others looked up.
    const again = this.#stored.byIdentity(repeatKey(live, submission));
    if (again !== undefined) return { same: again };
    const position = used.find((row) => row.agent === agent)?.position;
    const first = position === undefined ? undefined : this.#stored.at(position);
    if (first === undefined) return { shared: true };
    return isSame(first, text) ? { same: first } : { conflict: first, shared: true };
  }

  #placeOf(live: LiveSession, { answerable, agent }: Submission, position: number, repeated: boolean): Placing {
    if (answerable === undefined) return { position, repeated, nameUsedAt: null };
    return { position, repeated, nameUsedAt: this.#stored.nameUsed(live.sourceKey, answerable, agent, position) };
  }

  /** A fault of ours in judging must neither lose the event nor harm the others. */
  #judge(live: LiveSession, submission: Submission, place: Placing): Judgement {
    try {
      return this.#lifecycle.hear(live.state, submission, place);
    } catch (error) {
      this.#options.onFailure(error);
      this.#sessions.renew(live);
      const flag: Flag = { severity: "error", code: "INTERNAL", message: "This event could not be judged: a fault of Earshot's." };
      return { flags: [flag], ended: false };
    }
  }

  #store(live: LiveSession, submission: Submission, identity: string | null, judgement: Judgement): StoredVerdict {
    const position = this.#head + 1;
    const { receivedAt, source, type, agent, sequence, request } = submission;
    const text = judgement.text ?? submission.text;
    const said = judgement.text === undefined || judgement.text === submission.text ? null : digestOf(submission.text);
    const marks =
      submission.redactions.length === 0
        ? (judgement.redactions ?? NO_MARKS)
        : [...submission.redactions, ...(judgement.redactions ?? NO_MARKS)];
    const { flags } = judgement;
    const isHistory = submission.isHistory === true;
    const hasNotes = flags.length > 0 || marks.length > 0 || isHistory;
    const notes = hasNotes ? writeNotes({ flags, redactions: marks, ...(isHistory ? { isHistory } : {}) }) : null;
    const kind = submission.kind === "event" ? EVENT : MESSAGE;
    const verified = source.verified ? 1 : 0;
    const row: EntryRow = { position, session: live.info.key, received_at: receivedAt, kind, verified, type, agent, sequence, notes, text };
    this.#add(live, { row, sourceKey: live.sourceKey, identity, said, name: submission.answerable });
    this.#entries.push({ row, session: live.info });
    if (said !== null) live.storeNow = true;
    // What is unverified never opens a request, whoever forgot to check.
    if (request !== undefined && source.verified) {
      this.#draft.requests.push({ ...request, position, session: live.info.key, openedAt: receivedAt });
    }
    return { ok: true, position, duplicate: false, flags, redactions: marks.length };
  }

  #add(live: LiveSession, underway: Underway): void {
    const { row, identity, said, name } = underway;
    const { position, session, received_at, kind, verified, type, agent, sequence, notes, text } = row;
    this.#draft.entries.push(position, session, received_at, kind, verified, type, agent, sequence, identity, said, notes, text);
    if (name !== undefined) this.#draft.names.push([live.sourceKey, name, agent, session, position]);
    this.#stored.add(this.#draft.number, underway);
    this.#head = position;
    live.last = position;
    live.tailBytes += text.length;
    if (sequence !== null && sequence > live.highest) live.highest = sequence;
    this.#touched.add(live);
    this.#sessions.touch(live);
  }

  #hearAgain(live: LiveSession, row: EntryRow): void {
    if (row.kind !== EVENT && row.kind !== MESSAGE) return;
    const { protocol, source: name } = live.info;
    const reading = this.#lifecycle.read(protocol, row.text);
    const repeated =
      row.sequence !== null && this.#stored.numbered(live.info.key, row.sequence, row.position).some(({ agent }) => agent === row.agent);
    const used = this.#nameUsedBy(live, row);
    const source = { protocol, name, verified: row.verified === 1 };
    const { redactions } = readNotes(row.notes);
    this.#lifecycle.hear(
      live.state,
      { source, reading, text: row.text, redactions },
      { position: row.position, repeated, nameUsedAt: used },
    );
  }

  /** Where the name that this entry may be answered under had been used before it. */
  #nameUsedBy(live: LiveSession, row: EntryRow): number | null {
    const own = this.#stored.ownName(row.position, live.info.key);
    return own === undefined ? null : this.#stored.nameUsed(live.sourceKey, own, row.agent, row.position);
  }
}

/** Time-ordered ids stay in their order, which keeps the index's pages together; only endless ones are hashed. */
function identityKey(sourceKey: number, identity: string): string {
  return identity.length <= 200 ? `${sourceKey} ${identity}` : `${sourceKey} #${hash("sha256", identity, "hex")}`;
}

/** What recognises an event whose number was given to another one before: what it says, whatever the order of its members. */
function repeatKey({ sourceKey, info }: LiveSession, { sequence, agent, reading }: Submission): string {
  return `${sourceKey} =${info.key} ${sequence} ${hash("sha256", `${agent.length}:${agent}${canonical(reading.value)}`, "hex")}`;
}

function canonical(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

function digestOf(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

/** The same event again: nearly always the same bytes; else the same content. */
function isSame(row: KnownRow, text: string): boolean {
  if (row.said !== null && Buffer.compare(row.said, digestOf(text)) === 0) return true;
  if (row.said !== null) return row.text === ERASED_TEXT && Buffer.compare(row.said, contentDigest(text)) === 0;
  if (row.text === text) return true;
  try {
    return isDeepStrictEqual(JSON.parse(row.text), JSON.parse(text));
  } catch {
    return false; // a damaged entry is nobody's duplicate
  }
}

function duplicate({ position }: KnownRow): StoredVerdict {
  return { ok: true, position, duplicate: true, flags: [], redactions: 0 };
}

function conflict({ source, kind }: Submission, { position }: KnownRow): Verdict {
  const aaep = source.protocol === "aaep";
  return {
    ok: false,
    problem: {
      code: "EVENT_ID_CONFLICT",
      message: `This id was used for another ${kind === "event" ? "event" : "message"}, stored at position ${position}.`,
      rule: aaep ? "aaep/event-id-unique" : "aep/id-unique",
      pointer: aaep ? "/event_id" : "/id",
      hint: "A redelivered event keeps its id and its content. A new event needs a new id.",
    },
  };
}
