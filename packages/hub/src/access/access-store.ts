import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { EarshotError } from "@earshot/protocol";
import { type AccessState, EMPTY_STATE, isAccessState } from "./access-state.ts";

/**
 * Who may do what, in memory and in a file that only its user can read. The hub alone writes it, and reads it at its start
 * only: what is changed in the file meanwhile is overwritten, not obeyed.
 */
export class AccessStore {
  readonly #path: string;
  #state: AccessState;
  /** Whether the file was there. */
  readonly isNew: boolean;

  constructor(path: string) {
    this.#path = path;
    const known = readState(path);
    this.isNew = known === undefined;
    this.#state = known ?? EMPTY_STATE;
    if (known === undefined) this.#write(EMPTY_STATE);
  }

  get state(): AccessState {
    return this.#state;
  }

  /** On disk when it returns; nothing changes when it cannot be written. */
  update(change: Partial<AccessState>): void {
    this.replace({ ...this.#state, ...change });
  }

  replace(next: AccessState): void {
    this.#write(next);
    this.#state = next;
  }

  #write(state: AccessState): void {
    const beside = `${this.#path}.new`;
    const file = openSync(beside, "w", 0o600);
    try {
      writeSync(file, `${JSON.stringify(state, null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, this.#path);
    syncFolder(dirname(this.#path));
  }
}

/** A file that cannot be read is no reason to let anybody in: a missing one means that nobody was admitted yet. */
function readState(path: string): AccessState | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw unreadable(path, error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unreadable(path, error);
  }
  if (!isAccessState(value)) throw unreadable(path, undefined);
  return value;
}

function unreadable(path: string, cause: unknown): EarshotError {
  return new EarshotError({ code: "ACCESS_UNREADABLE", message: `${path} cannot be read as a list of credentials.` }, { cause });
}

/** The new name is on disk only when the folder is. Windows knows no such thing and needs none. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const file = openSync(folder, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
