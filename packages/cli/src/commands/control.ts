import type { ControlView } from "@earshot/hub";
import { formatDuration, formatTime } from "@earshot/narrate";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { createUsageError } from "@earshot/terminal/usage";
import { type CommandInput, command } from "../command.ts";
import { changeAtHub, openHub, requestFromHub } from "../hub-client.ts";
import { requireKeyboard, unlockTerminal } from "../inbox/approver.ts";
import { gateLines } from "../inbox/gate-lines.ts";
import { quoteVisibly, visibleBeginning } from "../inbox/visible-text.ts";
import { readDuration } from "../keeping/quantities.ts";
import { openOwnHub } from "../own-hub.ts";

export const awayCommand = command(
  {
    name: "away",
    positionals: ["[on|off]"],
    about: `Holds requests while you are away from this machine, so that you can answer them on your phone or in another browser.
Otherwise, after five minutes without activity, requests that are not dangerous are left to the agent.

  on, off    turns it on or off; asks for your PIN
             without either, prints the current state`,
    options: {
      json: { type: "boolean", default: false, about: "print as JSON" },
    },
  },
  async ({ values, positionals }, io: CommandIo): Promise<number> => {
    const { json } = values;
    const [word] = positionals;
    if (word !== undefined && word !== "on" && word !== "off") throw createUsageError("away is on or off.", "earshot away on");
    if (word === undefined) return showControl(io, { json });
    return setControl("/api/away", { on: word === "on" }, io, { json, done: word === "on" ? "You are away." : "You are back." });
  },
);

const LONGEST_MS = 24 * 3_600_000;

export const pauseCommand = command(
  {
    name: "pause",
    positionals: ["[TIME|off]"],
    about: `Leaves every decision to the agents for a while: no rule decides and no request is opened, but events are still recorded.
A pause ends by itself. It is recorded with name and reason, and shown as long as it lasts.

  TIME            30m, 2h; at most 24h
  off             ends it now`,
    options: {
      reason: { type: "string", value: "TEXT", about: "why" },
      json: { type: "boolean", default: false, about: "print the settings as JSON" },
    },
    notes: "It asks for your PIN. Sessions that were stopped stay stopped.",
  },
  async ({ values, positionals }, io: CommandIo): Promise<number> => {
    const { reason, json } = values;
    const [time] = positionals;
    if (time === undefined) return showControl(io, { json });
    if (time === "off") return setControl("/api/pause", { forMs: 0 }, io, { json, done: "The pause is over." });
    const forMs = readDuration(time, "earshot pause");
    if (forMs === 0 || forMs > LONGEST_MS) throw createUsageError("A pause lasts at most 24 hours.", "earshot pause 30m, or 24h");
    if (reason === undefined || reason.trim() === "") throw createUsageError("--reason is missing.", 'earshot pause 30m --reason "why"');
    return setControl("/api/pause", { forMs, reason }, io, { json, done: `Paused for ${formatDuration(forMs)}.` });
  },
);

const WHICH = {
  source: { type: "string", value: "NAME", about: "which session is meant, when several sources use the same id" },
  protocol: { type: "string", choices: ["aaep", "aep", "aop"], about: "for the same purpose" },
  json: { type: "boolean", default: false, about: "print the settings as JSON" },
} as const;

export const stopSessionCommand = command(
  {
    name: "session stop",
    positionals: ["SESSION"],
    about: `Stops an agent: pending and future requests of this session are answered with stop, or with deny if the agent does not know
stop. To end this: earshot session resume SESSION`,
    options: { reason: { type: "string", about: "why; recorded" }, ...WHICH },
    notes: "It asks for your PIN. An agent that does not ask before it acts cannot be stopped this way.",
  },
  async ({ values, positionals: [session = ""] }, io: CommandIo): Promise<number> =>
    change(session, values, io, {
      action: "stop",
      body: values.reason === undefined ? {} : { reason: values.reason },
      done: `Session ${plainText(session)} is stopped.`,
    }),
);

export const resumeSessionCommand = command(
  {
    name: "session resume",
    positionals: ["SESSION"],
    about: "Lets a stopped session continue. Answers that were given in the meantime stay.",
    options: WHICH,
    notes: "It asks for your PIN.",
  },
  async ({ values, positionals: [session = ""] }, io: CommandIo): Promise<number> =>
    change(session, values, io, { action: "lift", body: {}, done: `Session ${plainText(session)} may go on.` }),
);

interface Change {
  readonly action: "stop" | "lift";
  readonly body: object;
  readonly done: string;
}

function change(
  session: string,
  { source, protocol, json }: CommandInput<typeof WHICH>["values"],
  io: CommandIo,
  { action, body, done }: Change,
) {
  const query = new URLSearchParams({ ...(source === undefined ? {} : { source }), ...(protocol === undefined ? {} : { protocol }) });
  return setControl(`/api/sessions/${encodeURIComponent(session)}/${action}?${query}`, body, io, { json, done });
}

/** Shows the settings to any viewer. */
async function showControl(io: CommandIo, { json }: { readonly json: boolean }): Promise<number> {
  const view = (await (await requestFromHub(await openHub(process.env), "/api/control")).json()) as ControlView;
  print(view, io, json);
  return EXIT.ok;
}

/** Changes the settings as an approver. */
export async function setControl(
  path: string,
  body: object,
  io: CommandIo,
  { json, done }: { readonly json: boolean; readonly done: string },
): Promise<number> {
  requireKeyboard(io);
  const hub = await openOwnHub(process.env);
  await using approver = await unlockTerminal(io, hub);
  if (approver === undefined) return EXIT.found;
  const view = await changeAtHub<ControlView>(await approver.access(hub), "POST", path, body);
  if (!json) io.out(`${done}\n`);
  print(view, io, json);
  return EXIT.ok;
}

function print(view: ControlView, io: CommandIo, json: boolean): void {
  if (json) io.out(`${JSON.stringify(view, null, 2)}\n`);
  else for (const line of controlLines(view, Date.now())) io.out(`${line}\n`);
}

/** Pause, away, stopped sessions and kept answers. */
function controlLines(
  { pause, away, stopped, holding, notGated, kept, deferred, remembered }: ControlView,
  now: number,
  timeZone?: string,
): readonly string[] {
  const when = (iso: string) => formatTime(Date.parse(iso), now, timeZone);
  return [
    pause === null
      ? "Not paused."
      : `Paused by ${name(pause.by)} until ${when(pause.until)}, ${formatDuration(Date.parse(pause.until) - now)} from now: agents decide everything themselves. Reason: ${quoteVisibly(pause.reason)}`,
    away !== null ? `Away since ${when(away.since)}, set by ${name(away.by)}: requests wait for an answer.` : "Not away.",
    ...gateLines({ holding, notGated }),
    ...stopped.map(
      ({ session, protocol, source, by, at, reason }) =>
        `Session ${name(session)} (${name(source)}, ${protocol}) was stopped by ${name(by)} at ${when(at)}.${reason === null ? "" : ` Reason: ${quoteVisibly(reason)}`}`,
    ),
    ...kept.map(
      ({ request, session, answer, by, until }) =>
        `Kept until ${when(until)}: if request ${name(request)} of session ${name(session)} is asked again, the answer of ${name(by)} is ${answer.word}.`,
    ),
    ...remembered.map(
      ({ rule, scope, by, at }) =>
        `Allowed from now on by ${name(by)} at ${when(at)}, ${SCOPE[scope]}: the rule ${name(rule)}. To take it back: earshot policy forget ${name(rule)}`,
    ),
    ...(deferred.length === 0 ? [] : [`Deferred and still undecided: ${deferred.map((id) => name(id)).join(", ")}.`]),
  ];
}

const SCOPE = { session: "until the session ends", project: "in the project, today", always: "for good" } as const;

function name(text: string): string {
  return visibleBeginning(text, 80);
}
