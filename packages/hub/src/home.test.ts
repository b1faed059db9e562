import { chmodSync, mkdirSync, statSync } from "node:fs";
import { expect, it } from "vitest";
import { hubHomeOf, prepareHome } from "./home.ts";
import { temporaryTestFolder } from "./ledger/testing/temporary-folder.ts";

it.skipIf(process.platform === "win32")("a folder of the user's own is closed to others", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("home");
  mkdirSync(path);
  chmodSync(path, 0o775);
  prepareHome(hubHomeOf({ EARSHOT_HOME: path }));
  expect(statSync(path).mode & 0o7777).toBe(0o700);
});

it.skipIf(process.platform === "win32")("a folder for everybody is refused and left as it is", () => {
  using folder = temporaryTestFolder();
  const path = folder.file("shared");
  mkdirSync(path);
  chmodSync(path, 0o1777);
  expect(() => prepareHome(hubHomeOf({ EARSHOT_HOME: path }))).toThrow("is a folder for everybody");
  expect(statSync(path).mode & 0o7777).toBe(0o1777);
});
