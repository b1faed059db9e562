import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bash, compiled, file, PLACES, policyOf } from "../../testing/policies.ts";
import type { PolicyInput } from "../asked.ts";
import { type Fallback, HOLDS, type HoldPolicy, type HookBehaviour } from "../behaviour.ts";
import { compilePolicy } from "../compile-with-re2.ts";
import { decideByPolicy } from "../decide.ts";
import { EMPTY_POLICY, type Policy, type PolicyRule, RULE_DEFAULTS, type RuleMatch } from "../policy.ts";
import { compareLooseness } from "./compare-looseness.ts";

const list = (...rules: readonly string[]) => policyOf(`rules: [${rules.join(", ")}]`);
const DENY = "{ name: deny, match: { command: git push }, answer: deny }";
const ASK = "{ name: ask, match: { command: git }, answer: ask }";
const ALLOW = "{ name: allow, match: { command: npm test }, answer: allow }";
const ABSTAIN = "{ name: abstain, match: { command: ls }, answer: abstain }";

describe("whether a policy lets more through than another", () => {
  it.each([
    ["nothing changed", [DENY, ASK], [DENY, ASK], false],
    ["a deny was added", [ASK], [DENY, ASK], false],
    ["a deny was added at the end", [ASK], [ASK, DENY], false],
    ["a deny was removed", [DENY, ASK], [ASK], true],
    ["an ask was added to nothing", [], [ASK], false],
    ["an ask was added behind a deny", [DENY], [DENY, ASK], false],
    ["an ask was put before a deny", [DENY], [ASK, DENY], true],
    ["an ask was removed", [ASK], [], true],
    ["an allow was added", [], [ALLOW], true],
    ["an allow was removed", [ALLOW, ASK], [ASK], false],
    ["an abstain was put before an ask", [ASK], [ABSTAIN, ASK], true],
    ["an abstain was removed before an allow", [ABSTAIN, ALLOW], [ALLOW], true],
    ["an abstain was removed before an ask", [ABSTAIN, ASK], [ASK], false],
    ["two rules changed places", [DENY, ASK], [ASK, DENY], true],
    ["an ask became a deny", [ASK], ["{ name: ask, match: { command: git }, answer: deny }"], false],
    ["a deny became an ask", [DENY], ["{ name: deny, match: { command: git push }, answer: ask }"], true],
    ["an ask became an allow", [ASK], ["{ name: ask, match: { command: git }, answer: allow }"], true],
    ["a rule got another name", [DENY], ["{ name: other, match: { command: git push }, answer: deny }"], false],
    ["a rule got another message", [DENY], ["{ name: deny, match: { command: git push }, answer: deny, message: No. }"], false],
    ["a deny matches more", [DENY], ["{ name: deny, match: { command: [git push, rm] }, answer: deny }"], false],
    [
      "a deny matches less",
      ["{ name: d, match: { command: [git push, rm] }, answer: deny }"],
      ["{ name: d, match: { command: rm }, answer: deny }"],
      true,
    ],
    ["a deny got another criterion", [DENY], ["{ name: deny, match: { command: git push, agent: claude }, answer: deny }"], true],
    [
      "a deny lost a criterion",
      ["{ name: d, match: { command: rm, agent: x }, answer: deny }"],
      ["{ name: d, match: { command: rm }, answer: deny }"],
      false,
    ],
    [
      "an allow matches less",
      ["{ name: a, match: { command: [npm test, ls] }, answer: allow }"],
      ["{ name: a, match: { command: ls }, answer: allow }"],
      false,
    ],
    ["an allow matches more", [ALLOW], ["{ name: allow, match: { command: [npm test, ls] }, answer: allow }"], true],
    ["an allow is for one agent only", [ALLOW], ["{ name: allow, match: { command: npm test, agent: claude }, answer: allow }"], false],
    ["an allow names a danger", [ALLOW], ["{ name: allow, match: { command: npm test, danger: any }, answer: allow }"], true],
    ["an allow names paths", [ALLOW], ["{ name: allow, match: { command: npm test, path: '{workspace}/**' }, answer: allow }"], true],
    ["an allow got an exception", [ALLOW], ["{ name: allow, match: { command: npm test }, except: { agent: x }, answer: allow }"], false],
    [
      "an allow lost an exception",
      ["{ name: a, match: { tool: x }, except: { agent: x }, answer: allow }"],
      ["{ name: a, match: { tool: x }, answer: allow }"],
      true,
    ],
    ["a deny got an exception", [DENY], ["{ name: deny, match: { command: git push }, except: { agent: x }, answer: deny }"], true],
    [
      "a deny lost an exception",
      ["{ name: d, match: { tool: x }, except: { agent: x }, answer: deny }"],
      ["{ name: d, match: { tool: x }, answer: deny }"],
      false,
    ],
    ["silence now denies", [ASK], ["{ name: ask, match: { command: git }, answer: ask, unanswered: deny }"], false],
    ["silence now allows", [ASK], ["{ name: ask, match: { command: git }, answer: ask, unanswered: allow }"], true],
    ["an unreachable hub now allows", [ASK], ["{ name: ask, match: { command: git }, answer: ask, unreachable: allow }"], true],
    ["an ask that allows by silence was added", [], ["{ name: x, match: { tool: x }, answer: ask, unanswered: allow }"], true],
    ["it is always held", [ASK], ["{ name: ask, match: { command: git }, answer: ask, hold: always }"], false],
    ["it is never held", [ASK], ["{ name: ask, match: { command: git }, answer: ask, hold: never }"], true],
    ["it is held longer", [ASK], ["{ name: ask, match: { command: git }, answer: ask, holdFor: 1h }"], false],
    [
      "silence allows sooner",
      ["{ name: x, match: { tool: x }, answer: ask, unanswered: allow }"],
      ["{ name: x, match: { tool: x }, answer: ask, unanswered: allow, holdFor: 10s }"],
      true,
    ],
    ["an input is changed", [ALLOW], ["{ name: allow, match: { command: npm test }, answer: allow, updatedInput: { a: 1 } }"], true],
    [
      "a deny became a block, which has no place before an action",
      [DENY],
      ["{ name: deny, match: { command: git push }, answer: block }"],
      true,
    ],
    [
      "an abstain, which is read narrowly, became an ask, which is not, before a deny",
      [ABSTAIN, "{ name: all, answer: deny }"],
      ["{ name: abstain, match: { command: ls }, answer: ask }", "{ name: all, answer: deny }"],
      true,
    ],
    ["everything is watched only", [ASK], ["{ name: w, answer: abstain, hold: never }"], true],
  ] as const)("%s", (_what, before, after, expected) => {
    expect(compareLooseness(list(...before), list(...after)).loosens).toBe(expected);
  });

  it("takes presets for what they say", () => {
    expect(compareLooseness(EMPTY_POLICY, policyOf("extends: guard")).loosens).toBe(false);
    expect(compareLooseness(policyOf("extends: guard"), EMPTY_POLICY).loosens).toBe(true);
    expect(compareLooseness(policyOf("extends: guard"), policyOf("extends: [fewer-prompts, guard]")).loosens).toBe(true);
    expect(compareLooseness(policyOf("extends: [fewer-prompts, guard]"), policyOf("extends: guard")).loosens).toBe(false);
    expect(compareLooseness(policyOf("extends: guard"), policyOf("")).loosens).toBe(true); // it asks about everything, and by other rules
    expect(compareLooseness(EMPTY_POLICY, policyOf("")).loosens).toBe(false);
  });

  it("tells each change so that one can judge it", () => {
    const { changes } = compareLooseness(list(DENY, ASK), list(ASK, ALLOW));
    expect(changes).toEqual([
      { kind: "removed", rule: "deny", loosens: true, told: "Removed. deny: deny, for command git push." },
      { kind: "added", rule: "allow", loosens: true, told: "Added. allow: allow, for command npm test." },
    ]);
  });
});

const ASKS: readonly PolicyInput[] = [
  bash("git push"),
  bash("git status"),
  bash("npm test"),
  bash("ls && git push -f"),
  bash("cat .env"),
  bash("npm test > log"),
  bash("$X"),
  bash("evil src/a.ts"),
  bash("ls", { agent: "codex" }),
  file("Read", "src/a.ts", "read"),
  file("Edit", "src/a.ts", "write"),
  { moment: "stop", agent: "claude" },
  { moment: "prompt", agent: "codex" },
  { moment: "confirmation", risk: "high" },
];

const matches: fc.Arbitrary<RuleMatch> = fc.record(
  {
    agent: fc.subarray(["claude", "codex"], { minLength: 1 }),
    command: fc.subarray(["git push", "git *", "npm test", "ls", "evil *"], { minLength: 1 }),
    path: fc.subarray(["{workspace}/**", "**/.env", "{workspace}/src/**"], { minLength: 1 }),
    access: fc.subarray(["read", "write"] as const, { minLength: 1 }),
    danger: fc.subarray(["any", "git-force-push"], { minLength: 1 }),
    tool: fc.subarray(["Bash", "Read", "Edit"], { minLength: 1 }),
    moment: fc.subarray(["action", "stop", "prompt"] as const, { minLength: 1 }),
    risk: fc.subarray(["high", "low"] as const, { minLength: 1 }),
  },
  { requiredKeys: [] },
);
const answers = fc.constantFrom<HookBehaviour>("allow", "deny", "ask", "defer", "block", "continue", "stop", "abstain");
const fallbacks = fc.constantFrom<Fallback>("ask", "deny", "allow");
const rules: fc.Arbitrary<PolicyRule> = fc
  .record({
    name: fc.constantFrom("a", "b", "c", "d", "e"),
    match: matches,
    except: fc.option(matches, { nil: undefined, freq: 4 }),
    answer: answers,
    unanswered: fallbacks,
    unreachable: fallbacks,
    hold: fc.constantFrom<HoldPolicy>(...HOLDS),
  })
  .map(({ except, ...rule }) => ({ ...RULE_DEFAULTS, from: { file: "x", line: 1 }, ...rule, ...(except === undefined ? {} : { except }) }));
const policies: fc.Arbitrary<Policy> = fc.array(rules, { maxLength: 4 }).map((all) => ({ rules: all }));

/** How much an answer permits, from everything to nothing. */
function openness(policy: Policy, asked: PolicyInput): readonly number[] {
  const { behaviour, hold, unanswered, unreachable } = decideByPolicy(compilePolicy(policy, { places: PLACES }), asked);
  const fallback = { allow: 0, ask: 2, deny: 3 };
  if (behaviour === "deny" || behaviour === "stop" || behaviour === "block") return [4, 3, 3];
  if (behaviour === "allow" || behaviour === "continue") return [0, 0, 0];
  if (behaviour === "abstain") return [hold === "never" ? 0.5 : 1, 1, 1];
  return [2, fallback[unanswered], fallback[unreachable]];
}

describe("by property", () => {
  it("what is not called looser lets nothing through that was held before", () => {
    const edits = fc.tuple(policies, rules, fc.nat(4), fc.nat(3));
    const pairs = fc.oneof(
      fc.tuple(policies, policies),
      edits.map(([policy, rule, at]) => [policy, { rules: policy.rules.toSpliced(at, 0, rule) }] as const),
      edits.map(([policy, , at]) => [policy, { rules: policy.rules.toSpliced(at, 1) }] as const),
      edits.map(([policy, rule, at, what]) => {
        const old = policy.rules[at];
        if (old === undefined) return [policy, policy] as const;
        const ways = [{ answer: rule.answer }, { match: { ...old.match, ...rule.match } }, { except: rule.match }, { match: rule.match }];
        return [policy, { rules: policy.rules.with(at, { ...old, ...ways[what] }) }] as const;
      }),
    );
    let tight = 0;
    fc.assert(
      fc.property(pairs, ([before, after]) => {
        if (compareLooseness(before, after).loosens) return;
        tight++;
        for (const asked of ASKS) {
          const [was, is] = [openness(before, asked), openness(after, asked)];
          for (const [index, value] of was.entries())
            expect(is[index], `${JSON.stringify([before, after, asked])}`).toBeGreaterThanOrEqual(value);
        }
      }),
      { numRuns: 3000 },
    );
    expect(tight).toBeGreaterThan(300);
  });

  it("adding a deny never loosens, wherever it is put; removing one always does", () => {
    fc.assert(
      fc.property(policies, rules, fc.nat(5), (policy, rule, at) => {
        const deny: PolicyRule = { ...rule, name: "new", answer: "deny" };
        const more = { rules: policy.rules.toSpliced(at, 0, deny) };
        expect(compareLooseness(policy, more).loosens).toBe(false);
        expect(compareLooseness(more, policy).loosens).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("a policy is as tight as itself", () => {
    fc.assert(
      fc.property(policies, (policy) => {
        expect(compareLooseness(policy, policy)).toEqual({ loosens: false, changes: [] });
      }),
    );
  });
});

describe("the asks that the property is tried on", () => {
  it("are decided in many ways", () => {
    const policy = compiled(`rules: [${[DENY, ASK, ALLOW, ABSTAIN].join(", ")}]`);
    expect(new Set(ASKS.map((asked) => decideByPolicy(policy, asked).behaviour)).size).toBeGreaterThanOrEqual(4);
  });
});
