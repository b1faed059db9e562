import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Answers, type CompiledAnswers, compileAnswers } from "../answers/answers.ts";
import { type CompiledMapping, compileMapping } from "../mapping/compile-mapping.ts";
import { toSlug } from "../recognise-sender.ts";
import type { Read, Trouble } from "../text/read-yaml.ts";
import { changesOf, OWN_FILES, ownFolders, readOwnFiles } from "./own-files.ts";
import { type AgentData, readShippedAgent } from "./shipped-agents.ts";

/** The mapping and the answers of one coding agent, compiled. */
export interface Agent {
  readonly slug: string;
  readonly mapping: CompiledMapping;
  readonly answers: CompiledAnswers;
}

export interface AgentFilesOptions {
  /** Where a person keeps files of their own, one folder per agent: they count before those that ship with Earshot. */
  readonly folder?: string;
  /**
   * Whether files in place of a shipped agent's were accepted, as exactly these texts. Until then the shipped ones count: they say
   * what an answer means. Left out: they are accepted. Files about an agent that does not ship always count.
   */
  readonly isAccepted?: (slug: string, hash: string) => boolean;
  /** Told once for each text that waits to be accepted. */
  readonly onWaiting?: (slug: string, folder: string) => void;
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
  /** The hash of files that wait to be accepted. */
  readonly waiting: string | undefined;
  lookedAt: number;
}

/** Files in place of a shipped agent's that do not count yet. */
export interface WaitingAgent {
  readonly slug: string;
  readonly folder: string;
  readonly hash: string;
  readonly text: string;
  readonly changes: readonly string[];
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
  readonly #isAccepted: (slug: string, hash: string) => boolean;
  readonly #onWaiting: (slug: string, folder: string) => void;
  readonly #told = new Set<string>();
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

  /** By any of its names; undefined for an agent that nobody has described. */
  async agent(name: string): Promise<Agent | undefined> {
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
    // Names that others make up are not remembered without end.
    if (agent !== undefined) this.#known.set(slug, { stamp, agent, waiting, lookedAt });
    return agent;
  }

  /** What waits to be accepted, with what it would change. */
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
    if (this.#told.has(hash)) return;
    this.#told.add(hash);
    this.#onWaiting(slug, join(this.#folder ?? "", slug));
  }

  #pathsOf(slug: string): readonly string[] {
    if (this.#folder === undefined) return [];
    const folder = join(this.#folder, slug);
    // Most agents have no such folder: one look in place of one for each file.
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    return OWN_FILES.map((name) => join(folder, name));
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

function compileAgent({ mapping, answers }: AgentData): Agent {
  return { slug: mapping.agent, mapping: compileMapping(mapping), answers: compileAnswers(answers) };
}

/** For an agent without answers of its own: its hooks are recorded and get no reply. */
function observingAnswers(agent: string): Answers {
  return { agent, gate: "none", neutral: {}, limits: { message: 10_000, context: 10_000 }, hooks: [] };
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
