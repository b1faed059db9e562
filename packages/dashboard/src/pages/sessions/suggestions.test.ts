import { expect, it } from "vitest";
import { suggestionsIn } from "./suggestions.ts";

it("suggests the agents, projects and models of sessions, the most frequent first", () => {
  const shop = { agent: "claude", workspace: "/home/ana/shop", model: "opus" };
  expect(suggestionsIn([shop, { agent: "claude", workspace: "/home/ana/web" }, { agent: "", workspace: "/home/ana/shop" }])).toEqual([
    "claude",
    "shop",
    "opus",
    "web",
  ]);
});
