import { describe, expect, it } from "vitest";
import { aopSession, openTellingHub } from "../story/testing/telling-hub.ts";
import { ALERTS_HELP, alerts } from "./alerts.ts";
import { show } from "./show.ts";

describe("earshot alerts", () => {
  it("lists what was noticed, and the story says it where it happened", async () => {
    await using hub = await openTellingHub();
    expect((await hub.run(alerts)).out).toBe("There are no alerts.\n");
    const say = aopSession("sess-a", "archivist");
    const failures = [1, 2, 3].flatMap((number) => [
      say("operation.tool_start", { tool_name: "open_box", tool_call_id: `c${number}` }),
      say("operation.tool_end", { tool_name: "open_box", tool_call_id: `c${number}`, success: false, result_summary: "Nailed shut." }),
    ]);
    await hub.say(say("session.started"), ...failures);
    const { lines } = await hub.run(alerts);
    expect(lines[0]).toBe("1 alert, newest first.");
    expect(lines[1]).toMatch(/^Error cascade, \w+, .*: .*3.* Agent: archivist\. Session: sess-a, AOP\. {2}#\d+$/);
    expect((await hub.run(alerts, "--type", "loop")).out).toBe("There are no alerts.\n");
    expect((await hub.run(alerts, "--session", "sess-a", "--type", "error_cascade")).lines).toHaveLength(2);
    expect((await hub.run(show, "sess-a")).out).toMatch(/^ {2}Alert, \w+, error cascade: /m);
    expect(JSON.parse((await hub.run(alerts, "--json")).out)).toMatchObject({ items: [{ type: "error_cascade", sessionId: "sess-a" }] });
  });

  it("explains itself, and refuses what makes no sense", async () => {
    await using hub = await openTellingHub();
    expect((await hub.run(alerts, "--help")).out).toBe(ALERTS_HELP);
    await expect(hub.run(alerts, "--type", "doom")).rejects.toThrow("--type cannot be");
    await expect(hub.run(alerts, "--session", "nobody")).rejects.toThrow("No session");
  });
});
