import { SseParser } from "@earshot/protocol/sse";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { encodeLengthPrefixed, encodeLine, LengthPrefixedParser, LineParser } from "./framings.ts";
import { SSE_COMMENT, sseFrame, sseMark } from "./sse.ts";

/** Splits a value at these places. */
function cut<Whole extends string | Uint8Array>(whole: Whole, cuts: readonly number[]): Whole[] {
  const places = [...new Set(cuts.map((place) => place % (whole.length + 1)))].sort((one, other) => one - other);
  return [0, ...places].map((from, index) => whole.slice(from, places[index]) as Whole);
}

/** Any code point except a lone surrogate. fast-check's unit "binary" would first spend a second on a table of them. */
const codePoint = fc.integer({ min: 0, max: 0x10_f7ff }).map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800));
const cuts = fc.array(fc.nat(5000), { maxLength: 30 });
const json = fc.jsonValue().map((value) => JSON.stringify({ value }));

describe("server-sent events", () => {
  const frames = fc.array(
    fc.record(
      {
        event: fc.constantFrom("aaep.event", "other"),
        id: fc.stringMatching(/^evt_[A-Za-z0-9]{1,20}$/),
        data: fc.oneof(json, fc.string({ unit: "grapheme" })).map((text) => `${text.replaceAll("\r", "")}.`),
      },
      { requiredKeys: ["data"] },
    ),
  );

  it("are read as they were written, in whatever pieces they come and with comments between", () => {
    fc.assert(
      fc.property(frames, cuts, fc.boolean(), (written, places, commented) => {
        const stream = written.map((frame) => (commented ? SSE_COMMENT : "") + sseFrame(frame)).join("");
        const parser = new SseParser();
        const read = cut(stream, places).flatMap((piece) => parser.feed(piece));
        let last = "";
        const expected = written.map(({ event = "message", id, data }) => {
          last = id ?? last;
          return { event, id: last, hasId: id !== undefined, data };
        });
        expect(read).toEqual(expected);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it("are written on one line each, with one space after the colon", () => {
    expect(sseFrame({ event: "aaep.event", id: "evt_1", data: '{"a":1}' })).toBe('event: aaep.event\nid: evt_1\ndata: {"a":1}\n\n');
    expect(sseFrame({ data: "{}" })).toBe("data: {}\n\n");
  });

  it("move the place to resume from without saying anything", () => {
    expect(new SseParser().feed(sseMark("evt_9"))).toEqual([{ event: "message", id: "evt_9", hasId: true, data: "" }]);
  });
});

describe("messages with their length before them", () => {
  it("are read as they were written, in whatever pieces they come", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: codePoint })), cuts, (written, places) => {
        const stream = Buffer.concat(written.map(encodeLengthPrefixed));
        const parser = new LengthPrefixedParser();
        const read = cut(new Uint8Array(stream), places).flatMap((piece) => [...parser.read(piece)]);
        expect(read).toEqual(written);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it("count bytes, not characters, the highest byte first", () => {
    expect([...encodeLengthPrefixed("ü€")]).toEqual([0, 0, 0, 5, 0xc3, 0xbc, 0xe2, 0x82, 0xac]);
  });

  it("that are too long, or no text, are refused before they are held", () => {
    expect(() => new LengthPrefixedParser(10).read(encodeLengthPrefixed("12345678901"))).toThrow(RangeError);
    expect(() => new LengthPrefixedParser().read(new Uint8Array([0xff, 0, 0, 0]))).toThrow(RangeError);
    expect(() => new LengthPrefixedParser().read(new Uint8Array([0, 0, 0, 1, 0xff]))).toThrow(TypeError);
  });
});

describe("lines", () => {
  it("are read as they were written, in whatever pieces they come", () => {
    fc.assert(
      fc.property(fc.array(json), cuts, fc.constantFrom("", "\n", "\r\n"), (written, places, between) => {
        const stream = written.map((text) => encodeLine(text) + between).join("");
        const parser = new LineParser();
        expect(cut(stream, places).flatMap((piece) => [...parser.read(piece)])).toEqual(written);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it("that never end are given up", () => {
    const parser = new LineParser(100);
    expect(() => {
      for (let count = 0; count < 20; count++) parser.read("xxxxxxxxxx");
    }).toThrow(RangeError);
  });
});
