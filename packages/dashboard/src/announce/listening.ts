import {
  type Announcement,
  type Announcer,
  createAnnouncer,
  Ear,
  type HeardNews,
  type HeardRequest,
  type Source,
  Sources,
  Speaker,
} from "@earshot/announcer";
import { countWords, speakRequest } from "@earshot/narrate";
import { ask } from "../hub/ask.ts";
import type { LiveHub, LiveNews, LiveState } from "../hub/live.ts";
import { changeSettings, listen as listenToSettings, settings } from "../settings.ts";
import { wordLanguage } from "../words/word-languages.ts";
import { type Heard, HeardList, toHeard } from "./heard-list.ts";
import { Mouth } from "./mouth.ts";
import { readMutes } from "./mutes.ts";
import { SpeakingTab } from "./speaking-tab.ts";

/** What tabs tell each other. */
type Message =
  | { readonly what: "heard"; readonly heard: readonly Heard[] }
  | { readonly what: "request"; readonly view: HeardRequest | undefined; readonly news: HeardNews }
  /** What one tab had still to say when another took over. */
  | { readonly what: "rest"; readonly rest: readonly Announcement[] }
  | { readonly what: "new tab" };

const CHANNEL = "earshot-listening";
/** A hub that comes back within this time was not away. */
const AWAY_MS = 3000;
/** Who asks for the last announcement again within this time means the one before it. */
const REPEAT_MS = 5000;

const now = () => performance.now();

/**
 * What one person hears of all agents. Every tab listens, so that each knows what was said; one of them speaks. The announcer decides
 * what is said and when: here it is fed with what the hub tells, and its announcements are said.
 */
export class Listening {
  readonly heard = new HeardList();
  readonly sources = new Sources();
  readonly mouth = new Mouth();
  readonly #name = Math.random().toString(36).slice(2);
  readonly #announcer: Announcer;
  readonly #ear: Ear;
  readonly #speaker: Speaker;
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
    this.#ear = new Ear({
      announcer,
      sources: this.sources,
      me,
      wants: (card) => speakRequest({ card }, { language: announcer.settings.language, withAnswers: false }).segments[0]?.text ?? "",
      now,
      wallNow: Date.now,
      ask: (path) => ask("GET", path),
      onHeard,
      share: (view, news) => this.#tell({ what: "request", view, news }),
    });
    this.#speaker = new Speaker({
      announcer,
      now,
      say: (announcement) => this.mouth.say(this.#inFull(announcement)),
      stop: () => this.mouth.stop(),
      // What was decided here was told by the page that one decided on.
      isKnown: ({ about, requests }) => about === "settled" && requests.length > 0 && requests.every((key) => this.#ear.desk.isOwn(key)),
      onSay: (announcement) => this.#list(this.#inFull(announcement)),
      onOver: onHeard,
    });
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#hearTab(data);
    this.#tell({ what: "new tab" });
    const wake = () => void (settings().sounds && this.mouth.sounds.wake());
    addEventListener("pointerdown", wake);
    addEventListener("keydown", wake);
    this.#stops = [
      live.listen((news) => this.#hear(news)),
      listenToSettings(() => this.#change()),
      () => removeEventListener("pointerdown", wake),
      () => removeEventListener("keydown", wake),
    ];
    this.#tab = new SpeakingTab((speaks) => this.#become(speaks));
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#tab.close();
    this.mouth.stop();
    this.#channel.close();
    clearTimeout(this.#timer);
    clearTimeout(this.#away?.timer);
  }

  /** Where everybody stands, and what they did since this was asked last. */
  missed(): void {
    this.#speaker.say(this.#announcer.missed(now()));
  }

  /** Who waits, and who runs. */
  overview(): void {
    this.#speaker.say(this.#announcer.overview(now()));
  }

  /** The last announcement once more; and, asked again soon, the one before it. */
  repeat(): void {
    const at = now();
    const back = at - this.#repeated.at < REPEAT_MS ? this.#repeated.back + 1 : 0;
    const again = this.#announcer.repeat(at, back) ?? this.#announcer.repeat(at, 0);
    this.#repeated = { back, at };
    if (again !== undefined) this.#speaker.say(again);
  }

  /** No more of what is being said. */
  enough(): void {
    this.#speaker.enough();
  }

  /** Whom the last announcement was about, where that was one. */
  lastSource(): Source | undefined {
    const last = this.heard.items.findLast(({ sessions }) => sessions.length === 1);
    return this.sources.find(last?.sessions[0]);
  }

  #hear(news: LiveNews): void {
    this.#state(news.state);
    this.#ear.hear(news, this.#tab.speaks);
    if (news.again && this.#tab.speaks) void this.#ear.lookUp().then(() => this.#work());
    this.#work();
  }

  #hearTab(message: Message): void {
    const { what } = message;
    if (what === "heard") this.heard.add(...message.heard);
    else if (what === "rest") this.#takeOver(message.rest);
    else if (what === "request") {
      this.#ear.hearRequest(message.view, message.news);
      this.#work();
    } else if (this.#tab.speaks) this.#tell({ what: "heard", heard: this.heard.items });
  }

  /** Says what is due, and comes back when there is more. */
  #work(): void {
    const isHistory = this.#ear.pass(!this.#tab.speaks);
    if (this.#tab.speaks && !isHistory) this.#speaker.sayNext();
    else this.#speaker.swallow();
    // The session that was followed has ended: the announcer follows nobody any more.
    if (settings().follow !== "" && this.#announcer.settings.follow === undefined) changeSettings({ follow: "" });
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
    const rest = this.#speaker.leave(settings().speaks);
    if (rest.length > 0) this.#tell({ what: "rest", rest });
  }

  /** What waited before anybody listened is counted, and not told one by one. */
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

  /** A request is announced by its effect, as `earshot listen` does: an agent's own words might hide what does harm. */
  #inFull(announcement: Announcement): Announcement {
    const [key, ...others] = announcement.requests;
    const view = announcement.about === "request" && key !== undefined ? this.#ear.desk.viewOf(key) : undefined;
    const open = view === undefined ? undefined : this.#announcer.waiting(now()).find((one) => one.key === key);
    if (view?.kind !== "permission" || open === undefined) return announcement;
    const { language } = this.#announcer.settings;
    const { segments } = speakRequest(view, { language, from: open.from, withAnswers: false });
    const { phrases } = this.#ear;
    const all = others.length === 0 ? segments : [...segments, { text: phrases.waiting(1 + others.length), language: phrases.language }];
    const text = all.map((segment) => segment.text).join(" ");
    return { ...announcement, segments: all, text, words: countWords(text) };
  }

  /** What is only said again stands in the list already. */
  #list(announcement: Announcement): void {
    if (announcement.demanded === true && announcement.about !== "overview") return;
    const heard = toHeard(announcement, Date.now(), this.#name);
    this.heard.add(heard);
    this.#tell({ what: "heard", heard: [heard] });
  }

  #change(): void {
    this.#announcer.change(wanted(), now());
    this.#work();
  }

  #tell(message: Message): void {
    this.#channel.postMessage(message);
  }
}

/** What the person has set, as the announcer takes it. */
function wanted(): Partial<Announcer["settings"]> {
  const { verbosity, paceWpm, load, quiet, muted, follow, wordsIn } = settings();
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
