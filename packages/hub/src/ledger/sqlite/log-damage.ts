import { chmodSync, closeSync, copyFileSync, fstatSync, openSync, readSync, statSync } from "node:fs";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682;

/**
 * SQLite reads its write-ahead log up to the first invalid frame and silently drops the rest. After a crash that is right, because an
 * unfinished transaction ends there; it is wrong if a complete transaction follows, which was acknowledged. Copies such a log and returns
 * a message for a person. Call it before SQLite opens the file.
 */
export function keepDamagedLog(path: string, now: number): string | undefined {
  const log = `${path}-wal`;
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) <= HEADER_BYTES || !isDamaged(log)) return undefined;
  const copy = `${log}.damaged-${new Date(now).toISOString().replaceAll(/[-:.]/g, "")}`;
  copyFileSync(log, copy);
  chmodSync(copy, 0o600);
  return `The ledger's log ${log} is damaged: entries that were acknowledged are lost. A copy of it is ${copy}. Senders that still have their events may send them again.`;
}

function isDamaged(path: string): boolean {
  const descriptor = openSync(path, "r");
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    readSync(descriptor, header, 0, HEADER_BYTES, 0);
    const magic = header.readUInt32BE(0);
    if ((magic & ~1) !== MAGIC) return true;
    const checksum = new Checksum((magic & 1) === 1);
    checksum.add(header.subarray(0, 24));
    if (!checksum.is(header.readUInt32BE(24), header.readUInt32BE(28))) return true;
    return hasLostCommit(descriptor, { pageBytes: header.readUInt32BE(8), salts: header.subarray(16, 24), checksum });
  } finally {
    closeSync(descriptor);
  }
}

interface Log {
  readonly pageBytes: number;
  /** Frames with other salts are left from before the log was restarted. */
  readonly salts: Buffer;
  readonly checksum: Checksum;
}

/** Whether a committed transaction follows an invalid frame. */
function hasLostCommit(descriptor: number, { pageBytes, salts, checksum }: Log): boolean {
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + pageBytes);
  const { size } = fstatSync(descriptor);
  let isValid = true;
  for (let at = HEADER_BYTES; at + frame.length <= size; at += frame.length) {
    readSync(descriptor, frame, 0, frame.length, at);
    const isOfThisLog = frame.subarray(8, 16).equals(salts);
    if (isValid && isOfThisLog) {
      checksum.add(frame.subarray(0, 8));
      checksum.add(frame.subarray(FRAME_HEADER_BYTES));
      isValid = checksum.is(frame.readUInt32BE(16), frame.readUInt32BE(20));
    } else isValid = false;
    const endsTransaction = frame.readUInt32BE(4) !== 0;
    if (!isValid && isOfThisLog && endsTransaction) return true;
  }
  return false;
}

/** SQLite's WAL checksum: a Fibonacci-weighted sum of 32-bit words over the log so far. */
class Checksum {
  readonly #isBigEndian: boolean;
  #first = 0;
  #second = 0;

  constructor(isBigEndian: boolean) {
    this.#isBigEndian = isBigEndian;
  }

  add(bytes: Buffer): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at < bytes.length; at += 8) {
      this.#first = (this.#first + view.getUint32(at, !this.#isBigEndian) + this.#second) >>> 0;
      this.#second = (this.#second + view.getUint32(at + 4, !this.#isBigEndian) + this.#first) >>> 0;
    }
  }

  is(first: number, second: number): boolean {
    return this.#first === first && this.#second === second;
  }
}
