import { describe, expect, it } from "vitest";
import { isProof, proveHub, proveVerdict } from "./hook-proof.ts";

const verdict = { nonce: "n", request: "req_1", asked: '{"a":1}', answer: "earshot answer 0 out\n" };

describe("a proof", () => {
  it("is good for exactly one question, one answer, one moment and one key", () => {
    const proof = proveVerdict("key", verdict);
    expect(isProof(proveVerdict("key", { ...verdict, asked: Buffer.from(verdict.asked) }), proof)).toBe(true);
    for (const other of [{ nonce: "m" }, { request: "req_2" }, { asked: '{"a":2}' }, { answer: "earshot answer 2 err\n" }]) {
      expect(isProof(proveVerdict("key", { ...verdict, ...other }), proof)).toBe(false);
    }
    expect(isProof(proveVerdict("other key", verdict), proof)).toBe(false);
    expect([undefined, "", `${proof}x`].map((given) => isProof(proof, given))).toEqual([false, false, false]);
  });

  it("cannot be taken from one place to another", () => {
    // Whoever passes questions on to the real hub has another port.
    expect(proveHub("key", "n", 4747)).not.toBe(proveHub("key", "n", 4748));
    expect(proveVerdict("key", { ...verdict, nonce: "a", request: "bc" })).not.toBe(
      proveVerdict("key", { ...verdict, nonce: "ab", request: "c" }),
    );
  });
});
