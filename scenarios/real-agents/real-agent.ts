import type { JsonValue } from "../../packages/protocol/src/json.ts";

/** A coding agent as it is published, and what it takes to have it talk to a scripted model and to nobody else. */
export interface RealAgent {
  readonly slug: string;
  readonly name: string;
  /** In the package registry. */
  readonly package: string;
  /** Where its program is in the installed folder, the first that is there. No install script has run. */
  readonly programs: readonly string[];
  /** The name under which people start it. */
  readonly command: string;
  /** Whether the program is a script for Node. */
  readonly isScript: boolean;
  /** Files of its own in the user's home. A text is written as it is, anything else as JSON. */
  readonly files: (at: Surroundings) => Readonly<Record<string, JsonValue>>;
  readonly env: (at: Surroundings) => Readonly<Record<string, string>>;
  /** Without a person: one task, then it ends. */
  readonly words: (prompt: string, at: Surroundings) => readonly string[];
  /** The same in its other permission modes, by their names. */
  readonly modes?: Readonly<Record<string, RealAgent["words"]>>;
  /** Continues the last session. */
  readonly resumes?: RealAgent["words"];
}

export interface Surroundings {
  /** Of the scripted model. */
  readonly url: string;
  readonly home: string;
  readonly project: string;
  /** The words that start an MCP server. */
  readonly mcp: readonly [program: string, ...words: string[]];
}
