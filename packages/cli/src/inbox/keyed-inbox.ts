import type { RequestView } from "@earshot/hub";
import { assessRequest } from "@earshot/narrate";
import { EarshotError } from "@earshot/protocol/problem";
import { plainText } from "@earshot/terminal/plain-text";
import { reportAbsence } from "../tail/follow.ts";
import { askLine } from "../terminal/ask.ts";
import { actOnRequest, type RequestActions, refreshRequest } from "./act-on-request.ts";
import { followRequests, type RequestListEvent } from "./follow-requests.ts";
import { InboxApprover } from "./inbox-approver.ts";
import { Keyboard } from "./keyboard.ts";
import { InboxLines, type InboxPorts } from "./plain-inbox.ts";
import { chooseRequest, INITIAL_KEY_STATE, type KeyAction, type KeyState, pressKey } from "./press-key.ts";
import { listOpen } from "./request-client.ts";

export const KEYS_HELP = `Type the number of a request to choose it. Then:
  a   allow it                       d   deny it; a reason is asked for
  r   reply to a question            p   defer
  m   more time                      v   the whole card
  f   allow this kind from now on: shows the rule first
  s   stop its session               k   keep a yes for what ended without an answer
Any time:
  l   list what waits                Enter   say the chosen one again
  ?   these keys                     q   quit
What cannot be undone is asked twice. A key pressed within half a second of being shown something decides nothing.
`;

const ABSENT =
  "No key was pressed for five minutes: only what is dangerous waits for you now. Any key says that you are here; earshot away on lets everything wait.";

/** The inbox with a person at the keyboard. Output is append-only. Actions run one at a time, in order. */
export class KeyedInbox {
  readonly #ports: InboxPorts;
  readonly #lines: InboxLines;
  readonly #keyboard: Keyboard;
  readonly #approver: InboxApprover;
  readonly #actions: RequestActions;
  readonly #stop = new AbortController();
  #keys: KeyState = INITIAL_KEY_STATE;
  #turn: Promise<void> = Promise.resolve();
  #failure: unknown;

  private constructor(ports: InboxPorts) {
    const { signal } = this.#stop;
    this.#ports = ports;
    this.#lines = new InboxLines(ports);
    const onAbsent = () => void this.#take(async () => this.#lines.print([ABSENT]));
    this.#approver = new InboxApprover({ io: ports.io, open: ports.open, signal, onAbsent });
    this.#keyboard = new Keyboard(
      ports.io,
      (key) => {
        const at = performance.now(); // when it was pressed, not when its turn comes
        void this.#take(() => this.#press(key, at));
      },
      () => this.#stop.abort(),
    );
    this.#actions = {
      ports,
      lines: this.#lines,
      approver: () => (this.#approver.isUnlocked ? this.#approver.access() : this.#aside(() => this.#approver.access())),
      line: (question) => this.#aside(() => askLine(ports.io, question, { signal })),
      note: (view) => this.#note(() => this.#lines.book.note(view)),
      offerToKeep: (view) => this.#offerToKeep(view),
    };
    ports.signal.addEventListener("abort", () => this.#stop.abort());
  }

  static async run(ports: InboxPorts): Promise<void> {
    const inbox = new KeyedInbox(ports);
    await using _approver = inbox.#approver;
    await inbox.#run();
    if (inbox.#failure !== undefined) throw inbox.#failure;
  }

  async #run(): Promise<void> {
    const { io, open, wait } = this.#ports;
    await this.#approver.begin();
    using keyboard = this.#keyboard;
    keyboard.resume();
    const { onGone, onBack } = reportAbsence(io);
    const away = (why: string) => {
      this.#approver.renew();
      onGone(why);
    };
    let isFirst = true;
    for await (const happening of followRequests({ open, wait, signal: this.#stop.signal, onGone: away, onBack })) {
      await this.#take(async () => this.#handle(happening));
      if (isFirst) io.out("Type a number to choose a request, ? for the keys, q to quit.\n");
      isFirst = false;
    }
    await this.#turn;
  }

  /** Keys and news alternate, so that nothing is printed into a line being typed. */
  #take(act: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(act).catch((error: unknown) => this.#fail(error));
    return this.#turn;
  }

  #fail(error: unknown): void {
    if (!EarshotError.is(error) && !(error instanceof TypeError)) {
      this.#failure = error;
      this.#stop.abort();
      return;
    }
    const message = EarshotError.is(error) ? error.problem.message : "The hub could not be reached.";
    const hint = EarshotError.is(error) ? error.problem.hint : undefined;
    this.#lines.print([plainText(message), ...(hint === undefined ? [] : [plainText(hint)])]);
  }

  #handle(happening: RequestListEvent): void {
    this.#note(() => this.#lines.handle(happening));
    if (happening.kind !== "news" || happening.news.what !== "decided" || happening.request === null) return;
    const { request } = happening;
    const isKnown = this.#lines.book.numberOf(request.id) !== undefined;
    if (isKnown && request.keepable && assessRequest(request).yes !== undefined) this.#offerToKeep(request);
  }

  /** The chosen request may have ended, so no key may decide. */
  #note(note: () => void): void {
    note();
    const { chosen } = this.#keys;
    if (chosen !== null && !this.#lines.book.byId.has(chosen)) this.#keys = { ...this.#keys, chosen: null, confirming: null };
  }

  #offerToKeep({ id }: RequestView): void {
    this.#keys = { ...this.#keys, late: id };
    const number = this.#lines.book.numberOf(id);
    this.#lines.print([`${number}. k allows it if the same is asked again in this session within 30 minutes, once.`]);
  }

  async #press(key: string, at: number): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const { state, wish } = pressKey(this.#keys, key, at, this.#lines.book);
    this.#keys = state;
    await this.#approver.present();
    if (wish !== null) await this.#do(wish);
  }

  async #do(wish: KeyAction): Promise<void> {
    const { io, open } = this.#ports;
    switch (wish.kind) {
      case "say":
        io.out(`${wish.text}\n`);
        return;
      case "quit":
        this.#stop.abort();
        return;
      case "list":
        for (const view of await listOpen(await open())) this.#lines.book.note(view);
        this.#lines.printList();
        return;
      case "help":
        io.out(KEYS_HELP);
        return;
      default: {
        // Showing uses the current state; deciding uses the state that was shown.
        const isFresh = wish.kind === "choose" || wish.kind === "card" || wish.kind === "keep";
        const view = isFresh ? await refreshRequest(this.#actions, wish.id) : this.#lines.book.byId.get(wish.id);
        if (view === undefined) {
          io.out("It does not wait any more.\n");
          return;
        }
        await actOnRequest(this.#actions, wish.kind, view);
        // The request was just printed: keys are enabled after a delay.
        if (this.#keys.chosen === view.id)
          this.#keys = { ...chooseRequest(this.#keys, view.id, performance.now()), confirming: this.#keys.confirming };
      }
    }
  }

  /** Suspends single keys during line input. */
  async #aside<T>(run: () => Promise<T>): Promise<T> {
    this.#keyboard.pause();
    try {
      return await run();
    } finally {
      this.#keyboard.resume();
    }
  }
}
