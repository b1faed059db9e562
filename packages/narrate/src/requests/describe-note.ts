import { folderIn, projectName } from "../names.ts";
import { languageWordsFor } from "../sentences/languages.ts";
import type { Catalogue } from "../words/catalogue.ts";

/** The agent of a notification. */
export interface NotedAgent {
  readonly agent: string;
  readonly workspace?: unknown;
}

export interface DesktopNote {
  readonly title: string;
  readonly body: string;
  /** Stays until it is dismissed, if the desktop supports that. */
  readonly isUrgent: boolean;
}

/**
 * "Claude Code in shop": "Asks for your permission." Without the subject, because others may see the screen, and anyone a lock screen.
 */
export function describeRequestNote(kind: keyof Catalogue["notes"]["asks"], whom: NotedAgent, language = "en"): DesktopNote {
  const { catalogue } = languageWordsFor(language);
  const { asks, answer } = catalogue.notes;
  return { title: nameOf(whom, catalogue), body: `${asks[kind]} ${answer}`, isUrgent: true };
}

export function describeMoreNote(language = "en"): DesktopNote {
  const { more, answer } = languageWordsFor(language).catalogue.notes;
  return { title: "Earshot", body: `${more} ${answer}`, isUrgent: true };
}

/** An action bypassed the gate, or the gate itself was changed. */
export function describeGuardNote(whom: NotedAgent | undefined, language = "en"): DesktopNote {
  const { catalogue } = languageWordsFor(language);
  const { guard, guardChanged, ranUnallowed } = catalogue.notes;
  if (whom === undefined) return { title: guard, body: guardChanged, isUrgent: true };
  return { title: nameOf(whom, catalogue), body: ranUnallowed, isUrgent: true };
}

export function describeTestNote(language = "en"): DesktopNote {
  return { title: "Earshot", body: languageWordsFor(language).catalogue.notes.test, isUrgent: false };
}

function nameOf({ agent, workspace }: NotedAgent, { notes, phrases }: Catalogue): string {
  const project = projectName(folderIn({ workspace }));
  const name = shorten(agent === "" ? notes.anAgent : agent);
  return project === undefined ? name : phrases.from(name, shorten(project));
}

const LONGEST_NAME = 40;

/** One short line. Some desktops parse markup, and bidirectional controls are not part of a name. */
function shorten(name: string): string {
  const line = name
    .slice(0, 200)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>&]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length <= LONGEST_NAME ? line : `${characters.slice(0, LONGEST_NAME - 1).join("")}…`;
}
