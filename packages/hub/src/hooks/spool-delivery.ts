import { rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { tooLarge } from "../intake/held-bytes.ts";
import { type EventPiece, toRefusal } from "../intake/piece.ts";
import { type IntakeContext, receive } from "../intake/receive.ts";
import { hookOrigin } from "../intake/submission.ts";
import { readRegularFile } from "../regular-file.ts";
import { SPOOL_LIMITS, spooledFiles, takeDroppedCount } from "./hook-spool.ts";

const FILES_AT_ONCE = 100;
const BATCH_BYTES = 512 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;

/**
 * Stores what hooks spooled without a hub, in order and once. A file is removed when its lines are on disk; lines read again after a
 * crash are recognized by their ids. `source`: the hooks' credential.
 */
export async function deliverSpool(
  folder: string,
  source: string,
  intake: IntakeContext,
  onFailure: (error: unknown) => void,
): Promise<void> {
  /** Masking a batch takes a turn of the event loop; other work runs before the next one. */
  const store = async ({ pieces, names }: SpoolBatch) => {
    if (pieces.length > 0) await receive(pieces, hookOrigin(source), intake);
    for (const name of names) rmSync(join(folder, name), { force: true });
    await nextTurn();
  };
  const linesOf = (name: string): readonly string[] => {
    try {
      return readRegularFile(join(folder, name), { maxBytes: SPOOL_LIMITS.bytes }).split("\n");
    } catch (error) {
      onFailure(error);
      intake.ledger.count("hook events dropped", source, 1);
      return []; // no hook has written this
    }
  };
  for (let names = spooledFiles(folder); names.length > 0; names = spooledFiles(folder)) {
    let batch = new SpoolBatch();
    for (const name of names.slice(0, FILES_AT_ONCE)) {
      for (const line of linesOf(name)) {
        batch.add(line);
        if (batch.sizeBytes < BATCH_BYTES) continue;
        await store(batch);
        batch = new SpoolBatch();
      }
      batch.names.push(name);
    }
    await store(batch);
  }
  const dropped = takeDroppedCount(folder);
  if (dropped > 0) intake.ledger.count("hook events dropped", source, dropped);
}

class SpoolBatch {
  readonly pieces: EventPiece[] = [];
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
