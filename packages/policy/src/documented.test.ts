import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bash, compiled, file, policyOf } from "../testing/policies.ts";
import type { PolicyInput } from "./asked.ts";
import { ANSWERS_AT, BEHAVIOURS, POLICY_MOMENTS } from "./behaviour.ts";
import { DANGERS } from "./catalogue/dangers.ts";
import { decideByPolicy } from "./decide.ts";
import { PRESETS } from "./presets/presets.ts";
import { readPolicy } from "./read/read-policy.ts";
import { readShell } from "./shell/read-shell.ts";

const PAGE = readFileSync("docs/policy.md", "utf8");
const SAMPLES = "packages/policy/testing/samples";
const sample = (name: string) => readFileSync(`${SAMPLES}/${name}.yaml`, "utf8");

describe("docs/policy.md", () => {
  it.each(readdirSync(SAMPLES))("shows %s as it is", (name) => {
    expect(PAGE).toContain(`\`\`\`yaml\n${readFileSync(`${SAMPLES}/${name}`, "utf8")}\`\`\``);
  });

  it("shows nothing else, and nothing with an error", () => {
    const blocks = [...PAGE.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
    expect(blocks).toHaveLength(readdirSync(SAMPLES).length);
    for (const text of blocks) expect(readPolicy({ text, file: "policy.yaml", kind: "user" })).toMatchObject({ ok: true, troubles: [] });
  });

  it("lists everything that is known to do harm, and nothing more", () => {
    const [, table = ""] = PAGE.split("## What is known to do harm");
    const rows = [...(table.split("\n## ")[0] ?? "").matchAll(/^\| `([a-z-]+)` \| (.*?) \| `(.*)` \| (\w+) \| (\w+) \|$/gm)].map((row) =>
      row.slice(1),
    );
    const expected = DANGERS.map(({ id, sentence, example, risk, reversible }) => [
      id,
      sentence,
      example.replaceAll("|", "\\|"),
      risk,
      reversible ? "yes" : "no",
    ]);
    expect(rows).toEqual(expected);
  });

  it("names every preset, criterion, answer and moment", () => {
    for (const name of [...Object.keys(PRESETS), ...BEHAVIOURS]) expect(PAGE).toContain(`| \`${name}\` |`);
    for (const name of Object.keys(policyOf(sample("everyday")).rules[0]?.match ?? {})) expect(PAGE).toContain(`| \`${name}\` |`);
    for (const moment of POLICY_MOMENTS) expect(PAGE).toContain(moment);
  });

  it.each(BEHAVIOURS)("tells where %s has a place", (answer) => {
    const [, told = ""] = new RegExp(`^\\| \`${answer}\` \\| .* \\| (.*) \\|$`, "m").exec(PAGE.split("The answers mean")[1] ?? "") ?? [];
    const places = POLICY_MOMENTS.filter((moment) => ANSWERS_AT[moment].includes(answer));
    const others = POLICY_MOMENTS.filter((moment) => !places.includes(moment));
    const expected = others.length === 0 ? "everywhere" : told.startsWith("all but") ? `all but ${others.join(", ")}` : places.join(", ");
    expect(told).toBe(expected);
  });

  it("takes its command apart as it says", () => {
    const { commands } = readShell('cd src && sudo r\\m -rf "$PWD"/old | tee log', { cwd: "/w" });
    expect(commands.map(({ words }) => words.map(({ text }) => text).join(" "))).toEqual(["cd src", "rm -rf /w/src/old", "tee log"]);
  });
});

describe("the examples", () => {
  const said = (name: string, asked: PolicyInput) => {
    const { behaviour, rule } = decideByPolicy(compiled(sample(name)), asked);
    return rule === undefined ? behaviour : `${behaviour} by ${rule.name}`;
  };
  const unattended = { attended: false };

  it.each([
    ["first", bash("git push origin main --force"), "deny by no-force-push"],
    ["first", bash("git push -f"), "ask by guard/destructive"],
    ["first", bash("npm test", { cwd: "/home/ann/work/app" }), "allow by my-tests"],
    ["first", bash("npm test"), "abstain"],
    ["everyday", bash("cat .env"), "deny by no-secrets"],
    [
      "everyday",
      { moment: "action", server: "forge", tool: "list_issues", originalTool: "mcp__forge__list_issues" },
      "allow by forge-looks",
    ],
    ["everyday", { moment: "action", server: "forge", tool: "mcp__forge__delete_repo" }, "ask by forge-changes"],
    ["everyday", bash("git push --force-with-lease origin ann/feature"), "allow by my-branches"],
    ["everyday", bash("git push --force-with-lease origin main"), "ask by guard/destructive"],
    ["everyday", bash("npm install left-pad"), "ask by dependencies"],
    ["everyday", bash("npm ci"), "abstain"],
    ["everyday", bash("npm test"), "allow by fewer-prompts/project-commands"],
    ["unattended", file("Write", "/srv/x", "write", unattended), "deny by nobody-there"],
    ["unattended", file("Write", "src/x", "write", unattended), "abstain"],
    ["unattended", file("Write", "/srv/x", "write"), "abstain"],
    ["unattended", bash("kubectl get pods --context prod"), "ask by production"],
    ["moments", { moment: "stop", agent: "claude" }, "block by tests-first"],
    ["moments", { moment: "subagent-start" }, "ask by subagents"],
    ["moments", bash("npm test"), "allow by one-minute"],
    ["repository", file("Edit", "db/migrations/1.sql", "write"), "ask by migrations"],
  ] as const)("%s: %j: %s", (name, asked, expected) => expect(said(name, asked)).toBe(expected));

  it("of a repository's own file may stand in one", () => {
    expect(readPolicy({ text: sample("repository"), file: ".earshot/policy.yaml", kind: "repository" })).toMatchObject({
      ok: true,
      troubles: [],
    });
  });
});
