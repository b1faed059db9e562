import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { aop } from "../index.ts";

const CANARIES = [
  "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
  "AKIAIOSFODNN7EXAMPLE",
  "sk-proj-abcdefghijklmnopqrstuvwxyz012345",
  "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA0Z3VS5JJcds3xfn\n-----END RSA PRIVATE KEY-----",
];
let home = "";
const before = process.env["EARSHOT_HOME"];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "earshot-spool-"));
  process.env["EARSHOT_HOME"] = home;
});
afterEach(() => {
  if (before === undefined) delete process.env["EARSHOT_HOME"];
  else process.env["EARSHOT_HOME"] = before;
  rmSync(home, { recursive: true, force: true });
});

it("what waits on disk holds no secret, wherever the agent put it", async () => {
  const agent = aop({ agentId: "careless", url: "http://127.0.0.1:9" }); // nobody listens there
  await agent.run({ goal: `Use ${CANARIES[0]}` }, async (session) => {
    for (const canary of CANARIES) {
      session.thought(`The key is ${canary}, I think.`);
      session.decision("go", { reasoning: canary, alternatives: [canary] });
      await session.tool("shell", { command: `export KEY=${canary}`, nested: [{ deep: canary }] }, () => canary, {
        resultSummary: (text) => text,
      });
      session.startTool("curl", { header: `Authorization: Bearer ${canary}` }).failed(new Error(`refused ${canary}`));
    }
  });
  await agent.close();
  const written = filesIn(join(home, "spool")).map((path) => readFileSync(path, "utf8"));
  expect(written.join("")).toContain("█");
  expect(written.join("")).toContain("session.ended");
  // The second line of a key is the secret; the first only says what it is.
  for (const canary of CANARIES) expect(written.join("")).not.toContain((canary.split("\n")[1] ?? canary).slice(8, 30));
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesIn(path) : [path];
  });
}
