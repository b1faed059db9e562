import type { RequestView } from "@earshot/hub";
import {
  type AskedRequest,
  describeHeading,
  describeRequest,
  formatNumber,
  type Presentation,
  type RequestDescription,
  type RequestHeading,
} from "@earshot/narrate";
import { showHidden } from "@earshot/policy";
import { formatClockTime } from "./times.ts";

/** Returns the format of agent text and times on pages. */
export function pagePresentation(now = Date.now()): Presentation {
  return { show: shortenVisibly, clock: (at) => formatClockTime(at, now) };
}

/** Returns all texts of a request's card. */
export function describeForPage(view: RequestView, now?: number): RequestDescription {
  return describeRequest(view, view.deadlineAt === null ? null : Date.parse(view.deadlineAt), pagePresentation(now));
}

/** "Claude Code in shop wants to run git push", in parts: derived from the real input, with invisible characters escaped. */
export function headingIn(asked: AskedRequest): RequestHeading {
  return describeHeading(asked, { show: shortenVisibly });
}

const MAX_SHOWN_CHARACTERS = 160;

/** Returns agent text as one line: hidden characters are escaped, and the cut part is counted. */
export function shortenVisibly(text: string, most = MAX_SHOWN_CHARACTERS): string {
  const line = showHidden(text)
    .shown.trim()
    .replaceAll(/(?<![ \t])[ \t]*\n+[ \t]*/g, " ⏎ ")
    .replaceAll(/[ \t]+/g, " ");
  const characters = line.length <= most ? [] : [...line];
  const left = characters.length - most;
  return left <= 0 ? line : `${characters.slice(0, most).join("")}… (${formatNumber(left)} more characters)`;
}
