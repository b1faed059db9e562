import { rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readSubmission, type Submitted } from "../intake/submission.ts";
import type { Ledger, Source, Submission } from "../ledger/ledger.ts";
import { readRegularFile } from "../regular-file.ts";
import type { Engine } from "../requests/engine.ts";
import { SPOOL_LIMITS, spooledFiles, takeDropped } from "./hook-spool.ts";

export interface SpoolDeliveryPorts {
  readonly folder: string;
  /** Whose word it is: the credential that hooks have. */
  readonly source: string;
  readonly ledger: Ledger;
  readonly engine: Pick<Engine, "heard">;
  readonly now: () => number;
  readonly redacts: (source: Source) => boolean;
  readonly onFailure: (error: unknown) => void;
  /** How often it is looked at; 0 leaves that to whoever calls `deliver`. */
  readonly everyMs?: number;
}

const EVERY_MS = 1000;
const FILES_AT_ONCE = 100;
const BATCH_BYTES = 512 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;

/**
 * Takes in what hooks kept while there was no hub: in order, and once. A file goes when its lines are on disk; what is read again
 * after a crash between the two is recognised by its ids.
 */
export class SpoolDelivery implements Disposable {
  readonly #ports: SpoolDeliveryPorts;
  readonly #timer: NodeJS.Timeout | undefined;
  #delivering: Promise<void> | undefined;

  constructor(ports: SpoolDeliveryPorts) {
    this.#ports = ports;
    const { everyMs = EVERY_MS } = ports;
    if (everyMs > 0) this.#timer = setInterval(() => void this.deliver(), everyMs).unref();
  }

  /** Fulfils when what was there is delivered, or could not be. */
  deliver(): Promise<void> {
    this.#delivering ??= this.#deliver()
      .catch(this.#ports.onFailure)
      .finally(() => {
        this.#delivering = undefined;
      });
    return this.#delivering;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #deliver(): Promise<void> {
    const { folder, source, ledger } = this.#ports;
    for (let names = spooledFiles(folder); names.length > 0; names = spooledFiles(folder)) {
      let batch = new SpoolBatch();
      for (const name of names.slice(0, FILES_AT_ONCE)) {
        for (const line of this.#linesOf(join(folder, name))) {
          this.#add(line, batch);
          if (batch.sizeBytes < BATCH_BYTES) continue;
          await this.#store(batch);
          batch = new SpoolBatch();
        }
        batch.names.push(name);
      }
      await this.#store(batch);
    }
    const dropped = takeDropped(folder);
    if (dropped > 0) ledger.count("hook events dropped", source, dropped);
  }

  /** Masking a batch takes a turn of the event loop, and others have theirs before the next one. */
  async #store({ submissions, names }: SpoolBatch): Promise<void> {
    const { folder, ledger, engine } = this.#ports;
    if (submissions.length > 0) engine.heard(submissions, await ledger.append(submissions));
    for (const name of names) rmSync(join(folder, name), { force: true });
    await nextTurn();
  }

  #linesOf(path: string): readonly string[] {
    const { source, ledger, onFailure } = this.#ports;
    try {
      return readRegularFile(path, { maxBytes: SPOOL_LIMITS.bytes }).split("\n");
    } catch (error) {
      onFailure(error);
      ledger.count("hook events dropped", source, 1);
      return []; // no hook has written this
    }
  }

  #add(line: string, batch: SpoolBatch): void {
    if (line === "") return;
    const { source: name, ledger, now, redacts } = this.#ports;
    const sizeBytes = Buffer.byteLength(line);
    batch.sizeBytes += sizeBytes;
    const read: Submitted =
      sizeBytes > MAX_LINE_BYTES
        ? { ok: false, problem: { code: "TOO_LARGE", message: `The line has more than ${MAX_LINE_BYTES.toLocaleString("en")} bytes.` } }
        : readSubmission(line, sizeBytes, { name, verified: true, protocol: "aep" }, { receivedAt: now(), redacts });
    if (read.ok) batch.submissions.push(read.submission);
    else ledger.refuse([{ receivedAt: now(), source: name, problem: read.problem, text: "", sizeBytes }]);
  }
}

class SpoolBatch {
  readonly submissions: Submission[] = [];
  /** Files whose last line is in this batch or before it. */
  readonly names: string[] = [];
  sizeBytes = 0;
}
