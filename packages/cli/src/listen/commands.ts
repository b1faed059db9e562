import { folderIn, spellExactly, spellLetters, splitIntoParts } from "@earshot/narrate";
import { describeAloud } from "./describe-aloud.ts";
import type { ListenCommandName, PressedKey } from "./keys.ts";
import type { Listener } from "./listener.ts";
import type { RequestAnswerer } from "./request-answerer.ts";

export interface CommandPorts {
  readonly listener: Listener;
  readonly answerer: RequestAnswerer;
  readonly now: () => number;
  readonly end: () => void;
}

const PACE_STEP_WPM = 20;
const VERBOSITIES = ["terse", "normal", "detailed"] as const;
const LOADS = ["low", "medium", "high"] as const;

/** The effects of keys. */
export class ListenCommands {
  readonly #ports: CommandPorts;
  /** How far back `before` has gone since the last other key. */
  #back = 0;
  #reading: string | undefined;

  constructor(ports: CommandPorts) {
    this.#ports = ports;
  }

  async press(pressed: PressedKey): Promise<void> {
    const { answerer: desk } = this.#ports;
    if (pressed.kind === "number") return desk.press(pressed.number);
    desk.leave();
    const { command } = pressed;
    if (command !== "before") this.#back = 0;
    await this.#acts[command]();
  }

  readonly #acts: Readonly<Record<ListenCommandName, () => void | Promise<void>>> = {
    stop: () => {
      const { listener } = this.#ports;
      listener.output.print(listener.hold() ? listener.phrases.paused : listener.phrases.goesOn);
    },
    skip: () => this.#ports.listener.skip(),
    repeat: () => this.#repeat(0),
    before: () => this.#repeat(++this.#back),
    waiting: () => this.#readWaiting(),
    overview: () => this.#ports.listener.demand(this.#ports.listener.announcer.overview(this.#ports.now())),
    missed: () => this.#ports.listener.demand(this.#ports.listener.announcer.missed(this.#ports.now())),
    faster: () => this.#changePace(PACE_STEP_WPM),
    slower: () => this.#changePace(-PACE_STEP_WPM),
    verbosity: () => {
      const { announcer, phrases } = this.#ports.listener;
      const verbosity = after(VERBOSITIES, announcer.settings.verbosity);
      announcer.change({ verbosity }, this.#ports.now());
      return this.#ports.listener.aside(phrases.verbosity(verbosity));
    },
    load: () => {
      const { announcer, phrases } = this.#ports.listener;
      const load = after(LOADS, announcer.settings.load);
      announcer.change({ load }, this.#ports.now());
      return this.#ports.listener.aside(phrases.load(load));
    },
    quiet: () => {
      const { announcer, phrases } = this.#ports.listener;
      const quiet = !announcer.settings.quiet;
      announcer.change({ quiet }, this.#ports.now());
      return this.#ports.listener.aside(phrases.quiet(quiet));
    },
    exact: () => this.#readExact(spellExactly),
    spelt: () => this.#readExact(spellLetters),
    details: () => {
      const { listener } = this.#ports;
      const { phrases } = listener;
      const view = listener.requests.reading;
      if (view === undefined) return listener.aside(phrases.nothingAsked);
      const { asked, terms } = view.card;
      const { risk, irreversible, facts, session } = asked;
      return listener.aside(phrases.details({ risk, irreversible, because: terms.because, folder: folderIn(facts), session }));
    },
    type: () => this.#ports.answerer.type(),
    help: () => this.#ports.listener.explain(this.#ports.listener.phrases.help),
    end: () => this.#ports.end(),
  };

  #repeat(back: number): void | Promise<void> {
    const { listener, now } = this.#ports;
    const again = listener.announcer.repeat(now(), back) ?? listener.announcer.repeat(now(), 0);
    if (again === undefined) return listener.aside(listener.phrases.nothingSaid);
    listener.demand(again);
  }

  /** One request per key press. */
  #readWaiting(): Promise<void> {
    const { listener } = this.#ports;
    const waiting = listener.waiting();
    const [first] = waiting;
    if (first === undefined) return listener.aside(listener.phrases.nobodyWaits);
    const last = waiting.findIndex(({ id }) => id === this.#reading);
    const view = waiting[last + 1] ?? first;
    this.#reading = view.id;
    return listener.readAloud(view);
  }

  #readExact(read: (text: string, language: string) => string): Promise<void> {
    const { listener } = this.#ports;
    const { language, phrases } = listener;
    const view = listener.requests.reading;
    if (view === undefined) return listener.aside(phrases.nothingAsked);
    const { exact } = describeAloud(view, language);
    if (exact === "") return listener.aside(phrases.noExactText);
    return listener.aside(splitIntoParts(read(exact, language), language).join(" "));
  }

  #changePace(by: number): Promise<void> {
    const { listener, now } = this.#ports;
    listener.announcer.change({ paceWpm: listener.announcer.settings.paceWpm + by }, now());
    return listener.aside(listener.phrases.pace(listener.announcer.settings.paceWpm));
  }
}

function after<const Choice>(choices: readonly Choice[], choice: Choice): Choice {
  return choices[(choices.indexOf(choice) + 1) % choices.length] ?? choice;
}
