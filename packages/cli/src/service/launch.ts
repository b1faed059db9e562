import { EarshotError } from "@earshot/protocol/problem";

/** What is to be run at login, whichever system runs it. */
export interface Launch {
  /** The Node that runs this command. */
  readonly node: string;
  /** `earshot.cjs`. */
  readonly command: string;
  /** Set when the hub's folder is not the usual one. */
  readonly home: string | undefined;
  /** Where the hub's output goes, where the system does not keep it itself. */
  readonly output: string;
}

/** What follows the program's name. A browser that opens at every login is nobody's wish. */
export function wordsOf({ command }: Launch): readonly string[] {
  return [command, "start", "--no-open"];
}

/** Line breaks and other controls have no place in any of the three formats, and in no path that a person chose. */
export function checkPaths({ node, command, home = "", output }: Launch): void {
  for (const path of [node, command, home, output]) {
    if (!/\p{Cc}/u.test(path)) continue;
    const message = `A path holds a control character: ${JSON.stringify(path)}.`;
    throw new EarshotError({ code: "WRONG_USAGE", message, hint: "Move it to a folder with an ordinary name." });
  }
}

export function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
