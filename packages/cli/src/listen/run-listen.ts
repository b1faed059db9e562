import { createInterface } from "node:readline";
import type { Announcer, AnnouncerSettings, EarconName, KnownSources } from "@earshot/announcer";
import type { SessionView } from "@earshot/hub";
import { agentName } from "@earshot/narrate";
import type { CommandIo } from "@earshot/terminal/io";
import { type HubAccess, requestFromHub } from "../hub-client.ts";
import { readGateLines } from "../inbox/gate-lines.ts";
import { InboxApprover } from "../inbox/inbox-approver.ts";
import { Keyboard } from "../inbox/keyboard.ts";
import { ViewReader } from "../story/view-reader.ts";
import { askLine, hasKeyboard } from "../terminal/ask.ts";
import { ListenCommands } from "./commands.ts";
import { followHub } from "./follow-hub.ts";
import { type PressedKey, readKey, readLine } from "./keys.ts";
import { Listener } from "./listener.ts";
import { RequestAnswerer } from "./request-answerer.ts";
import type { ChosenVoice } from "./voice/choose-voice.ts";

export interface ListenPorts {
  readonly io: CommandIo;
  /** Finds the hub each time. */
  readonly open: () => Promise<HubAccess>;
  readonly signal: AbortSignal;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly wallNow: () => number;
}

export interface RunListenOptions {
  readonly chosen: ChosenVoice;
  readonly settings: Partial<AnnouncerSettings>;
  readonly play?: (sound: EarconName) => Promise<void>;
}

/** Listens, speaks and takes keys, until the signal or a key ends it. */
export async function runListen({ chosen, settings, play }: RunListenOptions, ports: ListenPorts): Promise<void> {
  const { io, open, now, wallNow, wait } = ports;
  const stop = new AbortController();
  const signal = AbortSignal.any([ports.signal, stop.signal]);
  const end = () => stop.abort();
  using listener = new Listener(settings, {
    io,
    now,
    wallNow,
    voice: chosen.voice,
    ask: async <Answer>(path: string) => (await (await requestFromHub(await open(), path)).json()) as Answer,
    ...(play === undefined ? {} : { play }),
  });
  const { phrases } = listener;
  const isKeyed = hasKeyboard(io);
  await using approver = new InboxApprover({ io, open, signal, onAbsent: () => listener.feed.notice("request", phrases.absent) });
  const aside = async <Answer>(act: () => Promise<Answer>) => {
    keyboard.pause();
    try {
      return await act();
    } finally {
      if (!signal.aborted) keyboard.resume();
    }
  };
  const desk = new RequestAnswerer(listener, {
    now,
    wallNow,
    open,
    approver: isKeyed ? () => (approver.isUnlocked ? approver.access() : aside(() => approver.access())) : undefined,
    line: (question) => aside(() => askLine(io, question, { signal })),
  });
  const commands = new ListenCommands({ listener, answerer: desk, now, end });
  const failure = Promise.withResolvers<never>();
  const press = (pressed: PressedKey | undefined) => {
    if (pressed !== undefined) commands.press(pressed).catch(failure.reject);
    // A failed presence report has no effect on decisions; the next key repeats it.
    approver.present().catch(() => {});
  };
  const keyboard = isKeyed ? new Keyboard(io, (key) => press(readKey(key)), end) : NO_KEYBOARD;

  await open(); // before anything is said: there may be no hub
  const begins = { text: phrases.begins(chosen.voice.name, chosen.because), language: phrases.language };
  listener.output.print(begins.text);
  if (isKeyed) {
    // Not awaited, because a voice may hang; the text is printed.
    void listener.output.speak([begins, { text: phrases.askPin, language: phrases.language }]);
    await approver.begin();
    await listener.output.printAndSpeak([{ text: phrases.keysAtHand, language: phrases.language }]);
    keyboard.resume();
  } else await listener.output.speak([begins]);
  using lines = isKeyed ? undefined : readLines(io, press);
  let hasBegun = false;
  const hearing = followHub({
    feed: listener.feed,
    open,
    signal,
    wait,
    onUpdate: () => listener.workSoon(),
    onHappening: async (happening) => {
      if (hasBegun || happening.kind !== "list") return listener.handle(happening);
      hasBegun = true;
      // Changes come as news. The hub's sentences are English.
      for (const text of await readGateLines(await open())) listener.announcer.notice({ topic: "request", text, language: "en" }, now());
      await hearRunning(await open(), io, { announcer: listener.announcer, sources: listener.sources, at: now() });
      void listener.begin(happening.requests).catch(failure.reject);
    },
    onAway: () => {
      approver.renew();
      listener.alarm(listener.feed.phrases.hubAway);
    },
    onBack: () => listener.alarm(listener.feed.phrases.hubBack),
  });
  try {
    await Promise.race([hearing, failure.promise]);
  } finally {
    stop.abort();
    keyboard.pause();
    lines?.[Symbol.dispose]();
  }
}

const NO_KEYBOARD = { pause: () => {}, resume: () => {} } as const;

/** Without a terminal each line is a key. The end of input ends nothing. */
function readLines({ stdin }: CommandIo, press: (pressed: PressedKey | undefined) => void): Disposable {
  const reader = createInterface({ input: stdin });
  reader.on("line", (line) => press(readLine(line)));
  return { [Symbol.dispose]: () => reader.close() };
}

const MAX_RUNNING_SESSIONS = 50;

/** Treats running sessions as just started. */
async function hearRunning(hub: HubAccess, io: CommandIo, { announcer, sources, at }: RunningPorts): Promise<void> {
  const query = { status: "running,waiting,stalled", limit: MAX_RUNNING_SESSIONS };
  const { items } = await new ViewReader(hub, io).collect<SessionView>("/api/sessions", query);
  for (const { protocol, id, agent, workspace, parent } of items) {
    const activity = {
      kind: "session.opened",
      resumed: true,
      protocol,
      type: "session",
      session: id,
      agent,
      agentName: agentName(agent),
      ...(workspace === undefined ? {} : { workspace }),
      ...(parent === undefined ? {} : { parent: { session: parent.id } }),
    } as const;
    sources.handle(activity);
    announcer.handle(activity, at);
  }
}

interface RunningPorts {
  readonly announcer: Announcer;
  readonly sources: KnownSources;
  readonly at: number;
}
