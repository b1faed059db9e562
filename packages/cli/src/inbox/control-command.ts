import type { ControlView } from "@earshot/hub";
import { formatDuration, formatTime } from "@earshot/narrate";
import { askHub, openHub, tellHub } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";
import { openOwnHub } from "../own-hub.ts";
import { requireKeyboard, unlockTerminal } from "./approver.ts";
import { gateLines } from "./gate-lines.ts";
import { quoted, visibleBeginning } from "./visible-text.ts";

/** Tells how things are set, to anybody who may read. */
export async function showControl(io: Io, { json }: { readonly json: boolean }): Promise<number> {
  const view = (await (await askHub(await openHub(process.env), "/api/control")).json()) as ControlView;
  print(view, io, json);
  return EXIT.ok;
}

/** Changes how things are set, as an approver. */
export async function setControl(
  path: string,
  body: object,
  io: Io,
  { json, done }: { readonly json: boolean; readonly done: string },
): Promise<number> {
  requireKeyboard(io);
  const hub = await openOwnHub(process.env);
  await using approver = await unlockTerminal(io, hub);
  if (approver === undefined) return EXIT.found;
  const view = await tellHub<ControlView>(await approver.access(hub), "POST", path, body);
  if (!json) io.out(`${done}\n`);
  print(view, io, json);
  return EXIT.ok;
}

function print(view: ControlView, io: Io, json: boolean): void {
  if (json) io.out(`${JSON.stringify(view, null, 2)}\n`);
  else for (const line of controlLines(view, Date.now())) io.out(`${line}\n`);
}

/** How things are set: pause, away, stopped sessions, answers that are kept. */
function controlLines(
  { pause, away, stopped, holding, notGated, kept, deferred, remembered }: ControlView,
  now: number,
  timeZone?: string,
): readonly string[] {
  const when = (iso: string) => formatTime(Date.parse(iso), now, timeZone);
  return [
    pause === null
      ? "Not paused."
      : `Paused by ${name(pause.by)} until ${when(pause.until)}, ${formatDuration(Date.parse(pause.until) - now)} from now: everything is left to the agents. Reason: ${quoted(pause.reason)}`,
    away !== null
      ? `Away since ${when(away.since)}, set by ${name(away.by)}: what is asked waits for an answer, whether somebody is here or not.`
      : "Not away.",
    ...gateLines({ holding, notGated }),
    ...stopped.map(
      ({ session, protocol, source, by, at, reason }) =>
        `Session ${name(session)} (${name(source)}, ${protocol}) was stopped by ${name(by)} at ${when(at)}.${reason === null ? "" : ` Reason: ${quoted(reason)}`}`,
    ),
    ...kept.map(
      ({ request, session, answer, by, until }) =>
        `Kept until ${when(until)}: if request ${name(request)} of session ${name(session)} is asked again, the answer of ${name(by)} is ${answer.word}.`,
    ),
    ...remembered.map(
      ({ rule, scope, by, at }) =>
        `Allowed from now on by ${name(by)} at ${when(at)}, ${SCOPE[scope]}: the rule ${name(rule)}. To take it back: earshot policy forget ${name(rule)}`,
    ),
    ...(deferred.length === 0 ? [] : [`Put off, and not decided since: ${deferred.map((id) => name(id)).join(", ")}.`]),
  ];
}

const SCOPE = { session: "until the session ends", project: "in the project, today", always: "for good" } as const;

function name(text: string): string {
  return visibleBeginning(text, 80);
}
