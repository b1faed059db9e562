import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testVolume } from "../../../tools/test-volume.ts";
import { plainText } from "./plain-text.ts";

describe("plain text", () => {
  it.each([
    ["\u001b[31mred\u001b[0m", "\\u{1b}[31mred\\u{1b}[0m"],
    ["\u009b2J", "\\u{9b}2J"],
    ["\u001b]0;title\u0007", "\\u{1b}]0;title\\u{7}"],
    ["harmless\rrm -rf /", "harmless\\rrm -rf /"],
    ["one\r\ntwo\tthree", "one\\r\\ntwo\\tthree"],
    ["\u0000\u007f", "\\u{0}\\u{7f}"],
    ["\u202eexe.png\u2066x\u2069", "\\u{202e}exe.png\\u{2066}x\\u{2069}"],
    ["pass\u200bword\ufeff\u00ad", "pass\\u{200b}word\\u{feff}\\u{ad}"],
    ["a\u2028b\u2029c", "a\\u{2028}b\\u{2029}c"],
    ["\ud800 alone", "\\u{d800} alone"],
    ["hi\u{e0069}\u{e0067}", "hi\\u{e0069}\\u{e0067}"],
    ["a\u200db 1\ufe0f", "a\\u{200d}b 1\\u{fe0f}"],
  ])("writes down what cannot be seen: %j", (text, shown) => {
    expect(plainText(text)).toBe(shown);
  });

  it.each([
    "plain ASCII, 100 % of it \\n {}",
    "Grüße, 你好, สวัสดี, e\u0301",
    "👩‍💻 👨‍👩‍👧‍👦 ❤️ 👍🏽 🧑🏽‍🚀 🇫🇷 1️⃣ 🏳️‍🌈 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    "می\u200cخواهم क्\u200dष",
  ])("keeps what people write: %s", (text) => {
    expect(plainText(text)).toBe(text);
  });

  it("counts long runs, so that padding cannot push the rest out of sight", () => {
    expect(plainText(`ls${"\n".repeat(500)}rm -rf /`)).toBe("ls\\n×500rm -rf /");
    expect(plainText("a\n\n\nb")).toBe("a\\n\\n\\nb");
  });

  it("lets no control character through and is the same when applied twice, over 100,000 fuzzed strings", () => {
    const nasty = fc.constantFrom(
      ..."\u001b\u009b\u0007\r\n\t\u0000\u202e\u2066\u200b\u200d\u200c\ufe0f\u2028\ufeff",
      "👩",
      "💻",
      "🏴",
      "م",
      "\ud83d",
      "[31m",
      "\u{e0067}",
    );
    const anything = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point));
    const text = fc.array(fc.oneof(nasty, anything, fc.string({ maxLength: 3 })), { maxLength: 24 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (input) => {
        const output = plainText(input);
        return (
          !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/v.test(output) &&
          output.isWellFormed() &&
          plainText(output) === output
        );
      }),
      { numRuns: testVolume({ fast: 1000, short: 10_000, full: 100_000 }) },
    );
  });
});
