import { showHidden } from "@earshot/policy";
import {
  agentName,
  folderIn,
  type HeardAsked,
  projectName,
  type Wish as WishIn,
  type WishOptions,
  wishOf as wishIn,
} from "@earshot/sdk/ear";

/** What is asked, in parts: "Claude Code in shop", "wants to", "run git push". */
export interface Wish extends WishIn {
  readonly who: string;
}

type Told = { readonly card: { readonly asked: HeardAsked } };
type Known = Pick<WishOptions, "commands">;

/** "Claude Code in shop wants to run git push": who, where, what, made from the real input, with what a screen would hide written out. */
export function headingOf(request: Told, known?: Known): string {
  const { who, joined, what } = wishOf(request, known);
  return `${who} ${joined} ${what}`;
}

export function wishOf({ card }: Told, known?: Known): Wish {
  return { who: whoAsks(card.asked), ...wishIn(card.asked, { ...known, show: shortly }) };
}

/** "Claude Code in shop". */
export function whoAsks({ agent, facts }: Pick<HeardAsked, "agent" | "facts">): string {
  const project = projectName(folderIn(facts));
  const name = shortly(agentName(agent), LONGEST_NAME);
  return project === undefined ? name : `${name} in ${shortly(project, LONGEST_NAME)}`;
}

const LONGEST = 160;
const LONGEST_NAME = 60;

/** Text of an agent in one line: nothing in it is hidden, and what is cut off is counted. */
export function shortly(text: string, most = LONGEST): string {
  const line = showHidden(text)
    .shown.trim()
    .replaceAll(/[ \t]*\n+[ \t]*/g, " ⏎ ")
    .replaceAll(/[ \t]+/g, " ");
  const characters = line.length <= most ? [] : [...line];
  const left = characters.length - most;
  return left <= 0 ? line : `${characters.slice(0, most).join("")}… (${left.toLocaleString("en")} more characters)`;
}

/** What an agent says, so that nobody takes it for ours. */
export function quoted(text: string, most = LONGEST): string {
  return `“${shortly(text, most)}”`;
}
