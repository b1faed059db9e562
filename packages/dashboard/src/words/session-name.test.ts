import { expect, it } from "vitest";
import { sessionNameOf } from "./session-name.ts";

it("names the project of a session, where there is one", () => {
  expect([sessionNameOf({ agent: "codex", workspace: "/home/ana/shop/" }), sessionNameOf({ agent: "codex" })]).toEqual([
    "Codex in shop",
    "Codex",
  ]);
});
