import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { EarshotError } from "@earshot/protocol/problem";
import type { CommandIo } from "@earshot/terminal/io";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aepRun, DEFAULT_VARIATION, scriptedCall, scriptedThought, scriptedWords } from "../../../recordings/src/diff/testing/script.ts";
import { aopSessionEvents, openStoryHub } from "../story/testing/story-hub.ts";
import type { ViewPorts } from "../story/view-reader.ts";
import { diffCommand } from "./diff.ts";

const READ = scriptedCall("Read", { file_path: "./src/cart.ts" });
const TEST = scriptedCall("Bash", { command: "npm test" }, { result: "13 passed" });
const OTHER = { ...DEFAULT_VARIATION, ids: "b", folder: "/elsewhere" };
const WITHOUT_HUB: ViewPorts = {
  open: () => Promise.reject(new EarshotError({ code: "HUB_NOT_FOUND", message: "No hub answers." })),
  now: () => 0,
};

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "earshot-diff-"));
  const put = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  put("a.jsonl", aepRun([READ, scriptedThought("Hm."), TEST]).join("\n"));
  put("same.jsonl.gz", gzipSync(aepRun([READ, scriptedThought("Hm."), TEST], OTHER).join("\n")));
  put("worded.jsonl", aepRun([READ, scriptedThought("Well, well."), { ...TEST, result: "12 passed" }], OTHER).join("\n"));
  put("other.json", `[${aepRun([READ, scriptedThought("Hm."), scriptedWords("I give up.")], OTHER).join(",")}]`);
  put("damaged.jsonl", ["{", ...aepRun([READ, scriptedThought("Hm."), TEST], OTHER), "[]", '{"no":"event"}'].join("\n"));
  put("empty.jsonl", "\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(args: readonly string[], stdin = "") {
  let out = "";
  const io: CommandIo = {
    stdin: Readable.from([Buffer.from(stdin)]),
    out: (text) => {
      out += text;
    },
    err: () => {},
    terminal: { out: false, err: false, colour: false, width: 0 },
  };
  const named = args.map((word) => (/\.(jsonl|json|gz)$/.test(word) ? join(folder, word) : word));
  const code = await diffCommand(named, io, WITHOUT_HUB);
  return { code, out, first: out.split("\n")[0] };
}

describe("earshot diff", () => {
  it("ends with 0 for what is alike, 1 for what differs", async () => {
    expect(await run(["a.jsonl", "same.jsonl.gz"])).toMatchObject({ code: 0, first: "They are alike: all 6 steps are the same." });
    expect((await run(["a.jsonl", "worded.jsonl"])).code).toBe(1);
    expect(await run(["a.jsonl", "other.json"])).toMatchObject({
      code: 1,
      first: 'They part ways at step 5 of 6: A calls Bash with "npm test"; B says "I give up.".',
    });
  });

  it("leaves out what is not to count", async () => {
    expect((await run(["a.jsonl", "worded.jsonl", "--ignore", "thoughts"])).code).toBe(1);
    expect((await run(["a.jsonl", "worded.jsonl", "--ignore", "thoughts,results"])).code).toBe(0);
    expect((await run(["a.jsonl", "worded.jsonl", "--ignore", "wording"])).code).toBe(0);
    expect((await run(["a.jsonl", "other.json", "--ignore", "wording"])).code).toBe(1);
  });

  it("takes one of the two from standard input", async () => {
    const text = readFileSync(join(folder, "a.jsonl"), "utf8");
    expect((await run(["-", "a.jsonl"], text)).code).toBe(0);
    await expect(run(["-", "-"], text)).rejects.toThrow("not both");
  });

  it("writes where it is told to, and still tells the verdict", async () => {
    const { code, out } = await run(["a.jsonl", "other.json", "-o", "diff.json"]);
    expect(code).toBe(1);
    expect(out).toContain("They part ways at step 5 of 6");
    expect(JSON.parse(readFileSync(join(folder, "diff.json"), "utf8"))).toMatchObject({ alike: false });
    await expect(run(["a.jsonl", "other.json", "-o", "/nowhere/at/all.txt"])).rejects.toThrow("cannot be written");
  });

  it("prints JSON that can be read", async () => {
    const { out } = await run(["a.jsonl", "other.json", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ alike: false, counts: { "only-a": 1, "only-b": 1, alike: 5 } });
  });

  it("counts lines that are no event, and goes on", async () => {
    const { code, out } = await run(["a.jsonl", "damaged.jsonl"]);
    expect(code).toBe(0);
    expect(out).toContain("3 lines of B are no event of AAEP, AEP or AOP and were left out.");
  });

  it("says what is wrong with what it is given", async () => {
    await expect(run(["a.jsonl"])).rejects.toThrow("B is missing");
    await expect(run(["a.jsonl", "empty.jsonl"])).rejects.toThrow("There is no event");
    await expect(run(["a.jsonl", "missing.jsonl"])).rejects.toThrow(/There is no file .*missing\.jsonl/);
    await expect(run(["a.jsonl", "sess_1"])).rejects.toThrow(/There is no file "sess_1", and no hub answers/);
    await expect(run(["a.jsonl", folder])).rejects.toThrow("is a folder");
    await expect(run(["a.jsonl", "other.json", "-o", "a.jsonl"])).rejects.toThrow("would overwrite");
    await expect(run(["a.jsonl", "a.jsonl", "--ignore", "everything"])).rejects.toThrow("--ignore cannot be");
    await expect(run(["a.jsonl", "a.jsonl", "--context", "-1"])).rejects.toThrow();
    await expect(run(["a.jsonl", "a.jsonl", "--all", "--context", "2"])).rejects.toThrow("contradict");
    await expect(run(["a.jsonl", "a.jsonl", "--format", "svg"])).rejects.toThrow("--format cannot be");
    expect((await run(["--help"])).code).toBe(0);
  });

  it("compares sessions of the hub with their subagents, and a session with a recording", async () => {
    await using hub = await openStoryHub();
    const play = async (name: string, outcome: string) => {
      const [lead, scout] = [aopSessionEvents(`lead-${name}`, "lead"), aopSessionEvents(`scout-${name}`, "scout")];
      await hub.say(
        lead("session.started", { goal: "Find paper" }),
        lead("operation.agent_spawn", { child_session_id: `scout-${name}`, child_agent_id: "scout" }),
        scout("session.started", { goal: "Prices" }, { parent_session_id: `lead-${name}` }),
        scout(
          "operation.tool_start",
          { tool_name: "web_search", tool_call_id: "c1", input: { query: "paper" } },
          { parent_session_id: `lead-${name}` },
        ),
        scout(
          "operation.tool_end",
          { tool_name: "web_search", tool_call_id: "c1", success: outcome === "completed" },
          { parent_session_id: `lead-${name}` },
        ),
        scout("session.ended", { outcome }, { parent_session_id: `lead-${name}` }),
        lead("session.ended", { outcome: "completed" }),
      );
    };
    await play("monday", "completed");
    await play("tuesday", "failed");
    await play("wednesday", "completed");
    expect(await hub.run(diffCommand, "lead-monday", "lead-wednesday")).toMatchObject({ code: 0 });
    const { code, lines } = await hub.run(diffCommand, "lead-monday", "lead-tuesday");
    expect(code).toBe(1);
    expect(lines[0]).toBe(
      'In the subagent scout they part ways at step 3 of 4: A calls web_search with "paper"; B calls web_search with "paper", which failed.',
    );
    expect(lines).toContain("2 of 2, subagent scout: 4 steps in A, 4 steps in B.");
    expect((await hub.run(diffCommand, "lead-monday", join(folder, "a.jsonl"))).code).toBe(1);
    await expect(hub.run(diffCommand, "lead-monday", "lead-sunday")).rejects.toThrow("No session");
  });
});
