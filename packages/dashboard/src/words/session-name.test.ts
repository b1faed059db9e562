import { expect, it } from "vitest";
import { sessionName } from "./session-name.ts";

it("names the project of a session, where there is one", () => {
  expect([sessionName({ agent: "codex", workspace: "/home/ana/shop/" }), sessionName({ agent: "codex" })]).toEqual([
    "Codex in shop",
    "Codex",
  ]);
});
