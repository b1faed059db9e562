import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type AgentAnswers, type CompiledAnswers, compileAnswers } from "../answers/answers.ts";
import { type CompiledMapping, compileMapping } from "../mapping/compile-mapping.ts";
import { toSlug } from "../recognise-sender.ts";
import type { LocatedProblem, ReadResult } from "../text/read-yaml.ts";
import { changesOf, OWN_FILES, ownFolders, readOwnFiles } from "./own-files.ts";
import { type AgentData, readShippedAgent } from "./shipped-agents.ts";

export interface LoadedAgent {
  readonly slug: string;
  readonly mapping: CompiledMapping;
  readonly answers: CompiledAnswers;
}

export interface AgentFilesOptions {
  /** The user's own agent files, one folder per agent. They take precedence over the shipped ones. */
  readonly folder?: string;
  /**
   * Whether exactly these texts were accepted as a replacement of a shipped agent's files. Until then the shipped files are used, because
   * they define what an answer means. Left out: accepted. Files of agents that do not ship are always used.
   */
  readonly isAccepted?: (slug: string, hash: string) => boolean;
  /** Called once for each text that needs acceptance. */
  readonly onWaiting?: (slug: string, folder: string) => void;
  /** Called once for each version of a file that cannot be used, or not entirely. */
  readonly onTrouble?: (path: string, troubles: readonly LocatedProblem[]) => void;
  /** Minimum time between two looks at an agent's files. Left out: they are checked each time. */
  readonly restMs?: number;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic?: () => number;
}

interface Known {
  readonly stamp: string;
  readonly agent: LoadedAgent | undefined;
  /** Hash of the files that need acceptance. */
  readonly waiting: string | undefined;
  lookedAt: number;
}

/** Replacements of a shipped agent's files that were not accepted yet. */
export interface WaitingAgent {
  readonly slug: string;
  readonly folder: string;
  readonly hash: string;
  readonly text: string;
  readonly changes: readonly string[];
}

/**
 * The known agents. The user's own files are checked again and again, so changes take effect; an unreadable file leaves the last version
 * in use.
 */
export class AgentFiles {
  readonly #folder: string | undefined;
  readonly #onTrouble: (path: string, troubles: readonly LocatedProblem[]) => void;
  readonly #restMs: number;
  readonly #monotonic: () => number;
  readonly #isAccepted: (slug: string, hash: string) => boolean;
  readonly #onWaiting: (slug: string, folder: string) => void;
  readonly #reported = new Set<string>();
  readonly #known = new Map<string, Known>();

  constructor(options: AgentFilesOptions = {}) {
    const { folder, onTrouble = () => {}, restMs = 0, monotonic = () => performance.now() } = options;
    this.#isAccepted = options.isAccepted ?? (() => true);
    this.#onWaiting = options.onWaiting ?? (() => {});
    this.#folder = folder;
    this.#onTrouble = onTrouble;
    this.#restMs = restMs;
    this.#monotonic = monotonic;
  }

  /** Looks up an agent by any of its names. Undefined for an unknown agent. */
  async agent(name: string): Promise<LoadedAgent | undefined> {
    const slug = toSlug(name);
    if (slug === undefined) return undefined;
    const known = this.#known.get(slug);
    const lookedAt = this.#monotonic();
    if (known !== undefined && lookedAt - known.lookedAt < this.#restMs) return known.agent;
    const paths = this.#pathsOf(slug);
    const stamp = paths.map(stampOf).join();
    if (known?.stamp === stamp && (known.waiting === undefined || !this.#isAccepted(slug, known.waiting))) {
      known.lookedAt = lookedAt;
      return known.agent;
    }
    const waiting = this.#waitingIn(slug, paths);
    const data = waiting === undefined ? await this.#read(slug, paths, known?.agent) : readShippedAgent(slug);
    const agent = data === undefined ? undefined : compileAgent(data);
    // Unknown names are not cached: callers choose them, so the cache would grow without bound.
    if (agent !== undefined) this.#known.set(slug, { stamp, agent, waiting, lookedAt });
    return agent;
  }

  /** The files that need acceptance, with the changes they would make. */
  async waiting(): Promise<readonly WaitingAgent[]> {
    const folder = this.#folder;
    if (folder === undefined) return [];
    const found: WaitingAgent[] = [];
    for (const name of ownFolders(folder)) {
      const [slug, shipped, own] = [toSlug(name), readShippedAgent(name), readOwnFiles(join(folder, name))];
      if (slug !== name || shipped === undefined || own === undefined || this.#isAccepted(slug, own.hash)) continue;
      this.#tellWaiting(slug, own.hash);
      const data = (await this.#read(slug, this.#pathsOf(slug), undefined)) ?? shipped;
      const text = OWN_FILES.map((file, index) => `# ${file}\n${[own.mapping, own.answers][index] ?? ""}`).join("\n");
      found.push({ slug, folder: join(folder, slug), hash: own.hash, text, changes: changesOf(shipped, data) });
    }
    return found;
  }

  #waitingIn(slug: string, paths: readonly string[]): string | undefined {
    if (paths.length === 0 || this.#folder === undefined || readShippedAgent(slug) === undefined) return undefined;
    const own = readOwnFiles(join(this.#folder, slug));
    if (own === undefined || this.#isAccepted(slug, own.hash)) return undefined;
    this.#tellWaiting(slug, own.hash);
    return own.hash;
  }

  #tellWaiting(slug: string, hash: string): void {
    if (this.#reported.has(hash)) return;
    this.#reported.add(hash);
    this.#onWaiting(slug, join(this.#folder ?? "", slug));
  }

  #pathsOf(slug: string): readonly string[] {
    if (this.#folder === undefined) return [];
    const folder = join(this.#folder, slug);
    // Most agents have no such folder: one stat replaces one per file.
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    return OWN_FILES.map((name) => join(folder, name));
  }

  /** Reads the user's files, falling back to their last good version and then to the shipped files. */
  async #read(slug: string, [mappingPath, answersPath]: readonly string[], last: LoadedAgent | undefined): Promise<AgentData | undefined> {
    const shipped = readShippedAgent(slug);
    const hasOwn = [mappingPath, answersPath].some((path) => path !== undefined && stampOf(path) !== "");
    if (!hasOwn) return shipped;
    const { readMapping, readAgentAnswers } = await import("../read.ts");
    const own = this.#readOne(mappingPath, (text) => readMapping(text, "lenient"));
    const mapping = own === "broken" ? (last?.mapping.mapping ?? shipped?.mapping) : (own?.mapping ?? shipped?.mapping);
    if (mapping === undefined) return undefined;
    const said = this.#readOne(answersPath, (text) => readAgentAnswers(text, "lenient"));
    const answers = said === "broken" ? (last?.answers.answers ?? shipped?.answers) : (said ?? shipped?.answers);
    return { mapping: { ...mapping, agent: slug }, answers: answers ?? observingAnswers(slug) };
  }

  #readOne<Value>(path: string | undefined, read: (text: string) => ReadResult<Value>): Value | "broken" | undefined {
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

function compileAgent({ mapping, answers }: AgentData): LoadedAgent {
  return { slug: mapping.agent, mapping: compileMapping(mapping), answers: compileAnswers(answers) };
}

/** Answers of an agent without an answers file: hooks are recorded and get no reply. */
function observingAnswers(agent: string): AgentAnswers {
  return { agent, gate: "none", neutral: {}, limits: { message: 10_000, context: 10_000 }, hooks: [] };
}

/** Checked before reading; the readers reject larger files anyway. */
const LARGEST_FILE = 4 * 1024 * 1024;

/** Changes whenever the file does; empty for a missing file. */
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
