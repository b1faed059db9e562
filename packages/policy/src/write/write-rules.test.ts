import { describe, expect, it } from "vitest";
import { bash, compiled, file, HOME, PLACES, policyOf, WORKSPACE } from "../../testing/policies.ts";
import type { PolicyInput } from "../asked.ts";
import { compilePolicy } from "../compile-with-re2.ts";
import { decideByPolicy } from "../decide.ts";
import { appendRule } from "./append-rule.ts";
import { type RuleDraft, writeRule } from "./rule-draft.ts";
import { proposeRuleFor, type RuleScope } from "./rule-for.ts";
import { suggestRules } from "./suggest-rules.ts";

function proposed(asked: PolicyInput, scope: RuleScope): string {
  const proposal = proposeRuleFor(asked, scope, PLACES);
  return proposal.ok ? proposal.yaml : proposal.why;
}

/** The ruling of a policy with only this rule. */
function saidWith(yaml: string, asked: PolicyInput): string {
  return decideByPolicy(compiled(`rules:\n${yaml.replaceAll(/^/gm, "  ")}`), asked).behaviour;
}

describe("the rule for this kind from now on", () => {
  it("is as narrow as it can be said", () => {
    const yaml = proposed(bash("git diff --stat src/a.ts"), { answer: "allow" });
    expect(yaml).toBe(`- name: allow-git-diff
  match:
    tool: Bash
    command: git diff --stat src/a.ts
    cwd: /home/ann/app/**
  answer: allow
`);
    expect(saidWith(yaml, bash("git diff --stat src/a.ts"))).toBe("allow");
    for (const other of ["git diff --stat src/b.ts", "git diff src/a.ts", "git diff --stat src/a.ts | sh"])
      expect(saidWith(yaml, bash(other))).toBe("abstain");
    expect(saidWith(yaml, bash("git diff --stat src/a.ts", { cwd: "/srv", roots: ["/srv"] }))).toBe("abstain");
  });

  it("keeps stars, quotes and spaces for what they are", () => {
    for (const command of ["echo 'a  *b'", 'echo "it\'s"', "echo '\"'", "echo '<words>' '?'", "echo 'a\\b'"]) {
      const yaml = proposed(bash(command), { answer: "allow" });
      expect(saidWith(yaml, bash(command)), yaml).toBe("allow");
      expect(saidWith(yaml, bash("echo other words"))).toBe("abstain");
    }
  });

  it("may let operands vary, not options and not what leads out of the workspace", () => {
    const yaml = proposed(bash("git diff --stat src/a.ts"), { answer: "allow", breadth: "kind" });
    expect(yaml).toContain("command: git diff --stat <words>");
    expect(saidWith(yaml, bash("git diff --stat src/b.ts src/c.ts"))).toBe("allow");
    for (const other of ["git diff --stat --output=x", "git diff --stat /etc/passwd", "git diff --stat .env", "git diff src/a.ts"])
      expect(saidWith(yaml, bash(other))).toBe("abstain");
  });

  it.each([
    ["python3 scripts/build.py", "command: python3 scripts/build.py"],
    ["make all", "command: make all"],
    ["npm run build", "command: npm run build"],
    ["npx eslint src", "command: npx eslint src"],
    ["cd src && npm test", "command:\n      - cd <words>\n      - npm test"],
    ["grep 'it''s' a.ts", "command: grep <words>"],
  ])("does not say more than was seen: %s", (command, expected) => {
    const yaml = proposed(bash(command), { answer: "allow", breadth: "kind" });
    expect(yaml).toContain(expected);
    expect(saidWith(yaml, bash(command))).toBe("allow");
  });

  it.each([
    ["rm -rf src", "It is known to do harm. Deletes folders with everything in them."],
    ["$CMD", "The command cannot be inspected. Which program runs is only known when it runs: `$CMD`."],
    ["cat .env", "It is known to do harm. Reads what looks like a secret."],
    ["npm test > log.txt", "It writes into files by redirection."],
    ["LD_PRELOAD=./x npm test", "It is known to do harm. Has a program load other code, or find other programs, than it would by itself."],
    ["# nothing", "There is nothing here that a rule could name."],
  ])("is not proposed for %s", (command, why) => expect(proposed(bash(command), { answer: "allow" })).toBe(why));

  it("is not proposed for what the agent itself calls risky", () => {
    expect(proposed(bash("ls", { risk: "high" }), { answer: "allow" })).toBe("Its risk is high.");
    expect(proposed(bash("ls", { reversible: false }), { answer: "allow" })).toBe("It cannot be undone.");
  });

  it("may refuse what does harm", () => {
    const yaml = proposed(bash("git push --force"), { answer: "deny", where: "everywhere" });
    expect(yaml).toBe("- name: deny-git-push\n  match:\n    tool: Bash\n    command: git push --force\n  answer: deny\n");
    expect(saidWith(yaml, bash("ls && git push --force origin"))).toBe("deny");
  });

  it("may be for one session, one file, one folder, one server's tool", () => {
    expect(proposed(bash("ls", { session: "s-*" }), { answer: "allow", where: "session" })).toContain("session: s-\\*");
    expect(proposed(file("Edit", "src/a.ts", "write"), { answer: "allow" })).toContain(`path: ${WORKSPACE}/src/a.ts\n    access: write`);
    expect(proposed(file("Edit", "src/a.ts", "write"), { answer: "allow", breadth: "kind" })).toContain(`path: ${WORKSPACE}/src/**`);
    expect(proposed(file("Edit", "~/notes/a.md", "write"), { answer: "allow", breadth: "kind" })).toContain(`path: ${HOME}/notes/a.md`);
    const tool = proposed({ moment: "action", tool: "mcp__forge__list", toolType: "mcp", server: "forge" }, { answer: "deny" });
    expect(tool).toBe("- name: deny-mcp__forge__list\n  match:\n    tool: mcp__forge__list\n    server: forge\n  answer: deny\n");
  });

  const MCP = { moment: "action", toolType: "mcp", server: "db" } as const;
  it.each<[string, PolicyInput]>([
    ["a query", { ...MCP, tool: "query", originalTool: "mcp__db__query", input: { sql: "select 1" } }],
    ["a tool of a server that names a file", { ...MCP, tool: "run", paths: [{ path: `${WORKSPACE}/a.sql` }] }],
    ["an address", { moment: "action", tool: "WebFetch", input: { url: "https://nodejs.org/" } }],
  ])("never allows a tool with any arguments: %s", (_name, asked) => {
    for (const breadth of ["exact", "kind"] as const)
      expect(proposed(asked, { answer: "allow", breadth })).toMatch(/^A rule names commands and files\./);
  });

  it.each([
    ["sqlite3 app.db 'select 1'", "sqlite3 app.db .schema"],
    ["awk '{print $1}' a.txt", "awk '{print $2}' a.txt"],
    ["curl https://example.com/a", "curl https://example.com/b"],
    ["node scripts/a.js", "node scripts/b.js"],
    ["frobnicate src/a", "frobnicate src/b"],
    ["./scripts/x.sh a", "./scripts/x.sh b"],
  ])("of the kind of %s is only what was seen, where other words may be other code", (command, other) => {
    const yaml = proposed(bash(command), { answer: "allow", breadth: "kind" });
    expect(saidWith(yaml, bash(command))).toBe("allow");
    expect(saidWith(yaml, bash(other))).toBe("abstain");
  });

  it("never lets through what does harm, whatever was allowed before", () => {
    const yaml = proposed(file("Write", "README.md", "write"), { answer: "allow", breadth: "kind" });
    for (const path of [".claude/settings.json", ".earshot/policy.yaml", ".git/hooks/pre-commit", ".envrc"])
      expect([path, saidWith(yaml, file("Write", path, "write"))]).toEqual([path, "abstain"]);
    expect(saidWith(yaml, file("Write", "src/a.ts", "write"))).toBe("allow");
  });
});

const DRAFT: RuleDraft = { name: "new", match: { command: ["npm test"] }, answer: "allow" };
const WRITTEN = "name: new\n    match:\n      command: npm test\n    answer: allow";

describe("a rule put into a file", () => {
  it.each([
    [
      "rules:\n  # mine\n  - name: old # a word\n    answer: ask\n",
      `rules:\n  # mine\n  - ${WRITTEN}\n  - name: old # a word\n    answer: ask\n`,
    ],
    ["extends: guard   # why\n", `extends: guard   # why\nrules:\n  - ${WRITTEN}\n`],
    ["extends: guard", `extends: guard\nrules:\n  - ${WRITTEN}\n`],
    ["rules: []\n# end\n", `rules:\n  - ${WRITTEN}\n# end\n`],
    ["", `rules:\n  - ${WRITTEN}\n`],
    ["# only a comment\n", `# only a comment\nrules:\n  - ${WRITTEN}\n`],
    ["rules:\n- answer: ask\nextends: guard\n", `rules:\n- ${WRITTEN.replaceAll("\n  ", "\n")}\n- answer: ask\nextends: guard\n`],
    ["rules:\r\n  - answer: ask\r\n", `rules:\r\n  - ${WRITTEN.replaceAll("\n", "\r\n")}\r\n  - answer: ask\r\n`],
  ])("comes first, and leaves the rest as it is: %j", (text, expected) => {
    const appended = appendRule(text, DRAFT);
    expect(appended).toEqual({ ok: true, text: expected, name: "new" });
    expect(decideByPolicy(compilePolicy(policyOf(expected), { places: PLACES }), bash("npm test")).rule?.name).toBe("new");
  });

  it("gets another name where its own is taken", () => {
    const once = appendRule("rules:\n  - { name: new, answer: ask }\n", DRAFT);
    expect(once).toMatchObject({ ok: true, name: "new-2" });
    expect(once.ok && appendRule(once.text, DRAFT)).toMatchObject({ ok: true, name: "new-3" });
  });

  it.each([
    ["rules:\n  - anser: ask\n", "The file has errors: This rule has no `answer`."],
    ["rules: [{ answer: ask }]\n", "`rules` is written in brackets; put each rule on lines of its own."],
    ["{ rules: [] }", "`rules` is written in brackets; put each rule on lines of its own."],
  ])("does not go into %j", (text, why) =>
    expect(appendRule(text, DRAFT)).toEqual({ ok: false, why: expect.stringContaining(why.slice(0, 20)) }),
  );

  it("is written so that it is read as the same", () => {
    const draft: RuleDraft = {
      name: "x",
      match: { command: ["git commit -m 'a: b # c'", "*"], path: ["**/*.ts"], tool: ["no", "1e3", "on"] },
      answer: "deny",
      message: '- no: it\'s "not"',
    };
    const [rule] = policyOf(`rules:\n${writeRule(draft)}`).rules;
    expect(rule).toMatchObject(draft);
  });
});

describe("rules learnt from answers", () => {
  const answers = (answer: "allow" | "deny", ...commands: readonly string[]) =>
    commands.map((command) => ({ asked: bash(command), answer }));

  it("say what a person said again and again", () => {
    const history = answers(
      "allow",
      "git diff src/a.ts",
      "git diff src/b.ts",
      "git diff src/c.ts",
      "npm run build",
      "npm run build",
      "npm run build",
    );
    expect(suggestRules(history, { places: PLACES }).map(({ yaml, answers: count, examples }) => [yaml, count, examples.length])).toEqual([
      [expect.stringContaining("command: git diff <words>"), 3, 3],
      [expect.stringContaining("command: npm run build\n"), 3, 1],
    ]);
  });

  it("need several answers, and none that disagrees", () => {
    expect(suggestRules(answers("allow", "ls a", "ls b"), { places: PLACES })).toEqual([]);
    expect(suggestRules([...answers("allow", "ls a", "ls b", "ls c"), ...answers("deny", "ls d")], { places: PLACES })).toEqual([]);
    expect(suggestRules(answers("allow", "ls a", "ls b"), { places: PLACES, atLeast: 2 })).toHaveLength(1);
  });

  it("are never about what does harm, cannot be inspected, or holds secrets", () => {
    const bad = ["rm -rf src", "git push -f", "$CMD", "cat .env", "npm test > x", "sudo ls", "ls && pwd"];
    for (const command of bad)
      expect(
        suggestRules([...answers("allow", command, command, command), ...answers("deny", command)].slice(0, 3), { places: PLACES }),
      ).toEqual([]);
  });

  it("are for one workspace and one tool", () => {
    const elsewhere = { cwd: "/srv", roots: ["/srv"] };
    const history = [...answers("allow", "ls a", "ls b"), { asked: bash("ls c", elsewhere), answer: "allow" as const }];
    expect(suggestRules(history, { places: PLACES })).toEqual([]);
  });

  it("refuse, too", () => {
    const [rule] = suggestRules(answers("deny", "cargo doc a", "cargo doc b", "cargo doc c"), { places: PLACES });
    expect(rule?.rule).toMatchObject({ answer: "deny", match: { command: ["cargo doc <words>"] } });
  });

  it("are about folders, for tools that name files", () => {
    const history = ["a.ts", "b.ts", "c.ts"].map((name) => ({ asked: file("Edit", `src/${name}`, "write"), answer: "allow" as const }));
    expect(suggestRules(history, { places: PLACES })[0]?.rule.match).toMatchObject({
      tool: ["Edit"],
      path: [`${WORKSPACE}/src/**`],
      access: ["write"],
    });
  });

  it("decide what they were learnt from as the person did", () => {
    const history = answers("allow", "git log a", "git log b", "git log c", "cargo build", "cargo build", "cargo build");
    const suggestions = suggestRules(history, { places: PLACES });
    expect(suggestions).toHaveLength(2);
    const policy = compiled(`rules:\n${suggestions.map(({ yaml }) => yaml.replaceAll(/^(?=.)/gm, "  ")).join("")}`);
    for (const { asked, answer } of history) expect(decideByPolicy(policy, asked).behaviour).toBe(answer);
  });
});
