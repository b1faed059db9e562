import type { Encoding, LiveFarewell } from "../frames.ts";
import type { LiveListener } from "../live-stream.ts";

/** Writes frames as lines of JSON, easy to parse in tests. */
export const LINE_ENCODING: Encoding = {
  name: "lines",
  encode: (frames) => Buffer.from(frames.map(({ json }) => `${json}\n`).join("")),
  hello: (position) => Buffer.from(`{"hello":${position}}\n`),
  heartbeat: (position) => Buffer.from(`{"heartbeat":${position}}\n`),
  farewell: ({ why, resumeAfter }) => Buffer.from(`{"farewell":${resumeAfter},"why":"${why}"}\n`),
};

/** A listener that records what it is sent, with a buffer controlled by the test. */
export class RecordingListener implements LiveListener {
  full = false;
  unsent = 0;
  writes = 0;
  farewell: LiveFarewell | undefined;
  #text = "";

  send(bytes: Buffer): boolean {
    this.writes += 1;
    this.#text += bytes.toString();
    return !this.full;
  }

  unsentBytes(): number {
    return this.unsent;
  }

  close(lastBytes: Buffer, farewell: LiveFarewell): void {
    this.#text += lastBytes.toString();
    this.farewell = farewell;
  }

  get lines(): readonly Readonly<Record<string, unknown>>[] {
    return this.#text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  get positions(): readonly number[] {
    return this.lines.flatMap(({ position }) => (typeof position === "number" ? [position] : []));
  }
}
