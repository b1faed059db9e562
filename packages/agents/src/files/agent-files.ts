import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { toSlug } from "../agent-names.ts";
import type { Read, Trouble } from "../text/trouble.ts";
import { type Agent, type AgentData, observingAnswers, toAgent } from "./agent.ts";
import { readShippedAgent } from "./shipped-agents.ts";

export interface AgentFilesOptions {
  /** Where a person keeps files of their own, one folder per agent: they count before those that ship with Earshot. */
  readonly folder?: string;
  /** A file that cannot be used, or not in all its parts. Told once for each version of the file. */
  readonly onTrouble?: (path: string, troubles: readonly Trouble[]) => void;
  /** After an agent's files were looked at, they are not looked at again for this long. Left out: they are each time. */
  readonly restMs?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonic?: () => number;
}

interface Known {
  readonly stamp: string;
  readonly agent: Agent | undefined;
  lookedAt: number;
}

/**
 * The agents that are known here. A person's own files are looked at again and again, so that a change counts; one that cannot
 * be read leaves things as they were.
 */
export class AgentFiles {
  readonly #folder: string | undefined;
  readonly #onTrouble: (path: string, troubles: readonly Trouble[]) => void;
  readonly #restMs: number;
  readonly #monotonic: () => number;
  readonly #known = new Map<string, Known>();

  constructor({ folder, onTrouble = () => {}, restMs = 0, monotonic = () => performance.now() }: AgentFilesOptions = {}) {
    this.#folder = folder;
    this.#onTrouble = onTrouble;
    this.#restMs = restMs;
    this.#monotonic = monotonic;
  }

  /** By any of its names; undefined for an agent that nobody has described. */
  async agent(name: string): Promise<Agent | undefined> {
    const slug = toSlug(name);
    if (slug === undefined) return undefined;
    const known = this.#known.get(slug);
    const lookedAt = this.#monotonic();
    if (known !== undefined && lookedAt - known.lookedAt < this.#restMs) return known.agent;
    const paths = this.#pathsOf(slug);
    const stamp = paths.map(stampOf).join();
    if (known?.stamp === stamp) {
      known.lookedAt = lookedAt;
      return known.agent;
    }
    const data = await this.#read(slug, paths, known?.agent);
    const agent = data === undefined ? undefined : toAgent(data);
    // Names that others make up are not remembered without end.
    if (agent !== undefined) this.#known.set(slug, { stamp, agent, lookedAt });
    return agent;
  }

  #pathsOf(slug: string): readonly string[] {
    if (this.#folder === undefined) return [];
    const folder = join(this.#folder, slug);
    // Most agents have no such folder: one look in place of one for each file.
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    return ["mapping.yaml", "answers.yaml"].map((name) => join(folder, name));
  }

  /** What a person's files say, else what was read from them last, else what ships with Earshot. */
  async #read(slug: string, [mappingPath, answersPath]: readonly string[], last: Agent | undefined): Promise<AgentData | undefined> {
    const shipped = readShippedAgent(slug);
    const hasOwn = [mappingPath, answersPath].some((path) => path !== undefined && stampOf(path) !== "");
    if (!hasOwn) return shipped;
    const { readMapping, readAnswers } = await import("../read.ts");
    const own = this.#readOne(mappingPath, (text) => readMapping(text, "lenient"));
    const mapping = own === "broken" ? (last?.mapping.mapping ?? shipped?.mapping) : (own?.mapping ?? shipped?.mapping);
    if (mapping === undefined) return undefined;
    const said = this.#readOne(answersPath, (text) => readAnswers(text, "lenient"));
    const answers = said === "broken" ? (last?.answers.answers ?? shipped?.answers) : (said ?? shipped?.answers);
    return { mapping: { ...mapping, agent: slug }, answers: answers ?? observingAnswers(slug) };
  }

  #readOne<Value>(path: string | undefined, read: (text: string) => Read<Value>): Value | "broken" | undefined {
    if (path === undefined || stampOf(path) === "") return undefined;
    const text = sizeOf(path) > LARGEST_FILE ? undefined : readText(path);
    if (text === undefined) {
      this.#onTrouble(path, [
        { severity: "error", line: 1, column: 1, message: "The file cannot be read.", hint: "Check its permissions and its size." },
      ]);
      return "broken";
    }
    const result = read(text);
    const troubles = result.ok ? result.warnings : result.troubles;
    if (troubles.length > 0) this.#onTrouble(path, troubles);
    return result.ok ? result.value : "broken";
  }
}

/** Looked at before reading: what is larger is refused by the readers anyway. */
const LARGEST_FILE = 4 * 1024 * 1024;

/** Changes whenever the file does; empty when there is none. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true ? `${stat.mtimeMs}:${stat.size}:${stat.ino}` : "";
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // told by the caller, in words for a person
  }
}
