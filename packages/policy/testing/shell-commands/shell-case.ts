/** One row of the table: a shell text, its simple commands, and the answer of the guard preset. */
export interface ShellCase {
  readonly command: string;
  /** As `printCommand` writes them. */
  readonly simple: readonly string[];
  readonly guard: "ask" | "abstain";
  readonly inspectable: boolean;
}

/** The folder and the user of every request in the table. */
export const CASE_CWD = "/home/ann/app";
export const CASE_HOME = "/home/ann";

/** The guard preset leaves the command to the agent. */
export function passes(command: string, ...simple: readonly string[]): ShellCase {
  return { command, simple, guard: "abstain", inspectable: true };
}

/** The guard preset asks, and the commands that would run are known. */
export function asks(command: string, ...simple: readonly string[]): ShellCase {
  return { command, simple, guard: "ask", inspectable: true };
}

/** The guard preset asks because the commands that would run are unknown; those found are listed. */
export function unreadable(command: string, ...simple: readonly string[]): ShellCase {
  return { command, simple, guard: "ask", inspectable: false };
}
