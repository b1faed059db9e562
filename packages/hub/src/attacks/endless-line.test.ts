import { SseParser } from "@earshot/protocol/sse";
import { describe, expect, it } from "vitest";

describe("held: a producer that the hub is attached to sends a line that never ends", () => {
  it("which is refused after 4 MiB, and each piece of it is looked at once", () => {
    const parser = new SseParser(4 << 20);
    const piece = "x".repeat(64 * 1024);
    parser.feed("data: ");
    expect(() => {
      for (let count = 0; count < 65; count++) parser.feed(piece);
    }).toThrow("never ends");
  });
});
