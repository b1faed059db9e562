import type { JsonValue } from "../../packages/protocol/src/json.ts";

/** A published coding agent, and what it needs to use only the scripted model. */
export interface RealAgent {
  readonly slug: string;
  readonly name: string;
  /** Package name in the registry. */
  readonly package: string;
  /** Possible paths of its program in the installed folder; the first existing one counts. Install scripts did not run. */
  readonly programs: readonly string[];
  /** The command people start it with. */
  readonly command: string;
  /** Whether the program is a Node script. */
  readonly isScript: boolean;
  /** Files in the user's home. A text is written as it is, anything else as JSON. */
  readonly files: (at: Surroundings) => Readonly<Record<string, JsonValue>>;
  readonly env: (at: Surroundings) => Readonly<Record<string, string>>;
  /** Arguments for one unattended task. */
  readonly words: (prompt: string, at: Surroundings) => readonly string[];
  /** The same in its other permission modes, by name. */
  readonly modes?: Readonly<Record<string, RealAgent["words"]>>;
  /** Arguments that continue the last session. */
  readonly resumes?: RealAgent["words"];
}

export interface Surroundings {
  /** The scripted model's address. */
  readonly url: string;
  readonly home: string;
  readonly project: string;
  /** The command that starts the MCP server. */
  readonly mcp: readonly [program: string, ...words: string[]];
}
