import {
  type Announcement,
  AnnouncementSpeaker,
  type Announcer,
  AnnouncerFeed,
  createAnnouncer,
  KnownSources,
  type LiveRequest,
  type LiveRequestNews,
  type SessionSource,
} from "@earshot/announcer";
import { countSpokenWords, speakRequest } from "@earshot/narrate";
import type { LiveHub, LiveState, LiveUpdateOfHub } from "../hub/live.ts";
import { requestAsDevice } from "../hub/request-as-device.ts";
import { changeBrowserSettings, currentSettings, onSettings as listenToSettings } from "../settings.ts";
import { wordLanguage } from "../words/word-languages.ts";
import { AnnouncementLog, type PastAnnouncement, toPastAnnouncement } from "./announcement-log.ts";
import { AnnouncementOutput } from "./announcement-output.ts";
import { readMutes } from "./mutes.ts";
import { SpeakingTab } from "./speaking-tab.ts";

/** Messages between tabs. */
type Message =
  | { readonly what: "heard"; readonly heard: readonly PastAnnouncement[] }
  | { readonly what: "request"; readonly view: LiveRequest | undefined; readonly news: LiveRequestNews }
  /** Announcements left over in one tab when another tab takes over. */
  | { readonly what: "rest"; readonly rest: readonly Announcement[] }
  | { readonly what: "new tab" };

const CHANNEL = "earshot-listening";
/** An interruption shorter than this is not announced. */
const AWAY_MS = 3000;
/** A second repeat command within this time repeats the announcement before the last one. */
const REPEAT_MS = 5000;

const now = () => performance.now();

/**
 * Announcements of all agents for one user. Every tab receives the events and therefore knows what was announced; only one tab speaks.
 * The announcer decides content and time: this class feeds it with events from the hub and outputs its announcements.
 */
export class BrowserAnnouncer {
  readonly log = new AnnouncementLog();
  readonly sources = new KnownSources();
  readonly output = new AnnouncementOutput();
  readonly #name = Math.random().toString(36).slice(2);
  readonly #announcer: Announcer;
  readonly #ear: AnnouncerFeed;
  readonly #speaker: AnnouncementSpeaker;
  readonly #tab: SpeakingTab;
  readonly #channel = new BroadcastChannel(CHANNEL);
  readonly #stops: readonly (() => void)[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #away: { timer: ReturnType<typeof setTimeout>; isTold: boolean } | undefined;
  #repeated = { back: 0, at: Number.NEGATIVE_INFINITY };
  #isNew = true;

  constructor(live: LiveHub, me: string) {
    const announcer = createAnnouncer({ ...wanted(), source: "always" });
    this.#announcer = announcer;
    const onHeard = () => this.#work();
    this.#ear = new AnnouncerFeed({
      announcer,
      sources: this.sources,
      me,
      wants: (card) => speakRequest({ card }, { language: announcer.settings.language, withAnswers: false }).segments[0]?.text ?? "",
      now,
      wallNow: Date.now,
      ask: (path) => requestAsDevice("GET", path),
      onUpdate: onHeard,
      share: (view, news) => this.#report({ what: "request", view, news }),
    });
    this.#speaker = new AnnouncementSpeaker({
      announcer,
      now,
      speak: (announcement) => this.output.speak(this.#inFull(announcement)),
      stop: () => this.output.stop(),
      // The page that made the decision already announced it.
      isKnown: ({ about, requests }) => about === "settled" && requests.length > 0 && requests.every((key) => this.#ear.tracker.isOwn(key)),
      onSay: (announcement) => this.#list(this.#inFull(announcement)),
      onOver: onHeard,
    });
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#hearTab(data);
    this.#report({ what: "new tab" });
    const wake = () => void (currentSettings().sounds && this.output.sounds.wake());
    addEventListener("pointerdown", wake);
    addEventListener("keydown", wake);
    this.#stops = [
      live.listen((news) => this.#handle(news)),
      listenToSettings(() => this.#change()),
      () => removeEventListener("pointerdown", wake),
      () => removeEventListener("keydown", wake),
    ];
    this.#tab = new SpeakingTab((speaks) => this.#become(speaks));
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#tab.close();
    this.output.stop();
    this.#channel.close();
    clearTimeout(this.#timer);
    clearTimeout(this.#away?.timer);
  }

  /** Announces the state of all sessions and their activity since the last call. */
  missed(): void {
    this.#speaker.speak(this.#announcer.missed(now()));
  }

  /** Announces the waiting and the running sessions. */
  overview(): void {
    this.#speaker.speak(this.#announcer.overview(now()));
  }

  /** Repeats the last announcement; a second call within `REPEAT_MS` repeats the one before it. */
  repeat(): void {
    const at = now();
    const back = at - this.#repeated.at < REPEAT_MS ? this.#repeated.back + 1 : 0;
    const again = this.#announcer.repeat(at, back) ?? this.#announcer.repeat(at, 0);
    this.#repeated = { back, at };
    if (again !== undefined) this.#speaker.speak(again);
  }

  /** Stops the current announcement. */
  enough(): void {
    this.#speaker.enough();
  }

  /** Returns the source of the latest announcement that is about exactly one session. */
  lastSource(): SessionSource | undefined {
    const last = this.log.items.findLast(({ sessions }) => sessions.length === 1);
    return this.sources.find(last?.sessions[0]);
  }

  #handle(news: LiveUpdateOfHub): void {
    this.#state(news.state);
    this.#ear.handle(news, this.#tab.speaks);
    if (news.again && this.#tab.speaks) void this.#ear.lookUp().then(() => this.#work());
    this.#work();
  }

  #hearTab(message: Message): void {
    const { what } = message;
    if (what === "heard") this.log.add(...message.heard);
    else if (what === "rest") this.#takeOver(message.rest);
    else if (what === "request") {
      this.#ear.hearRequest(message.view, message.news);
      this.#work();
    } else if (this.#tab.speaks) this.#report({ what: "heard", heard: this.log.items });
  }

  /** Outputs what is due and sets a timer for the next announcement. */
  #work(): void {
    const isHistory = this.#ear.pass(!this.#tab.speaks);
    if (this.#tab.speaks && !isHistory) this.#speaker.sayNext();
    else this.#speaker.swallow();
    // The followed session has ended: the announcer no longer follows a session.
    if (currentSettings().follow !== "" && this.#announcer.settings.follow === undefined) changeBrowserSettings({ follow: "" });
    clearTimeout(this.#timer);
    const due = Math.min(this.#ear.dueAt() ?? Number.POSITIVE_INFINITY, this.#announcer.dueAt() ?? Number.POSITIVE_INFINITY);
    if (due < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.#work(), Math.max(0, due - now()));
  }

  #become(speaks: boolean): void {
    if (speaks) {
      this.#speaker.swallow();
      void this.#lookUp(this.#isNew);
      this.#isNew = false;
      return;
    }
    this.#ear.pass(true);
    const rest = this.#speaker.leave(currentSettings().speaks);
    if (rest.length > 0) this.#report({ what: "rest", rest });
  }

  /** Requests that were pending before listening began are announced as a count, not individually. */
  async #lookUp(counts: boolean): Promise<void> {
    const waiting = await this.#ear.lookUp();
    if (counts && waiting !== undefined) {
      this.#speaker.swallow();
      if (waiting > 0) this.#ear.notice("request", this.#ear.phrases.waiting(waiting));
    }
    this.#work();
  }

  #state(state: LiveState): void {
    if (state === "live") {
      if (this.#away?.isTold === true) {
        this.#ear.notice("other", this.#ear.phrases.hubBack);
        if (this.#tab.speaks) void this.#lookUp(true);
      }
      clearTimeout(this.#away?.timer);
      this.#away = undefined;
    } else if (state !== "connecting" && this.#away === undefined) {
      const tell = () => {
        if (this.#away !== undefined) this.#away.isTold = true;
        this.#ear.notice("guard-lost", this.#ear.phrases.hubAway);
        this.#work();
      };
      this.#away = { timer: setTimeout(tell, AWAY_MS), isTold: false };
    }
  }

  #takeOver(rest: readonly Announcement[]): void {
    if (!this.#tab.speaks) return;
    for (const { urgency, about, text } of rest) {
      const topic = urgency !== "critical" ? "other" : about === "guard" ? "guard-lost" : "request";
      this.#announcer.notice({ topic, text }, now());
    }
    this.#work();
  }

  /** A request is announced by its effect, as in `earshot listen`: the agent's own text might hide something harmful. */
  #inFull(announcement: Announcement): Announcement {
    const [key, ...others] = announcement.requests;
    const view = announcement.about === "request" && key !== undefined ? this.#ear.tracker.viewOf(key) : undefined;
    const open = view === undefined ? undefined : this.#announcer.waiting(now()).find((one) => one.key === key);
    if (view?.kind !== "permission" || open === undefined) return announcement;
    const { language } = this.#announcer.settings;
    const { segments } = speakRequest(view, { language, from: open.from, withAnswers: false });
    const { phrases } = this.#ear;
    const all = others.length === 0 ? segments : [...segments, { text: phrases.waiting(1 + others.length), language: phrases.language }];
    const text = all.map((segment) => segment.text).join(" ");
    return { ...announcement, segments: all, text, words: countSpokenWords(text) };
  }

  /** A repeated announcement is already in the list. */
  #list(announcement: Announcement): void {
    if (announcement.demanded === true && announcement.about !== "overview") return;
    const heard = toPastAnnouncement(announcement, Date.now(), this.#name);
    this.log.add(heard);
    this.#report({ what: "heard", heard: [heard] });
  }

  #change(): void {
    this.#announcer.change(wanted(), now());
    this.#work();
  }

  #report(message: Message): void {
    this.#channel.postMessage(message);
  }
}

/** Returns the user's settings in the announcer's format. */
function wanted(): Partial<Announcer["settings"]> {
  const { verbosity, paceWpm, load, quiet, muted, follow, wordsIn } = currentSettings();
  return {
    language: wordLanguage(wordsIn),
    verbosity,
    paceWpm,
    load,
    quiet,
    mutes: readMutes(muted),
    follow: follow === "" ? undefined : follow,
  };
}
