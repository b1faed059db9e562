import type { JsonObject } from "@earshot/protocol/json";
import { describe, expect, it } from "vitest";
import { describeWish } from "./describe-wish.ts";
import type { AskedRequest } from "./request.ts";

const show = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most)}…`);

function wishFor(title: string, input: JsonObject, facts: JsonObject = {}): string {
  const asked = {
    kind: "permission",
    protocol: "aep",
    session: "s",
    agent: "claude",
    title,
    input,
    said: [],
    facts,
  } as unknown as AskedRequest;
  const { joined, what } = describeWish(asked, { show });
  return `${joined} ${what}`;
}

describe("what is wanted, by whatever name an agent gives it", () => {
  it.each<[string, JsonObject, string]>([
    ["Bash", { command: "npm test" }, "wants to run npm test"],
    ["shell", { command: ["git", "push"] }, "wants to run git push"],
    ["run_terminal_cmd", { cmd: "make" }, "wants to run make"],
    ["runInTerminal", { commandLine: "make docs" }, "wants to run make docs"],
    ["run_command", { CommandLine: "cargo build" }, "wants to run cargo build"],
    ["write_file", { filePath: "/a/b.ts", content: "" }, "wants to write /a/b.ts"],
    ["NotebookEdit", { notebook_path: "/a/b.ipynb" }, "wants to change /a/b.ipynb"],
    ["str_replace_editor", { command: "str_replace", path: "/a/b.ts" }, "wants to change /a/b.ts"],
    ["create_process", { command: "rm -rf ~", path: "/tmp" }, "wants to run rm -rf ~"],
    ["delete_file", { path: "/a/b.ts" }, "wants to delete /a/b.ts"],
    ["web_fetch", { url: "https://example.org/" }, "wants to open https://example.org/"],
    ["web_search", { query: "tides" }, "wants to search for “tides”"],
    ["Task", { prompt: "look" }, "wants to use Task"],
    ["Task", { path: "/a" }, "wants to use Task on /a"],
  ])("%s %j", (title, input, wish) => {
    expect(wishFor(title, input)).toBe(wish);
  });

  it("names the place of a file from where the agent works", () => {
    const facts = { workspace: { cwd: "/home/ana/shop" } };
    expect(wishFor("Write", { file_path: "/home/ana/shop/src/a.ts" }, facts)).toBe("wants to write src/a.ts");
    expect(wishFor("Write", { file_path: "/home/ana/shopping/a.ts" }, facts)).toBe("wants to write /home/ana/shopping/a.ts");
  });

  it("takes no member from anywhere but the input", () => {
    expect(wishFor("Bash", JSON.parse('{"__proto__":{"command":"ls"}}') as JsonObject)).toBe("wants to use Bash");
  });
});
