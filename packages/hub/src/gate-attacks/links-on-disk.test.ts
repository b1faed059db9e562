import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hubHomeOf } from "../home.ts";
import { judgeLocally } from "../hooks/local-rules.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { createPolicyLanguage } from "../policy/policy-language.ts";
import { followDiskLinks } from "../policy/repository-file.ts";

/** A home with a workspace whose links lead into an agent's settings. */
function linkedWorkspace() {
  const folder = temporaryTestFolder();
  const file = (path: string) => folder.file(path);
  for (const path of ["home/.claude", "home/.ssh", "home/work/shop/src", "earshot"]) mkdirSync(file(path), { recursive: true });
  writeFileSync(file("home/.ssh/id_rsa"), "");
  symlinkSync(file("home/.claude"), file("home/work/shop/docs"));
  symlinkSync(file("home/.bashrc"), file("home/work/shop/notes.txt"));
  symlinkSync(file("home/.ssh/id_rsa"), file("home/work/shop/sample.txt"));
  symlinkSync(file("home/work"), file("linked"));
  writeFileSync(file("earshot/policy.yaml"), "extends: guard\n");
  return { folder, home: file("home"), shop: file("home/work/shop"), linked: file("linked/shop"), earshot: file("earshot") };
}

const CALLS: readonly (readonly [tool: string, input: object, asked: boolean])[] = [
  ["Write", { file_path: "docs/settings.json" }, true],
  ["Write", { file_path: "notes.txt" }, true],
  ["Read", { file_path: "sample.txt" }, true],
  ["Bash", { command: "echo x > docs/settings.json" }, true],
  ["Bash", { command: "cat sample.txt" }, true],
  ["Bash", { command: "rm notes.txt" }, false],
  ["Write", { file_path: "src/app.ts" }, false],
  ["Bash", { command: "cp src/a.ts src/b.ts" }, false],
];

describe("links that are on the disk", () => {
  it.each(CALLS)("%s %j: asked about is %s", async (tool, input, isAsked) => {
    const { folder, home, shop, linked, earshot } = linkedWorkspace();
    using _open = folder;
    const text = "extends: guard\n";
    const read = createPolicyLanguage("policy.yaml", { home, earshot, realPath: followDiskLinks }).read(text, "user");
    for (const cwd of [shop, linked]) {
      const { command, file_path } = input as { command?: string; file_path?: string };
      const access = tool === "Read" ? ("read" as const) : ("write" as const);
      const about = command === undefined ? { paths: [{ path: file_path ?? "", access }] } : { command };
      const asked = { moment: "action" as const, tool, cwd, input, ...about };
      expect((await judgeLocally(hubHomeOf({ EARSHOT_HOME: earshot }), home, asked as never)).behaviour).toBe(isAsked ? "ask" : "abstain");
      expect(read.ok && read.rules.judge(asked as never).behaviour).toBe(isAsked ? "ask" : "abstain");
    }
  });
});
