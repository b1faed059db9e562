import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type ChainLink, chainSeed, linkHash, linkHex } from "./chain.ts";

const plain: ChainLink = {
  position: 7,
  receivedAt: 1_700_000_000_000,
  kind: 0,
  verified: 1,
  type: "session.started",
  agent: "búho",
  sequence: null,
  identity: null,
  said: null,
  notes: null,
  text: '{"goal":"ändern 🦉"}',
};
const full: ChainLink = { ...plain, sequence: 3, identity: "1 evt-9", said: Uint8Array.of(0, 171, 255), notes: '{"flags":[]}' };
const seed = chainSeed("aop", "local", "s-1");

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

describe("the hash of a link", () => {
  it("is that of a text which ledgers out there were written with", () => {
    const before = seed.toString("hex");
    expect(seed).toEqual(sha256("earshot chain 1\n3:aop 5:local 3:s-1 "));
    const start = `${before} 7 1700000000000 0 1`;
    expect(linkHash(seed, plain)).toEqual(sha256(`${start} - 15:session.started 4:búho - - ${plain.text}`));
    expect(linkHash(seed, full)).toEqual(
      sha256(`${start} 3 said:00abff 15:session.started 4:búho 7:1 evt-9 12:{"flags":[]} ${plain.text}`),
    );
  });

  it("is the same for who adds entries and for who verifies them", () => {
    for (const link of [plain, full]) expect(linkHex(seed.toString("hex"), link)).toBe(linkHash(seed, link).toString("hex"));
  });
});
