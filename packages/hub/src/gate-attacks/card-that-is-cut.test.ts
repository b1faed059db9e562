import { describe, expect, it } from "vitest";
import { inspectAsked } from "../requests/inspection.ts";
import { rulesFor } from "../requests/testing/engine-bench.ts";
import { samplesAt } from "../requests/testing/sample-request.ts";
import { bashPayload, openGate } from "./testing/gate.ts";

const RULES = rulesFor({ deploy: { behaviour: "ask", hold: "always" } });

const { sampleAsked } = samplesAt(0);
const targets = Array.from({ length: 60 }, (_none, index) => `/etc/made-${index}`);

describe("a card that does not show everything", () => {
  const long = `deploy\n${"echo a line that nobody reads\n".repeat(60_000)}rm -rf /`;

  it("offers no yes, and takes none", async () => {
    await using gate = await openGate(RULES);
    expect((await gate.ask(bashPayload(long))).waits).toBe(true);
    const [view] = await gate.bench.engine.list({ limit: 1 });
    expect(view?.card.asked.isCut).toBe(true);
    expect(view?.card.terms.answers).toEqual(["deny", "defer", "stop"]);
    const { id = "", digest = "" } = view ?? {};
    const allowed = gate.bench.engine.answer(id, { by: "Ana", answer: { word: "allow" }, digest });
    await expect(allowed).rejects.toMatchObject({ problem: { code: "ANSWER_INVALID" } });
    expect(await gate.bench.engine.answer(id, { by: "Ana", answer: { word: "deny" }, digest })).toMatchObject({
      state: "answered-by-person",
    });
  });

  it("offers one where everything is there", async () => {
    await using gate = await openGate(RULES);
    expect((await gate.ask(bashPayload(`deploy\n${"echo x\n".repeat(10_000)}`))).waits).toBe(true);
    const [view] = await gate.bench.engine.list({ limit: 1 });
    expect(view?.card.asked.isCut).toBeUndefined();
    expect(view?.card.terms.answers).toContain("allow");
  });

  it("lists every command and file, also the last of many", () => {
    const { commands, files } = inspectAsked(
      sampleAsked({ input: { command: `${"echo a line that nobody reads\n".repeat(200)}tee ${targets.join(" ")}\nmkfs.ext4 /dev/sda1` } }),
    );
    expect(commands.at(-1)).toMatchObject({ text: "mkfs.ext4 /dev/sda1", dangers: ["disk-format"] });
    expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining([...targets]));
  });
});
