import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { PolicyLanguage, PolicyText } from "./policy-language.ts";
import { placesAbove, realFolder } from "./repository-file.ts";
import { WatchedRules } from "./watched-rules.ts";

export interface RepositoryPorts {
  readonly language: PolicyLanguage;
  /** The person's home folder and own rules file, which are no repository's. */
  readonly home?: string;
  readonly path: string;
  readonly monotonic: () => number;
  readonly log: (message: string) => void;
  /** The rules in force have changed and must be recorded. */
  readonly onChange: () => void;
}

/** The maximum remembered, also after a restart. The first ones stay, so that nobody can displace them. */
const MAX_KNOWN = 256;
/** For nested repositories, the outer ones count. */
const MAX_NESTED = 8;
const MAX_STORED_BYTES = 256 * 1024;

/**
 * Rules that repositories bring along. They can only tighten, so they take effect when first seen; like the person's own, they do not
 * disappear by themselves: a loosened or removed file waits for an approver.
 */
export class RepositoryTexts {
  readonly #ports: RepositoryPorts;
  readonly #known = new Map<string, WatchedRules>();

  constructor(ports: RepositoryPorts, stored: JsonValue | undefined) {
    this.#ports = ports;
    this.restore(stored);
  }

  /** Puts in force what was recorded. */
  restore(stored: JsonValue | undefined): void {
    const texts = new Map(isObject(stored) ? Object.entries(stored) : []);
    for (const path of [...this.#known.keys()]) if (!texts.has(path)) this.#known.delete(path);
    for (const [path, text] of texts) {
      if (typeof text === "string" && this.#known.get(path)?.text !== text) this.#known.set(path, this.#watch(path, text));
    }
  }

  /** The rules of the repositories around a folder: each one tightens, so an inner file removes nothing. */
  at(cwd: string | undefined): readonly { readonly path: string; readonly text: string }[] {
    if (cwd === undefined) return [];
    // Usually there is none: the person's own file is only resolved if there is one.
    const isRepositorys = (path: string) => (this.#known.has(path) || isThere(path)) && path !== realPathOf(this.#ports.path);
    const paths = placesAbove(cwd, this.#ports.home).filter(isRepositorys);
    return paths
      .slice(-MAX_NESTED)
      .map((path) => ({ path, text: this.#textOf(path) }))
      .filter(({ text }) => text !== "");
  }

  #textOf(path: string): string {
    const known = this.#known.get(path);
    const now = this.#ports.monotonic();
    if (known === undefined && this.#known.size >= MAX_KNOWN) {
      const found = this.#watch(path).look(now);
      return found.what === "tightened" ? (found.text ?? "") : "";
    }
    if (known === undefined || known.isDue(now)) this.#look(path);
    return this.#known.get(path)?.text ?? "";
  }

  /** Checks all of them again. */
  look(): void {
    for (const path of [...this.#known.keys()]) this.#look(path);
  }

  pending(): readonly { readonly path: string; readonly text: PolicyText; readonly loosens: readonly string[] }[] {
    return [...this.#known].flatMap(([path, { pending }]) => (pending === undefined ? [] : [{ path, ...pending }]));
  }

  all(): readonly { readonly path: string; readonly text: string }[] {
    return [...this.#known].map(([path, { text }]) => ({ path, text: text ?? "" }));
  }

  /** An approver has seen what a changed file permits. Returns a function that undoes it if it could not be recorded. */
  accept(path: string, text: PolicyText): () => void {
    const known = this.#known.get(path);
    if (known === undefined) return () => {};
    const { text: before, pending } = known;
    if (text === null) this.#known.delete(path);
    known.text = text;
    known.pending = undefined;
    return () => {
      known.text = before;
      known.pending = pending;
      this.#known.set(path, known);
    };
  }

  /** The state to keep across a restart. */
  stored(): JsonObject {
    let bytes = 0;
    const first = [...this.#known].filter(([path, { text }]) => {
      bytes += path.length + (text ?? "").length;
      return bytes <= MAX_STORED_BYTES;
    });
    return Object.fromEntries(first.map(([path, { text }]) => [path, text ?? ""]));
  }

  #look(path: string): void {
    const { monotonic, log: tell, onChange } = this.#ports;
    const known = this.#known.get(path);
    const rules = known ?? this.#watch(path);
    const found = rules.look(monotonic());
    if (found.what === "loosened") {
      // If the whole folder is gone, nothing can happen in it.
      if (isThere(dirname(dirname(path)), "folder")) {
        tell(`The rules of a repository would allow more, and wait for an approver: ${path}. ${found.loosens[0] ?? ""}`);
      } else rules.pending = undefined;
    } else if (found.what === "tightened") {
      if (found.text === null) this.#known.delete(path);
      else this.#known.set(path, rules);
      onChange();
    }
  }

  #watch(path: string, text?: string): WatchedRules {
    return new WatchedRules(path, "repository", this.#ports.language, text);
  }
}

/** For a possibly missing file, its folder is resolved. */
function realPathOf(path: string): string {
  try {
    return join(realFolder(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

function isThere(path: string, kind: "file" | "folder" = "file"): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return (kind === "file" ? stat?.isFile() : stat?.isDirectory()) === true;
  } catch {
    return false; // not ours to look at
  }
}
