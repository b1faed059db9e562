import type { ControlView } from "@earshot/hub";
import { durationInWords, whenInWords } from "./time-words.ts";
import { visibleBeginning } from "./visible-text.ts";
import { quoted } from "./what-it-wants.ts";

/** How things are set: pause, away, stopped sessions, answers that are kept. */
export function controlLines(
  { pause, away, stopped, attended, kept, deferred, remembered }: ControlView,
  now: number,
  timeZone?: string,
): readonly string[] {
  const when = (iso: string) => whenInWords(Date.parse(iso), now, timeZone);
  return [
    pause === null
      ? "Not paused."
      : `Paused by ${name(pause.by)} until ${when(pause.until)}, ${durationInWords(Date.parse(pause.until) - now)} from now: everything is left to the agents. Reason: ${quoted(pause.reason)}`,
    away !== null
      ? `Away since ${when(away.since)}, set by ${name(away.by)}: what is asked waits for an answer, whether somebody is here or not.`
      : `Not away. ${attended ? "An approver did something within the last five minutes." : "No approver did anything within the last five minutes: what is asked only waits where a rule says so."}`,
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
