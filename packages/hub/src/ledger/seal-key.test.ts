import { generateKeyPairSync } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openSealKey, readPublicSealKey } from "./seal-key.ts";
import { temporaryTestFolder } from "./testing/temporary-folder.ts";

test("a key is made once, the private half for its owner alone", () => {
  using folder = temporaryTestFolder();
  const first = openSealKey(folder.path);
  expect(readdirSync(folder.path).sort()).toEqual(["seal-key.pem", "seal-key.pub.pem"]);
  expect(statSync(folder.file("seal-key.pem")).mode & 0o777).toBe(0o600);
  const second = openSealKey(folder.path);
  expect(second.privateKey.equals(first.privateKey)).toBe(true);
  expect(readPublicSealKey(folder.path).equals(first.publicKey)).toBe(true);
});

test("a public half that is gone is made again from the private one", () => {
  using folder = temporaryTestFolder();
  const { publicKey } = openSealKey(folder.path);
  rmSync(folder.file("seal-key.pub.pem"));
  expect(openSealKey(folder.path).publicKey.equals(publicKey)).toBe(true);
  expect(readPublicSealKey(folder.path).equals(publicKey)).toBe(true);
});

test("a private half that is gone is not replaced silently", () => {
  using folder = temporaryTestFolder();
  openSealKey(folder.path);
  rmSync(folder.file("seal-key.pem"));
  expect(() => openSealKey(folder.path)).toThrow("is gone");
  expect(readdirSync(folder.path)).toEqual(["seal-key.pub.pem"]);
});

test("halves that do not belong together, other keys, links and nonsense are refused and left alone", () => {
  const { publicKey } = generateKeyPairSync("ed25519");
  const { privateKey: rsa } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const spoil: readonly ((file: (name: string) => string) => void)[] = [
    (file) => writeFileSync(file("seal-key.pub.pem"), publicKey.export({ type: "spki", format: "pem" })),
    (file) => writeFileSync(file("seal-key.pem"), rsa.export({ type: "pkcs8", format: "pem" })),
    (file) => writeFileSync(file("seal-key.pem"), ""),
    (file) => {
      writeFileSync(file("elsewhere.pem"), readFileSync(file("seal-key.pem")));
      rmSync(file("seal-key.pem"));
      symlinkSync(file("elsewhere.pem"), file("seal-key.pem"));
    },
  ];
  for (const one of spoil) {
    using folder = temporaryTestFolder();
    openSealKey(folder.path);
    one(folder.file);
    const before = folder.snapshot();
    expect(() => openSealKey(folder.path)).toThrow(/does not belong|no Ed25519|cannot be read|no regular file/);
    expect(folder.snapshot()).toEqual(before);
  }
});
