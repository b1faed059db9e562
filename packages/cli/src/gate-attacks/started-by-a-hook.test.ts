import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hubHomeOf, readLastStart, removeAddress, writeAddress } from "@earshot/hub/home";
import { afterAll, expect, it } from "vitest";
import { startArgumentsFor } from "../start-words.ts";

const folder = mkdtempSync(join(tmpdir(), "earshot-last-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("a hub that a hook starts after a stop keeps the flags and the port it was started with", () => {
  const home = hubHomeOf({ EARSHOT_HOME: folder });
  expect(readLastStart(home)).toBeUndefined();
  writeAddress(home, { url: "http://127.0.0.1:4801", pid: 7, startedAt: "", startedWith: ["--strict", "--no-open"] });
  removeAddress(home, 7);
  const last = readLastStart(home);
  expect(last === undefined ? undefined : startArgumentsFor(last, undefined)).toEqual(["--strict", "--port", "4801"]);
});
