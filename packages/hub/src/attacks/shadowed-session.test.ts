import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { callJson } from "../access/testing/test-device.ts";
import { hubHomeOf } from "../home.ts";
import { validEventText } from "../http/testing/valid-event.ts";
import { startHub } from "../hub.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";

describe("held: a program without a credential posts an event under the id of another's session", () => {
  it.each([
    ["so that `earshot export` gives out the wrong one", "/api/export?session=x"],
    ["so that an AOP client reads the wrong one", "/sessions/x"],
    ["so that an AOP client exports the wrong one", "/sessions/x/export"],
  ])("%s", async (_attack, path) => {
    using folder = temporaryTestFolder();
    const home = hubHomeOf({ EARSHOT_HOME: folder.file("home") });
    await using hub = await startHub({ home, version: "0.0.0", port: 0 });
    const bearer = (file: string) => ({ authorization: `Bearer ${readFileSync(file, "utf8").trim()}` });
    const event = JSON.parse(validEventText("aop", { session_id: "x" })) as object;
    await callJson(hub.url, "/v1/events", event, bearer(home.producerToken));
    const get = async (query: string) => (await fetch(hub.url + query, { headers: bearer(home.viewerToken) })).text();
    await expect.poll(() => get(path), { timeout: 30_000 }).toContain('"session_id":"x"');
    await callJson(hub.url, "/v1/events", event);
    expect(JSON.parse(await get(path))).toMatchObject({
      code: "WRONG_QUERY",
      message: expect.stringMatching(/local.*producer|producer.*local/),
    });
    expect(await get(`${path}${path.includes("?") ? "&" : "?"}source=producer`)).toContain('"session_id":"x"');
  });
});
