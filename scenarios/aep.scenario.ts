import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createAep } from "../packages/sdk/src/node/aep.ts";
import { openHookBench } from "./hook/hook-bench.ts";

const RULES = `
rules:
  - { name: never, match: { command: "echo never*" }, answer: deny, message: Not here. }
  - { name: held, match: { command: "echo hold*" }, answer: ask, hold: always, unreachable: deny }
`;

let count = 0;
const action = (command: string) => {
  const id = `act_${++count}`;
  return {
    type: "action.requested",
    agent: { slug: "mine" },
    session: { id: "native" },
    action: { type: "tool_call", id, input: { command } },
    tool: { name: "shell", type: "native" },
  };
};

describe("an agent that speaks AEP itself", () => {
  it("is heard, is answered by rules and people, and has the same fallbacks as a hook", async () => {
    await using bench = await openHookBench({ policy: RULES });
    await using aep = createAep({ home: join(bench.folder, "home") });
    aep.emit({ type: "session.start", agent: { slug: "mine" }, session: { id: "native" } });
    expect(await aep.decide(action("ls"))).toMatchObject({ control: { behavior: "abstain" } });
    expect(await aep.decide(action("echo never"))).toMatchObject({
      control: { behavior: "deny", message: "Not here." },
      decision: { by: "auto-policy" },
    });
    const held = aep.decide(action("echo hold"), { deadline: 120_000 });
    await bench.answer({ answer: "allow" }, "native");
    expect(await held).toMatchObject({ control: { behavior: "allow" } });
    expect(await aep.flush(5000)).toBe(true);
    expect(aep.counts()).toMatchObject({ emitted: 1, delivered: 1 });

    // The hub stops while a request is open, and starts again.
    const waiting = aep.decide(action("echo hold again"), { deadline: 120_000 });
    while ((await bench.requests()).length === 0) await new Promise((resolve) => setTimeout(resolve, 30));
    await bench.hub().kill("SIGKILL");
    bench.forbidStarting();
    await bench.start();
    await bench.answer({ answer: "deny" }, "native");
    expect(await waiting).toMatchObject({ control: { behavior: "deny" } });

    await bench.hub().kill("SIGKILL");
    bench.forbidStarting();
    expect(await aep.decide(action("ls"))).toMatchObject({ control: { behavior: "abstain" } });
    expect(await aep.decide(action("echo never"))).toMatchObject({ control: { behavior: "deny" } });
    expect(await aep.decide(action("echo hold"))).toMatchObject({ control: { behavior: "deny" } });
    aep.emit({ type: "session.end", agent: { slug: "mine" }, session: { id: "native" } });
    await bench.start();
    expect(await aep.flush(20_000)).toBe(true);
    const { stdout } = bench.hub().earshot("export", "native");
    expect(stdout).toContain("session.end");
  });

  it("is left alone where there is no Earshot", async () => {
    const home = join(mkdtempSync(join(tmpdir(), "earshot-none-")), "none");
    await using aep = createAep({ home, spoolBytes: 0 });
    expect(await aep.decide(action("echo never"))).toMatchObject({ control: { behavior: "abstain" } });
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    expect(await aep.decide({ ...action("x"), extensions: circle })).toMatchObject({ control: { behavior: "abstain" } });
    expect(existsSync(home)).toBe(false);
    rmSync(join(home, ".."), { recursive: true, force: true });
  });
});
