import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { temporaryTestFolder } from "./ledger/testing/temporary-folder.ts";
import { HubLog, maskCredentials } from "./log.ts";

describe("the log", () => {
  it("is one JSON object per line, in a file that only its user reads", () => {
    using folder = temporaryTestFolder();
    const path = folder.file("hub.log");
    using log = new HubLog(path, () => 0);
    log.write("info", "started", { pid: 7 });
    log.write("failure", 'two\nlines "quoted"');
    const lines = readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(lines).toEqual([
      { time: "1970-01-01T00:00:00.000Z", level: "info", message: "started", pid: 7 },
      { time: "1970-01-01T00:00:00.000Z", level: "failure", message: 'two\nlines "quoted"' },
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.skipIf(process.platform === "win32")("is written where a pipe or a folder stood under its name, which is moved aside", () => {
    using folder = temporaryTestFolder();
    const path = folder.file("hub.log");
    for (const place of [() => void spawnSync("mkfifo", [path]), () => void mkdirSync(path)]) {
      place();
      new HubLog(path, () => 0)[Symbol.dispose]();
      expect([statSync(path).isFile(), statSync(`${path}.1`).isFile()]).toEqual([true, false]);
      rmSync(path);
    }
  });

  it("stays small: when it is full it begins anew, and keeps one older one", () => {
    using folder = temporaryTestFolder();
    const path = folder.file("hub.log");
    using log = new HubLog(path, () => 0, 1000);
    for (let line = 0; line < 100; line++) log.write("info", `line ${line}`);
    expect(statSync(path).size).toBeLessThanOrEqual(1000);
    expect(statSync(`${path}.1`).size).toBeLessThanOrEqual(1000);
    expect(existsSync(`${path}.2`)).toBe(false);
    expect(readFileSync(path, "utf8")).toContain("line 99");
  });

  it.each([
    ["GET /k/ear_0123456789abcdef/sessions failed", "GET /k/…/sessions failed"],
    ["Authorization: Bearer ear_0123456789abcdef", "Authorization: Bearer …"],
    ["token ear_0123456789abcdef was shown", "token ear_… was shown"],
    ["http://127.0.0.1:4747/ui/#start=abcdefgh", "http://127.0.0.1:4747/ui/"],
    ["http://127.0.0.1:4747/api/live?after=0&x=secret failed", "http://127.0.0.1:4747/api/live failed"],
    ["nothing to hide: a/k/b", "nothing to hide: a/k/…"],
  ])("cuts out what must not be in it: %s", (text, cut) => {
    expect(maskCredentials(text)).toBe(cut);
  });
});
