import { plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import type { Heard } from "./heard.ts";
import { summaryOf } from "./summary.ts";

const LONGEST_SUMMARY = 160;
const LONGEST_NAME = 40;
const LONGEST_SESSION = 12;

/**
 * One event as one line: when, in which protocol and session, who, what, and what is wrong with it. Everything that came
 * from elsewhere goes through `plainText`, so that a line stays a line. Colour only repeats what the words say.
 */
export function formatHeard(heard: Heard, { bold, yellow, red }: Style): string {
  const { protocol, session, agent, kind, type, flags, masked } = heard;
  const remarks = flags.map(({ severity, rule }) => {
    const words = cut(`${severity} ${rule}`, LONGEST_NAME * 2);
    return severity === "error" ? red(words) : yellow(words);
  });
  if (masked > 0) remarks.push(yellow(masked === 1 ? "1 secret masked" : `${masked} secrets masked`));
  const columns = [
    timeOf(heard.receivedAt),
    cut(protocol, LONGEST_NAME).padEnd(4),
    shorten(session),
    cut(agent, LONGEST_NAME),
    bold(cut(kind === "event" || kind === "" ? type : `${kind} ${type}`, LONGEST_NAME * 2)),
    cut(summaryOf(heard.event), LONGEST_SUMMARY),
    remarks.length === 0 ? "" : `[${remarks.join(", ")}]`,
  ];
  return columns.filter((column) => column.trim() !== "").join("  ");
}

/** By the clock of whoever reads. */
function timeOf(receivedAt: string): string {
  const time = new Date(receivedAt);
  if (Number.isNaN(time.getTime())) return "--:--:--.---";
  const [hours, minutes, seconds] = [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, "0"));
  return `${hours}:${minutes}:${seconds}.${String(time.getMilliseconds()).padStart(3, "0")}`;
}

/** Ids of one maker begin alike and end differently: both ends are kept. */
function shorten(session: string): string {
  const plain = [...plainText(session.slice(0, 4096))];
  if (plain.length <= LONGEST_SESSION) return plain.join("").padEnd(LONGEST_SESSION);
  return `${plain.slice(0, 5).join("")}…${plain.slice(-6).join("")}`;
}

/** Long text is cut before it is looked at, and again where its unseen characters were written out. */
function cut(text: string, longest: number): string {
  const characters = [...plainText(text.trim().slice(0, longest * 8))];
  return characters.length <= longest && text.length <= longest * 8 ? characters.join("") : `${characters.slice(0, longest - 1).join("")}…`;
}
