import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { UiFiles } from "./ui-files.ts";

const folder = temporaryTestFolder();
mkdirSync(folder.file("ui/assets/deep"), { recursive: true });
writeFileSync(folder.file("secret.txt"), "secret");
writeFileSync(folder.file("ui/index.html"), "page");
writeFileSync(folder.file("ui/.stamp"), "stamp");
writeFileSync(folder.file("ui/assets/index-1a2b.js"), "script");
writeFileSync(folder.file("ui/assets/deep/tone.wav"), "sound");
writeFileSync(folder.file("ui/strange.xyz"), "strange");
symlinkSync(folder.file("secret.txt"), folder.file("ui/assets/link.js"));
afterAll(() => folder[Symbol.dispose]());
const files = new UiFiles(folder.file("ui"));
const textAt = (path: string) => files.find(path)?.bytes.toString();

describe("the files of the dashboard", () => {
  it.each([
    ["index.html", "text/html; charset=utf-8", false],
    ["assets/index-1a2b.js", "text/javascript; charset=utf-8", true],
    ["assets/deep/tone.wav", "audio/wav", true],
    ["strange.xyz", "application/octet-stream", false],
  ])("%s is %s, lasting: %s", (path, type, isLasting) => {
    expect(files.find(path)).toMatchObject({ type, isLasting });
  });

  it.each(["", "inbox", "session/7", "no/such/page", "constructor", "__proto__"])(
    "every page of the application is one document: %j",
    (path) => {
      expect(textAt(path)).toBe("page");
    },
  );

  it.each([
    "assets/index-0000.js",
    "../secret.txt",
    "assets/../../secret.txt",
    "..%2fsecret.txt",
    "assets/link.js",
    ".stamp/../index.html",
    "/etc/hostname.txt",
    "index.html\0.js",
    "assets\\index-1a2b.js",
  ])("no other name finds a file: %j", (path) => {
    expect(textAt(path)).toBeUndefined();
  });

  it("what begins with a dot is not served", () => {
    expect(textAt(".stamp")).toBe("page");
  });

  it("what was listed first is what there is: a file that comes later is not found", () => {
    writeFileSync(folder.file("ui/assets/late.js"), "late");
    expect(textAt("assets/late.js")).toBeUndefined();
  });

  it("one that is replaced while the hub runs is listed anew when a file is found to be gone", () => {
    const updated = new UiFiles(folder.file("updated"));
    const write = (name: string, text: string) => writeFileSync(folder.file(`updated/${name}`), text);
    mkdirSync(folder.file("updated/assets"), { recursive: true });
    write("index.html", "old page");
    write("assets/old-1.js", "old");
    expect(updated.find("")?.bytes.toString()).toBe("old page");
    rmSync(folder.file("updated/assets/old-1.js"));
    write("index.html", "new page");
    write("assets/new-2.js", "new");
    expect(updated.find("assets/old-1.js")).toBeUndefined();
    expect([updated.find("")?.bytes.toString(), updated.find("assets/new-2.js")?.bytes.toString()]).toEqual(["new page", "new"]);
  });
});
