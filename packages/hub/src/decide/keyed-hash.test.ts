import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { keyedHash } from "./keyed-hash.ts";

const aLongText = fc.integer({ min: 5000, max: 20_000 }).map((length) => "aé漢".repeat(length / 3));
const aText = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), aLongText);

it("is HMAC-SHA-256, for keys and texts of any length, one after the other", () => {
  const keys = ["", "k", "k".repeat(64), "k".repeat(65), "ключ".repeat(40)];
  fc.assert(
    fc.property(fc.constantFrom(...keys), aText, fc.constantFrom("hex" as const, "base64url" as const), (key, text, encoding) => {
      expect(keyedHash(key, text, encoding)).toBe(createHmac("sha256", key).update(text).digest(encoding));
    }),
  );
});

it("hashes half a character as Node does", () => {
  expect(keyedHash("k", "a\uD800b", "hex")).toBe(createHmac("sha256", "k").update("a\uD800b").digest("hex"));
});
