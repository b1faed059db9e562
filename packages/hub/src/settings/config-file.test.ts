import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hubHomeOf } from "../home.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { configPath, describeTroubles, keepAsLastGood, readConfig } from "./config-file.ts";
import { combineSettings, listSettings, sourceSettings } from "./effective-settings.ts";

function emptyHome() {
  const folder = temporaryTestFolder();
  const home = hubHomeOf({ EARSHOT_HOME: folder.path });
  return {
    home,
    write: (text: string | Buffer) => writeFileSync(configPath(home), text),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

describe("config.yaml", () => {
  it("need not be there", () => {
    using place = emptyHome();
    expect(readConfig(place.home)).toMatchObject({ state: "absent", from: "defaults", settings: {}, troubles: [] });
  });

  it("when broken, leaves the settings as they were when a hub last ran on good ones", () => {
    using place = emptyHome();
    place.write("port: 5001\nstrict: true\n");
    keepAsLastGood(place.home, readConfig(place.home));
    place.write("port: 5002\nstrct: true\n");
    const config = readConfig(place.home);
    expect(config).toMatchObject({ state: "broken", from: "last-good", settings: { port: 5001, strict: true } });
    expect(describeTroubles(config)).toBe(`${configPath(place.home)}:2:1: There is no setting \`strct\`.\n    Did you mean \`strict\`?\n`);
    keepAsLastGood(place.home, config); // a broken one never takes the place of the good one
    expect(readConfig(place.home)).toEqual(config);
    expect(statSync(join(place.home.folder, "config.last-good.yaml")).mode & 0o777).toBe(0o600);
  });

  it("when broken from the beginning, leaves the defaults, by which nothing is removed then", () => {
    using place = emptyHome();
    place.write("port: no");
    const config = readConfig(place.home);
    expect(config).toMatchObject({ state: "broken", from: "defaults", settings: { retention: { days: 0, bytes: 0 } } });
    expect(listSettings({}, config)).toContainEqual({ key: "retention.days", value: 0, from: "default" });
    writeFileSync(join(place.home.folder, "config.last-good.yaml"), "broken: too");
    expect(readConfig(place.home)).toMatchObject({ state: "broken", from: "defaults" });
  });

  it("when removed, takes the copy with it", () => {
    using place = emptyHome();
    place.write("port: 5001");
    keepAsLastGood(place.home, readConfig(place.home));
    rmSync(configPath(place.home));
    keepAsLastGood(place.home, readConfig(place.home));
    place.write("port: no");
    expect(readConfig(place.home)).toMatchObject({ from: "defaults" });
  });

  it.each([
    ["a folder", (path: string) => mkdirSync(path), "no regular file"],
    ["not UTF-8", (path: string) => writeFileSync(path, Buffer.from([0x70, 0xff, 0xfe])), "not UTF-8"],
    ["large", (path: string) => writeFileSync(path, Buffer.alloc(70_000, "#")), "larger than 64 KiB"],
  ])("that is %s is reported as broken", (_what, make, expected) => {
    using place = emptyHome();
    make(configPath(place.home));
    const config = readConfig(place.home);
    expect([config.state, config.troubles[0]?.message]).toEqual(["broken", expect.stringContaining(expected)]);
  });

  it("may be a link, and may begin with a byte order mark", () => {
    using place = emptyHome();
    const elsewhere = join(place.home.folder, "dotfile.yaml");
    writeFileSync(elsewhere, "\ufeffport: 5003\n");
    symlinkSync(elsewhere, configPath(place.home));
    expect(readConfig(place.home)).toMatchObject({ state: "good", settings: { port: 5003 } });
    expect(readFileSync(elsewhere, "utf8")).toContain("5003");
  });
});

describe("flags and the file", () => {
  const file = { port: 1, strict: true, capture: { all: "summary", aop: "full" }, limits: { listeners: 5 } } as const;

  it("are combined setting by setting, and flags win", () => {
    const flags = { strict: false, capture: { aop: "minimal" } } as const;
    expect(combineSettings(flags, file)).toEqual({
      port: 1,
      strict: false,
      capture: { all: "summary", aop: "minimal" },
      limits: { listeners: 5 },
    });
    const listed = listSettings(flags, { settings: file, from: "last-good" });
    const byKey = Object.fromEntries(listed.map(({ key, value, from }) => [key, [value, from]]));
    expect(byKey).toMatchObject({
      port: [1, "last-good"],
      strict: [false, "flag"],
      aop: [false, "default"],
      "capture.all": ["summary", "last-good"],
      "capture.aop": ["minimal", "flag"],
      "limits.listeners": [5, "last-good"],
      "limits.eventBytes": [1_048_576, "default"],
    });
  });

  it("say what is kept of each source", () => {
    expect(sourceSettings({ capture: { all: "summary", aop: "full" }, keepSecrets: ["aop", "aep/x"] })).toEqual({
      all: { capture: "summary" },
      aop: { capture: "full", redact: false },
      "aep/x": { redact: false },
    });
  });
});
