/** Raw sound: signed 16-bit mono samples. */
export interface WavSound {
  readonly samplesPerSecond: number;
  readonly samples: Buffer;
}

const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;

/** A WAV header for this many bytes of samples. */
export function wavHeader(samplesPerSecond: number, sizeBytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("RIFF", 0);
  header.writeUInt32LE(HEADER_BYTES - 8 + sizeBytes, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(samplesPerSecond, 24);
  header.writeUInt32LE(samplesPerSecond * BYTES_PER_SAMPLE, 28);
  header.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  header.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  header.write("data", 36);
  header.writeUInt32LE(sizeBytes, 40);
  return header;
}

/** Reads a voice's output. When writing to a pipe the length is unknown in advance, so the actual size counts. */
export function readWav(file: Buffer): WavSound | undefined {
  if (file.length < HEADER_BYTES || file.toString("latin1", 0, 4) !== "RIFF" || file.toString("latin1", 8, 12) !== "WAVE") return undefined;
  let samplesPerSecond = 0;
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString("latin1", at, at + 4);
    const size = file.readUInt32LE(at + 4);
    if (name === "fmt " && at + 24 <= file.length) {
      if (file.readUInt16LE(at + 8) !== 1 || file.readUInt16LE(at + 10) !== 1 || file.readUInt16LE(at + 22) !== 16) return undefined;
      samplesPerSecond = file.readUInt32LE(at + 12);
    }
    if (name === "data") {
      const end = Math.min(file.length, at + 8 + size);
      return samplesPerSecond === 0 ? undefined : { samplesPerSecond, samples: file.subarray(at + 8, end - ((end - at) % 2)) };
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}

export function durationMs({ samplesPerSecond, samples }: WavSound): number {
  return (samples.length / BYTES_PER_SAMPLE / samplesPerSecond) * 1000;
}

/** The first part of it. */
export function cutSound({ samplesPerSecond, samples }: WavSound, ms: number): WavSound {
  const bytes = Math.floor((Math.max(0, ms) / 1000) * samplesPerSecond) * BYTES_PER_SAMPLE;
  return { samplesPerSecond, samples: samples.subarray(0, bytes) };
}
