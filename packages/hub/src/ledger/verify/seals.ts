import type { KeyObject } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { CheckpointRow } from "../ledger-engine.ts";
import type { SealFileLines } from "../seal-file.ts";
import { lineDigest, readSeal, type Seal } from "../seal-line.ts";
import type { LedgerBreak } from "./ledger-break.ts";

export type NextSeal = { readonly seal: Seal } | { readonly wrong: LedgerBreak } | undefined;

/**
 * The seals in order, each compared with the previous one and with its copy in the file beside the ledger. A seal is in the ledger before
 * it is in the file, so the file must be opened before the ledger's read transaction.
 */
export class SealVerifier {
  readonly #publicKey: KeyObject;
  readonly #after: StatementSync;
  readonly #file: SealFileLines;
  readonly #newest: number;
  #number = 0;
  #upTo = 0;
  #digest: string | null = null;
  #behind = 0;
  #late = 0;

  constructor(db: DatabaseSync, publicKey: KeyObject, file: SealFileLines) {
    this.#publicKey = publicKey;
    this.#after = db.prepare("SELECT number, up_to AS upTo, line FROM seal WHERE number > ? ORDER BY number LIMIT 1");
    this.#newest = Number(db.prepare("SELECT ifnull(max(number), 0) AS number FROM seal").get()?.["number"]);
    this.#file = file;
  }

  get count(): number {
    return this.#number;
  }

  /** Number of seals that sign entries unsigned when a hub started. */
  get late(): number {
    return this.#late;
  }

  /** The last signed position. */
  get upTo(): number {
    return this.#upTo;
  }

  /** 1 if the file lacks the newest seal, as after a stop while writing it; the next start adds it. */
  get behind(): number {
    return this.#behind;
  }

  next(): NextSeal {
    const row = this.#after.get(this.#number === 0 ? Number.MIN_SAFE_INTEGER : this.#number);
    if (row === undefined) return undefined;
    const { number, upTo, line } = row as unknown as CheckpointRow;
    const expected = this.#number + 1;
    const place = { position: this.#upTo + 1 };
    const wrong = (what: LedgerBreak["what"], message: string): NextSeal => ({ wrong: { what, ...place, message } });
    if (number !== expected) return wrong("seal-missing", `Seal ${expected} is missing: the next one is ${number}.`);
    const seal = readSeal(line, this.#publicKey);
    if (seal === undefined) return wrong("seal-changed", `Seal ${number} was not signed with the ledger's key.`);
    if (seal.seal !== number || seal.upTo !== upTo)
      return wrong("seal-changed", `Seal ${number} says in its row something else than was signed.`);
    if (seal.before !== this.#digest || seal.after !== this.#upTo) {
      return wrong("seal-changed", `Seal ${number} does not follow from the seal before it.`);
    }
    const inFile = this.#compareWithFile(number, line);
    if (inFile !== undefined) return { wrong: { ...inFile, ...place } };
    this.#number = number;
    this.#upTo = upTo;
    this.#digest = lineDigest(line);
    if (seal.late !== undefined) this.#late++;
    return { seal };
  }

  /** The part of the file after the last seal. */
  rest(): LedgerBreak | undefined {
    const line = this.#file.next();
    if (line === undefined) return undefined;
    const seal = readSeal(line.text, this.#publicKey);
    if (seal === undefined) {
      const message = `Line ${this.#number + 1} of the file of seals is no seal that the ledger has, and is not signed.`;
      return { what: "seal-file", message };
    }
    const position = seal.after + 1;
    return { what: "seal-missing", position, message: `Seal ${seal.seal} stands in the file of seals, and is missing in the ledger.` };
  }

  #compareWithFile(number: number, line: string): LedgerBreak | undefined {
    const copy = this.#file.next();
    if (copy?.text === line && (copy.ended || number === this.#newest)) return undefined;
    const interrupted = copy === undefined || (!copy.ended && line.startsWith(copy.text));
    if (interrupted && number === this.#newest) {
      this.#behind = 1;
      return undefined;
    }
    if (interrupted) return { what: "seal-file", message: `The file of seals ends before seal ${number}; the ledger has ${this.#newest}.` };
    return { what: "seal-file", message: `Line ${number} of the file of seals is not what the ledger has as seal ${number}.` };
  }
}
