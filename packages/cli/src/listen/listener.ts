import {
  type Announcement,
  AnnouncementSpeaker,
  type Announcer,
  AnnouncerFeed,
  type AnnouncerSettings,
  createAnnouncer,
  type EarconName,
  earconFor,
  KnownSources,
} from "@earshot/announcer";
import type { RequestView } from "@earshot/hub";
import { type Segment, speakRequest } from "@earshot/narrate";
import type { CommandIo } from "@earshot/terminal/io";
import type { RequestListEvent } from "../inbox/follow-requests.ts";
import { AnnouncedFailures } from "./announced-failures.ts";
import { requestSegments } from "./describe-aloud.ts";
import { type ListenPhrases, listenPhrases } from "./listen-phrases.ts";
import { ReadRequests } from "./read-requests.ts";
import { SpeechOutput } from "./speech-output.ts";
import type { SpeechVoice } from "./voice/voice.ts";

export interface ListenerPorts {
  readonly io: CommandIo;
  readonly voice: SpeechVoice;
  readonly play?: (sound: EarconName) => Promise<void>;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Unix milliseconds. */
  readonly wallNow: () => number;
  /** Requests a path from the hub. */
  readonly ask: <Answer>(path: string) => Promise<Answer>;
}

/** How long an announced request waits for the hub's description. */
const KNOWN_MS = 400;
const LOOK_MS = 20;
const MAX_OWN = 500;

/**
 * One person's listening in a terminal. The announcer decides what is announced and when; this class feeds it, speaks its announcements,
 * and reports the results. Nothing is announced before `begin`.
 */
export class Listener implements Disposable {
  readonly announcer: Announcer;
  readonly sources = new KnownSources();
  readonly feed: AnnouncerFeed;
  readonly output: SpeechOutput;
  readonly requests = new ReadRequests();
  readonly #ports: ListenerPorts;
  readonly #speaker: AnnouncementSpeaker;
  /** Requests answered here, by the announcer's keys: the person knows the result. */
  readonly #own = new Set<string>();
  /** The current reading of a request. */
  #reading: symbol | undefined;
  readonly #failures = new AnnouncedFailures();
  #timer: NodeJS.Timeout | undefined;
  #heldSince: number | undefined;
  /** A text outside the announcer is spoken or typed: announcements wait. */
  #asides = 1;
  #isWorkDue = false;
  #isClosed = false;

  constructor(settings: Partial<AnnouncerSettings>, ports: ListenerPorts) {
    const { io, voice, play, now, wallNow, ask } = ports;
    const announcer = createAnnouncer({ source: voice.isSpoken ? "several" : "always", ...settings });
    this.#ports = ports;
    this.announcer = announcer;
    this.feed = new AnnouncerFeed({
      announcer,
      sources: this.sources,
      me: "",
      now,
      wallNow,
      ask,
      wants: (card) => speakRequest({ card }, { language: this.language, withAnswers: false }).segments[0]?.text ?? "",
      onUpdate: () => this.workSoon(),
      share: () => {},
    });
    this.output = new SpeechOutput(voice, {
      out: io.out,
      manner: () => ({ paceWpm: announcer.settings.paceWpm, language: this.language }),
      ...(play === undefined ? {} : { play }),
      onFailure: (name, why) => {
        announcer.change({ source: "always" }, now());
        io.err(`earshot: ${this.phrases.voiceFailed(name, why)}\n`);
      },
    });
    this.#speaker = new AnnouncementSpeaker({
      announcer,
      now,
      speak: (announcement) => this.#say(announcement),
      stop: () => this.output.stop(),
      isKnown: (announcement) => this.#isOwn(announcement) || this.#failures.isAgain(announcement, now()),
      onSay: () => {},
      onOver: () => this.work(),
    });
  }

  get language(): string {
    return this.announcer.settings.language;
  }

  get phrases(): ListenPhrases {
    return listenPhrases(this.language);
  }

  /** Earlier sessions and requests are summarized first; open requests are announced after that. */
  async begin(requests: readonly RequestView[]): Promise<void> {
    this.#speaker.swallow();
    await this.hearOpen(requests);
    const overview = this.announcer.overview(this.#ports.now());
    await this.output.printAndSpeak(overview.segments);
    this.announcer.spoken(overview.id, this.#ports.now());
    this.#asides--;
    this.work();
  }

  async handle(happening: RequestListEvent): Promise<void> {
    if (happening.kind === "list") {
      await this.hearOpen(happening.requests);
      return;
    }
    const { news, request } = happening;
    if (request !== null) this.requests.note(request);
    if (news.what === "alarm") this.#heldSince = undefined;
    this.feed.hearRequest(request ?? undefined, news);
  }

  async hearOpen(requests: readonly RequestView[]): Promise<void> {
    this.requests.retain(requests);
    await this.feed.hearOpen(requests);
  }

  /** Answered here: the result is spoken at once and not announced. */
  settle(view: RequestView): void {
    const key = this.feed.tracker.keyOf(view.id);
    if (key !== undefined) this.#own.add(key);
    for (const oldest of this.#own) if (this.#own.size > MAX_OWN) this.#own.delete(oldest);
    this.requests.note(view);
    this.feed.tracker.take(view, this.#ports.now());
  }

  /** Whether the last request is still being read. */
  get isReading(): boolean {
    return this.#reading !== undefined;
  }

  /** Open requests known to the hub, oldest first. */
  waiting(): readonly RequestView[] {
    const open = this.announcer.waiting(this.#ports.now());
    return open.flatMap(({ key }) => this.#viewBy(key) ?? []);
  }

  /** Those that were only counted so far. */
  unread(): readonly RequestView[] {
    return this.waiting().filter((view) => !this.requests.isRead(view));
  }

  /** Suspends announcements while `act` speaks or takes typed input; the interrupted one is repeated afterwards. */
  async beside<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    this.#speaker.interrupt();
    this.#asides++;
    try {
      return await act();
    } finally {
      this.#asides--;
      this.workSoon();
    }
  }

  /** Speaks a text at once. */
  async aside(text: string, language = this.phrases.language): Promise<void> {
    await this.beside(() => this.output.printAndSpeak([{ text, language }]));
  }

  /** The same for several lines. */
  async explain(lines: string): Promise<void> {
    this.output.print(lines);
    await this.beside(() => this.output.speak([{ text: lines, language: this.phrases.language }]));
  }

  /** Reads an open request as it was announced; numbers then answer it. */
  async readAloud(view: RequestView): Promise<void> {
    const waiting = this.waiting();
    const before = this.phrases.waits(waiting.findIndex(({ id }) => id === view.id) + 1, waiting.length);
    await this.beside(async () => {
      const { segments } = this.#openOf(view);
      await this.#tellRequest(view, [{ text: before, language: this.phrases.language }, ...segments]);
    });
  }

  /** Skips the current announcement. */
  skip(): void {
    this.#heldSince = undefined;
    this.output.stop();
    this.#speaker.enough();
    this.workSoon();
  }

  /** Pauses or continues; the interrupted announcement is repeated. Returns whether it is paused. */
  hold(): boolean {
    if (this.#heldSince !== undefined) {
      this.#heldSince = undefined;
      this.workSoon();
      return false;
    }
    this.#speaker.interrupt();
    this.output.stop();
    this.#heldSince = this.#ports.now();
    return true;
  }

  /** Speaks a requested announcement. */
  demand(announcement: Announcement): void {
    this.#heldSince = undefined;
    this.output.stop();
    this.#speaker.speak(announcement);
  }

  /** Absence and return of the hub are spoken even in quiet mode. */
  alarm(text: string): void {
    this.#heldSince = undefined;
    this.feed.notice("guard-lost", text);
    this.workSoon();
  }

  workSoon(): void {
    if (this.#isWorkDue || this.#isClosed) return;
    this.#isWorkDue = true;
    setImmediate(() => {
      this.#isWorkDue = false;
      this.work();
    });
  }

  /** Speaks what is due and schedules the next check. */
  work(): void {
    if (this.#isClosed) return;
    const { now } = this.#ports;
    this.feed.pass(false);
    // Critical announcements are spoken to their end. A request may take longer than the announcer expects, because its effect is read.
    const isFree = () => this.#asides === 0 && this.#speaker.saying?.urgency !== "critical" && !this.#isHeld();
    if (isFree()) this.#sayNext();
    clearTimeout(this.#timer);
    const next = isFree() ? this.announcer.dueAt() : undefined;
    const due = Math.min(this.feed.dueAt() ?? Number.POSITIVE_INFINITY, next ?? Number.POSITIVE_INFINITY);
    if (due < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.work(), Math.max(LOOK_MS, due - now()));
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.output.stop();
  }

  #sayNext(): void {
    this.#speaker.sayNext();
    if (!this.requests.isNextDue || this.#speaker.saying?.urgency === "critical") return;
    this.requests.isNextDue = false;
    const [next] = this.unread();
    if (next !== undefined) void this.readAloud(next);
  }

  #isOwn({ about, requests }: Announcement): boolean {
    return about === "settled" && requests.length > 0 && requests.every((key) => this.#own.has(key));
  }

  /** A new request ends the pause. */
  #isHeld(): boolean {
    const since = this.#heldSince;
    if (since === undefined) return false;
    const isNew = this.announcer.waiting(this.#ports.now()).some(({ askedAt, isAnnounced: told }) => askedAt > since && !told);
    if (isNew) this.#heldSince = undefined;
    return !isNew;
  }

  async #say(announcement: Announcement): Promise<void> {
    const sound = earconFor(announcement.about);
    const [key] = announcement.requests;
    const view = announcement.about === "request" && key !== undefined ? await this.#viewOf(key) : undefined;
    if (this.#speaker.saying !== announcement) return;
    if (view === undefined) {
      if ((await this.output.printAndSpeak(announcement.segments, sound)) === "said") this.#failures.note(announcement, this.#ports.now());
    } else await this.#tellRequest(view, this.#announced(view, announcement), sound);
  }

  #announced(view: RequestView, { segments }: Announcement): readonly Segment[] {
    const { from } = this.#openOf(view);
    const more = this.unread().filter(({ id }) => id !== view.id).length;
    const told = requestSegments(view, { announced: segments, from, language: this.language });
    return more === 0 ? told : [...told, { text: this.phrases.moreWait(more), language: this.phrases.language }];
  }

  async #tellRequest(view: RequestView, segments: readonly Segment[], sound?: EarconName): Promise<void> {
    this.requests.begin(view, this.#ports.now());
    const reading = Symbol(view.id);
    this.#reading = reading;
    const outcome = await this.output.printAndSpeak(segments, sound);
    if (this.#reading === reading) this.#reading = undefined;
    if (outcome === "said") this.requests.markRead(view);
  }

  /** The announced text and its source. */
  #openOf(view: RequestView): { readonly from: string | undefined; readonly segments: readonly Segment[] } {
    const key = this.feed.tracker.keyOf(view.id);
    const open = this.announcer.waiting(this.#ports.now()).find((one) => one.key === key);
    const from = open?.from;
    const announced = open === undefined ? [] : [{ text: `${open.from}:`, language: this.phrases.language }, ...open.segments];
    return { from, segments: requestSegments(view, { announced, from, language: this.language }) };
  }

  #viewBy(key: string): RequestView | undefined {
    return this.requests.find(this.feed.tracker.viewOf(key)?.id);
  }

  /** An agent's own question may arrive before the hub's description of it. */
  async #viewOf(key: string): Promise<RequestView | undefined> {
    for (let waited = 0; waited < KNOWN_MS; waited += LOOK_MS) {
      const view = this.#viewBy(key);
      if (view !== undefined) return view;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return undefined;
  }
}
