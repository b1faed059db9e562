import { rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { tooLarge } from "../intake/held-bytes.ts";
import { type Piece, toRefusal } from "../intake/piece.ts";
import { type IntakeContext, receive } from "../intake/receive.ts";
import { hookOrigin } from "../intake/submission.ts";
import { readRegularFile } from "../regular-file.ts";
import { SPOOL_LIMITS, spooledFiles, takeDropped } from "./hook-spool.ts";

const EVERY_MS = 1000;
const FILES_AT_ONCE = 100;
const BATCH_BYTES = 512 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;

/**
 * Stores what hooks spooled without a hub, in order and once. A file is removed when its lines are on disk; lines read again after a
 * crash are recognized by their ids.
 */
export class SpoolDelivery implements Disposable {
  readonly #folder: string;
  readonly #source: string;
  readonly #intake: IntakeContext;
  readonly #onFailure: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #delivering: Promise<void> | undefined;

  /** `source`: the hooks' credential. `everyMs`: how often the folder is read; 0 leaves that to the caller of `deliver`. */
  constructor(
    folder: string,
    source: string,
    intake: IntakeContext,
    { onFailure, everyMs = EVERY_MS }: { readonly onFailure: (error: unknown) => void; readonly everyMs?: number },
  ) {
    this.#folder = folder;
    this.#source = source;
    this.#intake = intake;
    this.#onFailure = onFailure;
    if (everyMs > 0) this.#timer = setInterval(() => void this.deliver(), everyMs).unref();
  }

  /** Fulfills when the present files are delivered, or could not be. */
  deliver(): Promise<void> {
    this.#delivering ??= this.#deliver()
      .catch(this.#onFailure)
      .finally(() => {
        this.#delivering = undefined;
      });
    return this.#delivering;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #deliver(): Promise<void> {
    const folder = this.#folder;
    for (let names = spooledFiles(folder); names.length > 0; names = spooledFiles(folder)) {
      let batch = new SpoolBatch();
      for (const name of names.slice(0, FILES_AT_ONCE)) {
        for (const line of this.#linesOf(join(folder, name))) {
          batch.add(line);
          if (batch.sizeBytes < BATCH_BYTES) continue;
          await this.#store(batch);
          batch = new SpoolBatch();
        }
        batch.names.push(name);
      }
      await this.#store(batch);
    }
    const dropped = takeDropped(folder);
    if (dropped > 0) this.#intake.ledger.count("hook events dropped", this.#source, dropped);
  }

  /** Masking a batch takes a turn of the event loop; other work runs before the next one. */
  async #store({ pieces, names }: SpoolBatch): Promise<void> {
    if (pieces.length > 0) await receive(pieces, hookOrigin(this.#source), this.#intake);
    for (const name of names) rmSync(join(this.#folder, name), { force: true });
    await nextTurn();
  }

  #linesOf(path: string): readonly string[] {
    try {
      return readRegularFile(path, { maxBytes: SPOOL_LIMITS.bytes }).split("\n");
    } catch (error) {
      this.#onFailure(error);
      this.#intake.ledger.count("hook events dropped", this.#source, 1);
      return []; // no hook has written this
    }
  }
}

class SpoolBatch {
  readonly pieces: Piece[] = [];
  /** Files whose last line is in this batch or an earlier one. */
  readonly names: string[] = [];
  sizeBytes = 0;

  add(line: string): void {
    if (line === "") return;
    const sizeBytes = Buffer.byteLength(line);
    this.sizeBytes += sizeBytes;
    this.pieces.push(
      sizeBytes > MAX_LINE_BYTES
        ? toRefusal(tooLarge("line", MAX_LINE_BYTES), Buffer.from(line), sizeBytes)
        : { line: 1, text: line, sizeBytes },
    );
  }
}
