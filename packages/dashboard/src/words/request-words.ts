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
import { clock } from "./times.ts";

/** How pages show text of an agent, and moments. */
export function presentation(now = Date.now()): Presentation {
  return { show: shortly, clock: (at) => clock(at, now) };
}

/** All that a card says about a request. */
export function describe(view: RequestView, now?: number): RequestDescription {
  return describeRequest(view, view.deadlineAt === null ? null : Date.parse(view.deadlineAt), presentation(now));
}

/** "Claude Code in shop wants to run git push", in parts: made from the real input, with what a screen would hide written out. */
export function headingIn(asked: AskedRequest): RequestHeading {
  return describeHeading(asked, { show: shortly });
}

const LONGEST = 160;

/** Text of an agent in one line: nothing in it is hidden, and what is cut off is counted. */
export function shortly(text: string, most = LONGEST): string {
  const line = showHidden(text)
    .shown.trim()
    .replaceAll(/[ \t]*\n+[ \t]*/g, " ⏎ ")
    .replaceAll(/[ \t]+/g, " ");
  const characters = line.length <= most ? [] : [...line];
  const left = characters.length - most;
  return left <= 0 ? line : `${characters.slice(0, most).join("")}… (${formatNumber(left)} more characters)`;
}
