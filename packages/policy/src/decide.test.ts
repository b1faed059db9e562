import { describe, expect, it } from "vitest";
import { bash, compiled, file, PLACES, policyOf } from "../testing/policies.ts";
import type { PolicyInput } from "./asked.ts";
import { compilePolicy } from "./compile-with-re2.ts";
import { decideByPolicy } from "./decide.ts";

/** The answer and the rule that gave it. */
function said(policy: string, asked: PolicyInput, repository?: string): string {
  const { behaviour, rule } = decideByPolicy(compiled(policy, repository), asked);
  return rule === undefined ? behaviour : `${behaviour} by ${rule.name}`;
}

describe("a server that an agent does not name apart", () => {
  const mcp = (tool: string): PolicyInput => ({ moment: "action", tool });
  it("is found at the beginning of the tool's name, by rules that restrict", () => {
    const refuses = "rules: [{ name: theirs, match: { server: my-db }, answer: deny }]";
    for (const tool of ["my-db_drop", "my-db-drop", "my-db.drop", "my-db/drop", "mcp__my-db__drop"])
      expect([tool, said(refuses, mcp(tool))]).toEqual([tool, "deny by theirs"]);
    for (const tool of ["bash", "my_db2_drop", "my-dbs"]) expect([tool, said(refuses, mcp(tool))]).toEqual([tool, "abstain"]);
    expect(said("rules: [{ match: { server: my-db }, answer: allow }]", mcp("my-db_drop"))).toBe("abstain");
  });
});

describe("a text that is too long to be read", () => {
  const long = "x".repeat(70_000);
  const policy = compiled("rules: [{ name: no-push, match: { command: git push }, answer: deny }]");
  it.each([
    "git push origin",
    "g''it push",
    'g"i"t pu\\sh',
    "gi\\\nt push",
    `g\${nothing}it push`,
    "git$@ push",
    "$(echo git) push; git `true`push",
    "git $(true)push",
  ])("does not hide %j from a rule that refuses it", (command) => {
    expect(decideByPolicy(policy, bash(`: ${long}; ${command}`)).behaviour).toBe("deny");
    expect(decideByPolicy(policy, bash(`: ${long}; ls`)).behaviour).toBe("abstain");
  });
});

describe("deciding", () => {
  it("abstains where no rule matches", () => {
    expect(decideByPolicy(compiled("rules: []"), bash("rm -rf /"))).toMatchObject({ behaviour: "abstain", hold: "when-someone-listens" });
    expect(decideByPolicy(compiled("rules: []"), bash("ls")).why).toEqual(["No rule matches: it is left to the agent."]);
  });

  it("lets the first rule that matches decide", () => {
    const policy = `rules:
      - { name: one, match: { command: git push * }, answer: deny }
      - { name: two, match: { command: git * }, answer: ask }
      - { name: three, match: { tool: Bash, command: git * }, answer: allow }`;
    expect(said(policy, bash("git push"))).toBe("deny by one");
    expect(said(policy, bash("git status"))).toBe("ask by two");
    expect(said(policy, bash("ls"))).toBe("abstain");
  });

  it.each([
    ["agent: claude", {}, true],
    ["agent: codex", {}, false],
    ["agent: [codex, claude]", {}, true],
    ["agent: cl*", {}, true],
    ["agent: { regex: '^c.*e$' }", {}, true],
    ["tool: Bash", {}, true],
    ["toolType: native", {}, true],
    ["toolType: mcp", {}, false],
    ["server: forge", { server: "forge" }, true],
    ["server: forge", {}, false],
    ["skill: deploy", { skill: "deploy" }, true],
    ["session: s-1", { session: "s-1" }, true],
    ["risk: [medium, high]", { risk: "medium" }, true],
    ["risk: low", {}, false],
    ["reversible: false", { reversible: false }, true],
    ["attended: false", { attended: false }, true],
    ["attended: false", {}, false],
    ["cwd: ~/app/**", {}, true],
    ["cwd: '{workspace}'", {}, true],
    ["cwd: /srv/**", {}, false],
    ["moment: action", {}, true],
    ["moment: permission", {}, false],
    ["inspectable: true", {}, true],
    ["inspectable: false", {}, false],
    ["danger: any", {}, false],
    ["path: '{workspace}/README.md'", {}, true],
    ["path: '**/README.md'", {}, true],
    ["access: read", {}, true],
    ["access: write", {}, false],
  ] as const)("matches on %s", (criterion, more, matches) => {
    const policy = `rules: [{ name: it, match: { ${criterion} }, answer: deny }]`;
    expect(said(policy, bash("cat README.md", more))).toBe(matches ? "deny by it" : "abstain");
  });

  it("asks for every criterion of a rule", () => {
    const policy = "rules: [{ name: it, match: { agent: claude, tool: Edit, path: '{workspace}/src/**' }, answer: deny }]";
    expect(said(policy, file("Edit", "src/a.ts", "write"))).toBe("deny by it");
    expect(said(policy, file("Edit", "docs/a.md", "write"))).toBe("abstain");
    expect(said(policy, file("Edit", "src/a.ts", "write", { agent: "codex" }))).toBe("abstain");
  });

  it("gives what the rule says besides its answer", () => {
    const policy = `rules:
      - name: slowly
        match: { tool: Bash }
        answer: ask
        message: Please look.
        unanswered: deny
        unreachable: deny
        hold: always
        holdFor: 90s`;
    const { judged: _judged, why: _why, ...ruling } = decideByPolicy(compiled(policy), bash("ls"));
    expect(ruling).toEqual({
      behaviour: "ask",
      rule: { name: "slowly", file: "policy.yaml", line: 2 },
      message: "Please look.",
      hold: "always",
      holdForMs: 90_000,
      unanswered: "deny",
      unreachable: "deny",
    });
  });

  it("changes the input by a merge patch", () => {
    const policy =
      "rules: [{ match: { tool: Bash, command: npm test }, answer: allow, updatedInput: { timeout: 60000, background: null } }]";
    const input = { command: "npm test", background: true };
    expect(decideByPolicy(compiled(policy), bash("npm test", { input })).updatedInput).toEqual({ command: "npm test", timeout: 60_000 });
  });

  it("passes over an answer that has no place at the moment", () => {
    const policy = "rules: [{ name: again, answer: block }, { name: all, answer: ask }]";
    expect(said(policy, { moment: "stop", agent: "claude" })).toBe("block by again");
    expect(said(policy, bash("ls"))).toBe("ask by all");
    expect(said(policy, { moment: "session-start" })).toBe("abstain");
  });

  it("keeps rules about tools away from moments without one", () => {
    expect(said("rules: [{ match: { tool: Bash }, answer: ask }]", { moment: "stop", tool: "Bash" })).toBe("abstain");
  });
});

describe("a command of several parts", () => {
  const allow = "rules: [{ name: safe, match: { command: [npm test, git status, 'echo *'] }, answer: allow }]";
  const deny = "rules: [{ name: no, match: { command: git push }, answer: deny }]";

  it.each(["npm test && git status", "npm test; echo done", "(npm test)", "npm test || echo failed", "if npm test; then echo ok; fi"])(
    "is allowed when the rule matches every part: %s",
    (command) => expect(said(allow, bash(command))).toBe("allow by safe"),
  );

  it.each([
    "npm test && ls",
    "npm test | tee log",
    "npm test > log.txt",
    "echo $(cat /etc/passwd)",
    "sudo npm test",
    "bash -c 'npm test; ls'",
    "NODE_OPTIONS=--require=./evil.js npm test",
    "foo=1 npm test",
    "npm test extra",
    "./npm test",
    "/tmp/npm test",
    "NPM test",
    "xargs npm test",
    "npm () { ls; }; npm test",
    "# nothing",
  ])("is not allowed otherwise: %s", (command) => expect(said(allow, bash(command))).toBe("abstain"));

  it.each([
    "npm test && git push",
    "ls; git push origin main",
    "sudo git push",
    "git -C ../x push",
    "/usr/bin/git push",
    "GIT PUSH",
    "bash -c 'git push'",
    "echo $(git push)",
    "git $WHAT",
  ])("is refused when the rule matches one part: %s", (command) => expect(said(deny, bash(command))).toBe("deny by no"));

  it.each(["git pull", "echo git push", "git commit -m 'git push'", "pushgit push"])("is not refused otherwise: %s", (command) =>
    expect(said(deny, bash(command))).toBe("abstain"),
  );

  it("lets a wrapper be named", () => {
    const policy = "rules: [{ name: it, match: { command: sudo systemctl restart nginx }, answer: allow }]";
    expect(said(policy, bash("sudo systemctl restart nginx"))).toBe("allow by it");
    expect(said("rules: [{ name: it, match: { command: sudo }, answer: deny }]", bash("sudo ls"))).toBe("deny by it");
  });

  it("asks for all criteria in one and the same part, where it restricts", () => {
    const policy = "rules: [{ name: it, match: { command: rm, path: /etc/** }, answer: deny }]";
    expect(said(policy, bash("cat /etc/passwd && rm a.txt"))).toBe("abstain");
    expect(said(policy, bash("ls && rm /etc/passwd"))).toBe("deny by it");
  });

  it("sees the folder that each part runs in", () => {
    const policy = "rules: [{ name: it, match: { command: npm test, cwd: '{workspace}/**' }, answer: allow }]";
    const both = "rules: [{ name: it, match: { command: [npm test, 'cd *'], cwd: '{workspace}/**' }, answer: allow }]";
    expect(said(policy, bash("npm test"))).toBe("allow by it");
    expect(said(both, bash("cd src && npm test"))).toBe("allow by it");
    expect(said(both, bash("cd src; npm test"))).toBe("abstain"); // it runs here when there is no src
    expect(said(both, bash("cd /tmp/evil && npm test"))).toBe("abstain");
    expect(said(both, bash('cd "$X" && npm test'))).toBe("abstain");
    expect(said(policy, bash("npm test", { runsIn: "packages/x" }))).toBe("allow by it");
    expect(said(policy, bash("npm test", { runsIn: "/tmp/evil" }))).toBe("abstain");
  });
});

describe("what is risky", () => {
  const everything = "rules: [{ name: loose, match: { tool: Bash }, answer: allow }]";

  it("is not matched by a rule that allows without naming it", () => {
    expect(said(everything, bash("ls"))).toBe("allow by loose");
    expect(said(everything, bash("rm -rf src"))).toBe("abstain");
    expect(said(everything, bash("$CMD"))).toBe("abstain");
    expect(said(everything, bash("ls", { risk: "high" }))).toBe("abstain");
    expect(said(everything, bash("ls", { shell: "powershell" }))).toBe("abstain");
  });

  it("is matched by one that names it", () => {
    expect(said("rules: [{ name: it, match: { command: git push *, danger: git-force-push }, answer: allow }]", bash("git push -f"))).toBe(
      "allow by it",
    );
    expect(said("rules: [{ name: it, match: { tool: Bash, risk: high }, answer: allow }]", bash("ls", { risk: "high" }))).toBe(
      "allow by it",
    );
    expect(said("rules: [{ name: it, match: { command: git push *, danger: git-clean }, answer: allow }]", bash("git push -f"))).toBe(
      "abstain",
    );
  });

  it("never matches a rule that allows when it cannot be inspected, whatever that names", () => {
    expect(said("rules: [{ name: it, match: { tool: Bash, inspectable: false, risk: high }, answer: allow }]", bash("$CMD"))).toBe(
      "abstain",
    );
  });

  it("may be left to the agent by a rule that speaks of no commands", () => {
    expect(said("rules: [{ name: watch, answer: abstain }, { name: all, answer: ask }]", bash("$CMD"))).toBe("abstain by watch");
    expect(
      said("rules: [{ name: git, match: { command: 'git *' }, answer: abstain }, { name: all, answer: ask }]", bash("git log; $X")),
    ).toBe("ask by all");
  });

  it("is never allowed by silence", () => {
    const policy = "rules: [{ name: quick, match: { tool: [Bash, Deploy] }, answer: ask, unanswered: allow, unreachable: allow }]";
    expect(decideByPolicy(compiled(policy), bash("ls"))).toMatchObject({ unanswered: "allow", unreachable: "allow" });
    for (const asked of [bash("rm -rf src"), bash("$CMD"), bash("ls", { risk: "high" }), bash("ls", { reversible: false })]) {
      const ruling = decideByPolicy(compiled(policy), asked);
      expect(ruling).toMatchObject({ behaviour: "ask", unanswered: "ask", unreachable: "ask" });
      expect(ruling.why.join(" ")).toContain("never allowed by silence");
    }
  });

  it("is judged by what is found, when the agent makes light of it", () => {
    const { judged } = decideByPolicy(compiled("rules: []"), bash("git push -f", { risk: "low", reversible: true }));
    expect(judged).toEqual({ risk: "high", reversible: false, dangers: ["git-force-push"] });
    expect(decideByPolicy(compiled("rules: []"), bash("ls", { risk: "medium", reversible: true })).judged).toMatchObject({
      risk: "medium",
      reversible: true,
    });
  });
});

describe("what is too much to be looked through", () => {
  const many = (last: string) => bash(`cat ${"a ".repeat(300)}${last}`);
  const files = (count: number) =>
    file("Edit", "a", "write", { paths: Array.from({ length: count }, (_, index) => ({ path: `src/${index}`, access: "write" })) });

  it("is held by rules about paths, and let through by none", () => {
    const hold = "rules: [{ name: it, match: { path: '**/secret' }, answer: deny }]";
    const pass = "rules: [{ name: it, match: { access: read, path: '{workspace}/**' }, answer: allow }]";
    expect([said(hold, many("b")), said(pass, many("b")), said(pass, bash("cat a b"))]).toEqual(["deny by it", "abstain", "allow by it"]);
    const edit = "rules: [{ name: it, match: { tool: Edit, path: '{workspace}/**' }, answer: allow }]";
    expect([said(edit, files(900)), said(edit, files(1001)), said(hold, files(1001)), said(hold, files(900))]).toEqual([
      "allow by it",
      "abstain",
      "deny by it",
      "abstain",
    ]);
  });
});

describe("except", () => {
  it("takes one part away from a rule that allows", () => {
    const policy = "rules: [{ name: it, match: { access: read, path: '{workspace}/**' }, except: { path: '**/.env' }, answer: allow }]";
    expect(said(policy, bash("cat a.txt"))).toBe("allow by it");
    expect(said(policy, bash("cat a.txt .env"))).toBe("abstain");
    expect(said(policy, bash("cat .e*"))).toBe("abstain");
    expect(said(policy, bash("cat .ENV"))).toBe("abstain");
  });

  it("takes the whole away from a rule that restricts", () => {
    const policy = "rules: [{ name: it, match: { command: git push }, except: { command: git push origin feature }, answer: deny }]";
    expect(said(policy, bash("git push origin main"))).toBe("deny by it");
    expect(said(policy, bash("git push origin feature"))).toBe("abstain");
    expect(said(policy, bash("git push origin feature && git push origin main"))).toBe("deny by it");
  });
});

describe("a repository's own rules", () => {
  const own =
    "rules: [{ name: own, match: { command: npm * }, answer: allow }, { name: mine, match: { command: git push }, answer: deny }]";

  it("tighten what the person's say", () => {
    expect(said(own, bash("npm publish --dry-run"), "rules: [{ name: theirs, match: { command: npm publish }, answer: deny }]")).toBe(
      "deny by theirs",
    );
    expect(said(own, bash("make"), "rules: [{ name: theirs, match: { command: make }, answer: ask }]")).toBe("ask by theirs");
  });

  it("never loosen them", () => {
    expect(said(own, bash("git push"), "rules: [{ name: theirs, match: { command: git * }, answer: ask }]")).toBe("deny by mine");
    expect(said(own, bash("make"), "rules: [{ name: theirs, match: { command: make }, answer: allow }]")).toBe("abstain");
  });

  it("never loosen them, also when they were read as if they were the person's", () => {
    const loose = policyOf("rules: [{ name: theirs, match: { command: make }, answer: allow }]");
    const policy = compilePolicy(policyOf("rules: []"), { places: PLACES, repository: loose });
    expect(decideByPolicy(policy, bash("make")).behaviour).toBe("abstain");
  });

  it("take the stricter of the fallbacks", () => {
    const strict = "rules: [{ name: own, match: { tool: Bash }, answer: ask, unanswered: deny, unreachable: deny }]";
    const ruling = decideByPolicy(compiled(strict, "rules: [{ name: theirs, match: { tool: Bash }, answer: deny }]"), bash("ls"));
    expect(ruling).toMatchObject({ behaviour: "deny", rule: { name: "theirs" }, unanswered: "deny", unreachable: "deny" });
    expect(ruling.why[1]).toBe("It is stricter than own, which says ask.");
  });
});
