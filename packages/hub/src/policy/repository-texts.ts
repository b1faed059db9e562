import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import { readRegularFile } from "../regular-file.ts";
import type { PolicyLanguage, PolicyText } from "./policy-language.ts";
import { placesAbove, realFolder } from "./repository-file.ts";

export interface RepositoryPorts {
  readonly language: PolicyLanguage;
  /** The person's home folder, and the person's own file of rules: what stands there is no repository's. */
  readonly home?: string;
  readonly path: string;
  readonly monotonic: () => number;
  readonly tell: (message: string) => void;
  /** What is in force has changed, and is to be recorded. */
  readonly onChange: () => void;
}

/** A repository's rules: those in force, and those that would let more through. */
interface Known {
  text: string;
  pending: { readonly text: PolicyText; readonly loosens: readonly string[] } | undefined;
  stamp: string;
  lookedAt: number;
}

const LOOK_MS = 500;
const MAX_BYTES = 256 * 1024;
/** So many are remembered, and so much of them when the hub starts again. Those that came first stay: nobody can push them out. */
const MOST_KNOWN = 256;
/** One repository inside the other: the outer ones count. */
const MOST_NESTED = 8;
const MOST_STORED_BYTES = 256 * 1024;

/**
 * The rules that repositories bring along. They can only tighten, so they count as soon as they are seen; and like the
 * person's own, once they count they do not go away by themselves: a file that was loosened or removed waits for an approver.
 */
export class RepositoryTexts {
  readonly #ports: RepositoryPorts;
  readonly #known = new Map<string, Known>();

  constructor(ports: RepositoryPorts, stored: JsonValue | undefined) {
    this.#ports = ports;
    if (!isObject(stored)) return;
    for (const [path, text] of Object.entries(stored)) if (typeof text === "string") this.#known.set(path, newly(text));
  }

  /**
   * The rules of the repositories that a folder lies in, one inside the other: each of them tightens, so that a file further in
   * takes nothing away.
   */
  at(cwd: string | undefined): readonly { readonly path: string; readonly text: string }[] {
    if (cwd === undefined) return [];
    // Nearly always there is none: what the person's own file really is called is asked only where there is one.
    const isThere = (path: string) => (this.#known.has(path) || isFile(path)) && path !== realPathOf(this.#ports.path);
    const paths = placesAbove(cwd, this.#ports.home).filter(isThere);
    return paths
      .slice(-MOST_NESTED)
      .map((path) => ({ path, text: this.#textOf(path) }))
      .filter(({ text }) => text !== "");
  }

  #textOf(path: string): string {
    const known = this.#known.get(path);
    if (known === undefined && this.#known.size >= MOST_KNOWN) return this.#readGood(path) ?? "";
    if (known === undefined || this.#ports.monotonic() - known.lookedAt >= LOOK_MS) this.#look(path);
    return this.#known.get(path)?.text ?? "";
  }

  /** Looks at all of them again. */
  look(): void {
    for (const path of [...this.#known.keys()]) this.#look(path);
  }

  pending(): readonly { readonly path: string; readonly text: PolicyText; readonly loosens: readonly string[] }[] {
    return [...this.#known].flatMap(([path, { pending }]) => (pending === undefined ? [] : [{ path, ...pending }]));
  }

  all(): readonly { readonly path: string; readonly text: string }[] {
    return [...this.#known].map(([path, { text }]) => ({ path, text }));
  }

  /** An approver has seen what a changed file lets through. Gives how to undo it, where it could not be recorded. */
  accept(path: string, text: PolicyText): () => void {
    const known = this.#known.get(path);
    if (known === undefined) return () => {};
    if (text === null) this.#known.delete(path);
    else this.#known.set(path, { ...known, text, pending: undefined });
    return () => this.#known.set(path, known);
  }

  /** What is to be known after a restart. */
  stored(): JsonObject {
    let bytes = 0;
    const first = [...this.#known].filter(([path, { text }]) => {
      bytes += path.length + text.length;
      return bytes <= MOST_STORED_BYTES;
    });
    return Object.fromEntries(first.map(([path, { text }]) => [path, text]));
  }

  #look(path: string): void {
    const { language, monotonic, tell, onChange } = this.#ports;
    const known = this.#known.get(path);
    const stamp = stampOf(path);
    if (known !== undefined) {
      known.lookedAt = monotonic();
      if (stamp === known.stamp) return;
      known.stamp = stamp;
    }
    const text = this.#readGood(path);
    if (text === undefined) return; // the last good one stays
    if (known === undefined) {
      if (text === null) return;
      this.#known.set(path, { ...newly(text), stamp, lookedAt: monotonic() });
      onChange();
      return;
    }
    known.pending = undefined;
    if (text === known.text) return;
    const [first, ...more] = language.loosens(known.text, text, "repository");
    if (first !== undefined) {
      // Where the whole folder is gone there is nothing that could be done in it.
      if (stampOf(dirname(dirname(path)), "folder") === "none") return;
      known.pending = { text, loosens: [first, ...more] };
      tell(`The rules of a repository would allow more, and wait for an approver: ${path}. ${first}`);
      return;
    }
    if (text === null) this.#known.delete(path);
    else known.text = text;
    onChange();
  }

  /** Null where there is none; undefined where it cannot be used. */
  #readGood(path: string): PolicyText | undefined {
    const text = readText(path);
    return typeof text === "string" && !this.#ports.language.read(text, "repository").ok ? undefined : text;
  }
}

/** Of a file that may not be there: its folder is. */
function realPathOf(path: string): string {
  try {
    return join(realFolder(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

function newly(text: string): Known {
  return { text, pending: undefined, stamp: "", lookedAt: Number.NEGATIVE_INFINITY };
}

/** Undefined where it cannot be read: it could only have tightened. */
function readText(path: string): PolicyText | undefined {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return null;
    return readRegularFile(path, { maxBytes: MAX_BYTES, followsLinks: true });
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // not ours to look at
  }
}

function stampOf(path: string, kind: "file" | "folder" = "file"): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
    const isThere = kind === "file" ? stat?.isFile() : stat?.isDirectory();
    return stat !== undefined && isThere === true ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : "none";
  } catch {
    return "none"; // not ours to look at
  }
}
