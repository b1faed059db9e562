import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../tools/test-volume.ts";
import { type SseParsedMessage, SseParser } from "./sse.ts";

function parse(...pieces: readonly string[]): readonly SseParsedMessage[] {
  const parser = new SseParser();
  return pieces.flatMap((piece) => parser.feed(piece));
}

describe("the parser of server-sent events", () => {
  it("reads names, ids and data, and passes over comments and what it does not know", () => {
    expect(parse(": hello\nretry: 1000\nevent: closed\nid: 7\ndata: {}\n\ndata:a\ndata: b\ndata\n\n")).toEqual([
      { event: "closed", id: "7", hasId: true, data: "{}" },
      { event: "message", id: "7", hasId: false, data: "a\nb\n" },
    ]);
  });

  it("tells an id without data, and nothing for a comment alone", () => {
    expect(parse("id: 9\n\n: ping\n\nevent: x\n\n")).toEqual([{ event: "message", id: "9", hasId: true, data: "" }]);
  });

  it("drops what was not finished", () => {
    expect(parse("id: 1\ndata: whole\n\nid: 2\ndata: half")).toEqual([{ event: "message", id: "1", hasId: true, data: "whole" }]);
  });

  it("reads the same however the text is cut, with any line ends", () => {
    const line = fc.constantFrom("data: a", "data:  b:c", "id: 12", "event: e", ": comment", "", "data", "unknown: x");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.constantFrom("\n", "\r\n", "\r"), fc.array(fc.nat(40)), (lines, end, cuts) => {
        const whole = `${lines.map((one) => one + end).join("")}${end}:`;
        let rest = whole;
        const pieces = cuts.map((length) => {
          const piece = rest.slice(0, length);
          rest = rest.slice(length);
          return piece;
        });
        expect(parse(...pieces, rest)).toEqual(parse(whole.replaceAll(end, "\n")));
      }),
      { numRuns: propertyRuns() },
    );
  });

  it("passes over a byte order mark at the beginning, and only there", () => {
    expect(parse("\ufeffdata: a\n\n\ufeffdata: b\n\n").map(({ data }) => data)).toEqual(["a"]);
  });

  it("gives up on a message that never ends", () => {
    const parser = new SseParser();
    expect(() => {
      for (let piece = 0; piece < 20; piece++) parser.feed(`data: ${"x".repeat(1 << 20)}\n`);
    }).toThrow("never ends");
  });
});
