import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BEHAVIOURS } from "../behaviour.ts";
import { readPolicy } from "./read-policy.ts";

/** The messages about a text: line:column message | hint; warnings are marked. */
function told(text: string, kind: "user" | "repository" = "user", others?: (name: string) => string | undefined): readonly string[] {
  const { troubles } = readPolicy({ text, file: "policy.yaml", kind, ...(others === undefined ? {} : { others }) });
  return troubles.map(
    ({ line, column, severity, message, hint }) => `${severity === "warning" ? "warning " : ""}${line}:${column} ${message} | ${hint}`,
  );
}

const rule = (text: string) => `rules:\n  - ${text.replaceAll("\n", "\n    ")}`;

const EVERYTHING = `# all there is
version: 1
extends: [guard, fewer-prompts]
rules:
  - name: everything
    match:
      moment: [action, permission]
      agent: [claude, cl*]
      session: s-1
      tool: { regex: '^Bash$' }
      toolType: native
      server: forge
      skill: deploy
      command: [git push *, { regex: '^npm' }]
      danger: [git-force-push, publish]
      inspectable: true
      path: ["{workspace}/**", "~/x", "/etc/**", "**/.env", "{earshot}", "{secret}"]
      access: [read, write, delete]
      cwd: "{workspace}"
      risk: [low, high]
      reversible: false
      attended: true
    except: { tool: Read }
    answer: ask
    message: Why?
    updatedInput: { a: [1, "x", null], b: { c: true } }
    unanswered: deny
    unreachable: ask
    hold: always
    holdFor: 2h
`;

describe("a policy file", () => {
  it("may hold everything there is", () => {
    const reading = readPolicy({ text: EVERYTHING, file: "policy.yaml", kind: "user" });
    expect(reading.troubles).toEqual([]);
    expect(reading.ok && reading.policy.rules[0]).toEqual({
      name: "everything",
      from: { file: "policy.yaml", line: 5 },
      match: {
        moment: ["action", "permission"],
        agent: ["claude", "cl*"],
        session: ["s-1"],
        tool: [{ regex: "^Bash$" }],
        toolType: ["native"],
        server: ["forge"],
        skill: ["deploy"],
        command: ["git push *", { regex: "^npm" }],
        danger: ["git-force-push", "publish"],
        inspectable: true,
        path: ["{workspace}/**", "~/x", "/etc/**", "**/.env", "{earshot}", "{secret}"],
        access: ["read", "write", "delete"],
        cwd: ["{workspace}"],
        risk: ["low", "high"],
        reversible: false,
        attended: true,
      },
      except: { tool: ["Read"] },
      answer: "ask",
      message: "Why?",
      updatedInput: { a: [1, "x", null], b: { c: true } },
      unanswered: "deny",
      unreachable: "ask",
      hold: "always",
      holdForMs: 7_200_000,
    });
  });

  it("is plain data: written as JSON and read back it is the same", () => {
    const reading = readPolicy({ text: EVERYTHING, file: "policy.yaml", kind: "user" });
    expect(reading.ok && JSON.parse(JSON.stringify(reading.policy))).toEqual(reading.ok && reading.policy);
  });

  it.each(BEHAVIOURS)("may answer %s", (answer) => {
    expect(told(rule(`{ match: { tool: x, moment: [action, outcome, prompt] }, answer: ${answer} }`))).toEqual([]);
  });

  it.each(["", "\n\n", "# nothing yet\n", "---\n", "{}"])("that is empty asks about everything, and says so: %j", (text) => {
    const reading = readPolicy({ text, file: "policy.yaml", kind: "user" });
    expect(reading.ok && reading.policy.rules).toMatchObject([{ name: "empty-file", match: {}, answer: "ask" }]);
    expect(told(text)).toEqual([expect.stringContaining("warning 1:1 The file is empty: everything is asked about.")]);
  });

  it("with a list of no rules asks about nothing", () => {
    expect(readPolicy({ text: "rules: []", file: "policy.yaml", kind: "user" })).toEqual({ ok: true, policy: { rules: [] }, troubles: [] });
  });

  it("numbers rules without a name", () => {
    const reading = readPolicy({ text: "rules: [{ answer: ask }, { name: x, answer: deny }]", file: "policy.yaml", kind: "user" });
    expect(reading.ok && reading.policy.rules.map(({ name }) => name)).toEqual(["rule-1", "x"]);
  });
});

describe("what is wrong with a policy file is said, where, and what to do", () => {
  it.each([
    ["rule: []", "1:1 There is no `rule` in a policy. | Did you mean `rules`?"],
    ["rules:", "1:1 `rules` has no value."],
    ["rules: {}", "1:8 `rules` takes a list."],
    ["- answer: ask", "1:1 The file is no policy."],
    ["just words", "1:1 The file is no policy."],
    ["version: 2", "1:10 Only version 1 is known here."],
    [rule("match: { tool: x }"), "2:5 This rule has no `answer`."],
    [rule("anser: ask"), "2:5 There is no `anser` in a rule. | Did you mean `answer`?"],
    [rule("answer: alow"), "2:13 `answer` cannot be `alow`. | Did you mean `allow`?"],
    [rule("answer: Allow"), "2:13 `answer` cannot be `Allow`. | Did you mean `allow`?"],
    [rule("answer: hold"), "Did you mean `ask`?"],
    [rule("answer: person"), "Did you mean `ask`?"],
    [rule("answer: reject"), "Did you mean `deny`?"],
    [rule("answer: no"), "2:13 `answer` cannot be `no`. | Did you mean `deny`?"],
    [rule("answer: yes"), "Did you mean `allow`?"],
    [rule("answer: on"), "`answer` cannot be `on`."],
    [rule("answer: [ask]"), "`answer` takes a single word."],
    [rule("answer: true"), "`answer` cannot be `true`."],
    [rule("answer: ask\nmatch: { tol: x }"), "3:14 There is no `tol` in `match`. | Did you mean `tool`?"],
    [rule("answer: ask\nmatch: { tool_type: mcp }"), "Did you mean `toolType`?"],
    [rule("answer: ask\nmatch: { tool: 1e3 }"), "3:20 `tool` takes a text; YAML reads `1e3` as a number. | Put it in quotes."],
    [rule("answer: ask\nmatch: { tool: true }"), "YAML reads `true` as true or false."],
    [rule("answer: ask\nmatch: { tool: '' }"), "`tool` is empty."],
    [rule("answer: ask\nmatch: { tool: }"), "`tool` has no value."],
    [rule("answer: ask\nmatch: { tool: [] }"), "`tool` is an empty list."],
    [rule("answer: ask\nmatch: { tool: { glob: x } }"), "There is no `glob` in `tool`."],
    [rule("answer: ask\nmatch: { tool: { regex: '(' } }"), "`regex` cannot be read: missing closing )"],
    [rule("answer: ask\nmatch: { tool: { regex: '(?=a)' } }"), "no look-ahead, look-behind or back-references"],
    [rule("answer: ask\nmatch: { tool: { regex: '(a)\\1' } }"), "`regex` cannot be read"],
    [rule("answer: ask\nmatch: { moment: pre }"), "`moment` cannot be `pre`."],
    [rule("answer: ask\nmatch: { danger: git-forcepush }"), "Did you mean `git-force-push`?"],
    [rule("answer: ask\nmatch: { risk: critical }"), "Did you mean `high`?"],
    [rule("answer: ask\nmatch: { attended: no }"), "`no` does not mean false in YAML 1.2. | Write false."],
    [rule("answer: ask\nmatch: { attended: off }"), "Write false."],
    [rule("answer: ask\nmatch: { inspectable: 'true' }"), '"true" is a text, because of the quotes. | Write true.'],
    [rule("answer: ask\nmatch: { command: a && b }"), "A rule looks at one simple command at a time; `&&` joins several."],
    [rule("answer: ask\nmatch: { command: 'a | sh' }"), "`|` joins several."],
    [rule("answer: ask\nmatch: { command: <words> }"), "A command begins with a program."],
    [rule("answer: ask\nmatch: { path: src/** }"), "A pattern for paths says where it begins; `src/**` does not."],
    [rule("answer: ask\nmatch: { path: '{workspce}/x' }"), "says where it begins"],
    [rule("answer: ask\nmatch: { path: ~bob/x }"), "somebody else's home folder"],
    [rule("answer: ask\nmatch: { cwd: app }"), "A pattern for paths says where it begins"],
    [rule("answer: ask\nholdFor: 10"), "3:14 `holdFor` cannot be `10`. | A number and a unit"],
    [rule("answer: ask\nholdFor: 1s"), "`holdFor` is `1s`, which is out of range."],
    [rule("answer: ask\nholdFor: 25h"), "out of range"],
    [rule("answer: ask\nholdFor: 1e3s"), "`holdFor` cannot be `1e3s`."],
    [rule("answer: ask\nhold: sometimes"), "`hold` cannot be `sometimes`. | One of when-someone-listens, always, never."],
    [rule("answer: ask\nunanswered: abstain"), "`unanswered` cannot be `abstain`."],
    [rule("answer: deny\nunanswered: ask"), "`unanswered` has no meaning with `answer: deny`."],
    [rule("answer: deny\nhold: always"), "`hold` has no meaning with `answer: deny`."],
    [rule("answer: deny\nupdatedInput: { a: 1 }"), "`updatedInput` has no meaning with `answer: deny`."],
    [rule("answer: ask\nupdatedInput: x"), "`updatedInput` takes the members that it changes."],
    [rule("answer: ask\nupdatedInput: { __proto__: { a: 1 } }"), "`updatedInput` takes the members that it changes."],
    [rule("answer: allow"), "2:5 This rule would allow everything."],
    [rule("answer: allow\nmatch: { agent: claude, cwd: ~/x }"), "This rule would allow everything."],
    [rule("answer: allow\nmatch: {}"), "This rule would allow everything."],
    [
      rule("answer: block\nmatch: { moment: action }"),
      "`answer: block` has no place at the moment action. | There one can allow, deny, ask",
    ],
    [rule("answer: ask\nunanswered: allow\nmatch: { risk: high }"), "3:5 `unanswered: allow` cannot stand here"],
    [rule("answer: ask\nunreachable: allow\nmatch: { reversible: false }"), "never allowed by silence"],
    [rule("answer: ask\nunanswered: allow\nmatch: { danger: any }"), "never allowed by silence"],
    [rule("answer: ask\nname: a/b"), '`name` cannot be "a/b".'],
    ["rules: [{ name: x, answer: ask }, { name: x, answer: deny }]", "The name x was used before, in policy.yaml on line 1."],
    ["extends: gard", "1:10 There is no preset, and no file, `gard`. | Did you mean `guard`?"],
    ["extends: ./team.yaml", "There is no preset, and no file, `./team.yaml`."],
    ["extends: []", "`extends` is an empty list."],
    ["extends: guard\nrules: [{ answer: ask }, 3]", "A rule takes `key: value` lines."],
  ])("%j", (text, expected) => {
    const lines = told(text);
    expect(lines.some((line) => !line.startsWith("warning"))).toBe(true);
    expect(lines.join("\n")).toContain(expected);
  });

  it("lists several things at once", () => {
    expect(told("rules:\n  - answer: alow\n  - anser: ask\n    answer: ask\n  - answer: ask\n    holdFor: no")).toHaveLength(3);
  });

  it.each([
    [
      "rules: [{ answer: abstain }, { name: late, answer: ask }]",
      "warning 1:1 The rule late is never reached: rule-1 matches everything before it.",
    ],
    ["extends: guard\nrules: [{ name: all, answer: ask }]", "The rule guard/earshot is never reached: all matches everything before it."],
    [rule("answer: allow\nmatch: { tool: Bash }"), "warning 2:5 This allows every command of Bash that is not known to do harm."],
  ])("warns of what does less, or more, than it seems to: %j", (text, expected) => {
    const reading = readPolicy({ text, file: "policy.yaml", kind: "user" });
    expect(reading.ok).toBe(true);
    expect(told(text)[0]).toContain(expected);
  });
});

describe("a hostile file", () => {
  it.each([
    ["an alias", "a: &a [x]\nrules: *a", "References (*name) are not read here."],
    ["an alias bomb", `a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nrules: [*c,*c]`, "Anchors (&name) are not read here."],
    ["a tag", "rules: !!js/function 'x'", "Tags such as"],
    ["a tag of its own", "rules: [!evil { answer: ask }]", "Tags such as"],
    ["equal keys", "rules: []\nrules: [{ answer: ask }]", "2:1 This key was there before."],
    ["equal keys in a rule", rule("answer: deny\nanswer: allow"), "3:5 This key was there before."],
    ["a merge key", rule("answer: ask\n<<: { answer: allow }"), "Merge keys (<<) are not read here."],
    ["a directive", "%YAML 1.1\n---\nrules: []", "YAML directives are not read here."],
    ["two documents", "rules: []\n---\nrules: []", "There is more than one document in the file."],
    ["brackets", `rules: ${"[".repeat(5000)}`, "This is nested too deeply."],
    ["braces", `rules: ${"{a: ".repeat(5000)}`, "This is nested too deeply."],
    ["indentation", Array.from({ length: 200 }, (_, level) => `${" ".repeat(level)}a:`).join("\n"), "This is nested too deeply."],
    ["size", `# ${"x".repeat(300_000)}`, "more than 262,144 characters"],
    ["a tab", "rules:\n\t- answer: ask", "2:1"],
    ["a prototype", "__proto__: { rules: [] }", "There is no `__proto__` in a policy."],
    ["a constructor", rule("answer: ask\nconstructor: x"), "There is no `constructor` in a rule."],
    ["an open quote", 'rules: "', "This is not YAML"],
    ["an unquoted star", rule("answer: ask\nmatch: { tool: *x }"), "A pattern that begins with * needs quotes."],
    ["too many rules", `rules:\n${"  - { answer: ask }\n".repeat(1001)}`, "There are more than 1000 rules."],
    ["a long text", rule(`answer: ask\nmessage: ${"x".repeat(3000)}`), "`message` has more than 2000 letters."],
    ["a long list", rule(`answer: ask\nmatch: { tool: [${"x,".repeat(600)}x] }`), "`tool` has more than 500 entries."],
  ])("with %s is refused", (_what, text, expected) => {
    expect(readPolicy({ text, file: "policy.yaml", kind: "user" }).ok).toBe(false);
    expect(told(text).join("\n")).toContain(expected);
  });

  it("of any kind is read, or refused with a reason, and never allows everything", () => {
    const words = fc.constantFrom(
      "rules:",
      "- ",
      "answer: allow",
      "answer: ask",
      "match: {",
      "}",
      "[",
      "]",
      "\n",
      "  ",
      "tool: x",
      "*a",
      "&a ",
      "!!x",
      "extends: guard",
      ":",
      '"',
      "'",
      "#",
      "|",
      "x",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 30 }).map((parts) => parts.join("")),
        ),
        (text) => {
          const reading = readPolicy({ text, file: "policy.yaml", kind: "user" });
          if (!reading.ok) expect(reading.troubles.length).toBeGreaterThan(0);
          else
            for (const { answer, match } of reading.policy.rules) expect(answer === "allow" && Object.keys(match).length === 0).toBe(false);
          for (const { line, column, message, hint } of reading.troubles)
            expect([line > 0, column > 0, message !== "", hint !== ""]).toEqual([true, true, true, true]);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("extends", () => {
  it("takes the rules of another file after one's own, and those of a preset under its name", () => {
    const others = (name: string) => (name === "./team.yaml" ? "extends: watch-only\nrules: [{ name: theirs, answer: deny }]" : undefined);
    const reading = readPolicy({
      text: "extends: ./team.yaml\nrules: [{ name: mine, answer: ask }]",
      file: "policy.yaml",
      kind: "user",
      others,
    });
    expect(reading.ok && reading.policy.rules.map(({ name, from }) => [name, from.file])).toEqual([
      ["mine", "policy.yaml"],
      ["theirs", "./team.yaml"],
      ["watch-only/everything", "watch-only"],
    ]);
  });

  it("ends when files extend one another", () => {
    const others = (name: string) => ({ "./a.yaml": "extends: ./b.yaml", "./b.yaml": "extends: ./a.yaml" })[name];
    expect(told("extends: ./a.yaml", "user", others).join("\n")).toContain(
      "`./a.yaml` extends itself, by way of policy.yaml → ./a.yaml → ./b.yaml.",
    );
    expect(told("extends: policy.yaml", "user", () => "rules: []").join("\n")).toContain("`policy.yaml` extends itself");
  });

  it("ends when there is no end", () => {
    let number = 0;
    expect(told("extends: ./0.yaml", "user", () => `extends: ./${++number}.yaml`).join("\n")).toContain("more than 5 steps");
  });

  it("says in which file something is wrong", () => {
    const { troubles } = readPolicy({
      text: "extends: ./x.yaml",
      file: "policy.yaml",
      kind: "user",
      others: () => "rules:\n  - answer: alow",
    });
    expect(troubles).toMatchObject([{ file: "./x.yaml", line: 2 }]);
  });
});

describe("a repository's own file", () => {
  it.each([
    ["{ name: x, match: { tool: Read }, answer: allow }", "The rule x is left out: it says allow."],
    ["{ name: x, answer: abstain }", "The rule x is left out: it says abstain."],
    ["{ name: x, answer: continue }", "The rule x is left out: it says continue."],
    ["{ name: x, match: { tool: Read }, answer: ask, unanswered: allow }", "The rule x is left out: it allows by silence."],
    ["{ name: x, match: { tool: Read }, answer: ask, updatedInput: { a: 1 } }", "The rule x is left out: it changes what runs."],
  ])("can only tighten: %s", (text, expected) => {
    const reading = readPolicy({
      text: `rules: [${text}, { name: kept, answer: deny }]`,
      file: ".earshot/policy.yaml",
      kind: "repository",
    });
    expect(reading.ok && reading.policy.rules.map(({ name }) => name)).toEqual(["kept"]);
    expect(reading.troubles).toMatchObject([{ severity: "warning", message: expected }]);
  });

  it("cannot loosen by way of a preset, either", () => {
    const reading = readPolicy({ text: "extends: [fewer-prompts, guard]", file: ".earshot/policy.yaml", kind: "repository" });
    expect(reading.ok && reading.policy.rules.every(({ answer }) => answer === "ask")).toBe(true);
    expect(reading.troubles).toHaveLength(2);
  });
});
