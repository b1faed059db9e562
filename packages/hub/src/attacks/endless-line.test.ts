import { SseParser } from "@earshot/protocol/sse";
import { expect, it } from "vitest";

it("an endless line of an attached producer is refused after 4 MiB, and each piece of it is looked at once", () => {
  const parser = new SseParser(4 << 20);
  const piece = "x".repeat(64 * 1024);
  parser.feed("data: ");
  expect(() => {
    for (let count = 0; count < 65; count++) parser.feed(piece);
  }).toThrow("never ends");
});
