/** One row of the table: a shell text, the simple commands in it, and what the guard preset says. */
export interface ShellCase {
  readonly command: string;
  /** As `printCommand` writes them. */
  readonly simple: readonly string[];
  readonly guard: "ask" | "abstain";
  readonly inspectable: boolean;
}

/** Everything in the table is asked in this folder, by this user. */
export const CASE_CWD = "/home/ann/app";
export const CASE_HOME = "/home/ann";

/** The guard leaves it to the agent. */
export function passes(command: string, ...simple: readonly string[]): ShellCase {
  return { command, simple, guard: "abstain", inspectable: true };
}

/** The guard asks, and it is known what would run. */
export function asks(command: string, ...simple: readonly string[]): ShellCase {
  return { command, simple, guard: "ask", inspectable: true };
}

/** The guard asks, because it is not known what would run; what could be found in it is listed. */
export function unreadable(command: string, ...simple: readonly string[]): ShellCase {
  return { command, simple, guard: "ask", inspectable: false };
}
