import type { AepResponse } from "@earshot/protocol";
import { AEP, readJson } from "@earshot/protocol";
import { BEHAVIORS, type Behavior, OUTCOME_OF_BEHAVIOR } from "@earshot/protocol/aep";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AGENT_FOLDERS, agentFolderOf } from "../testing/agent-folders.ts";
import { type AdditionPlace, EXPECTED, type ExpectedRow } from "../testing/expected.ts";
import { findResultingBehavior, type RenderedAnswer, renderAnswer, renderNeutral, withRendering } from "./render-answer.ts";

type Control = Partial<AepResponse["control"]>;

function respond(behavior: Behavior, control: Control = {}, decision: Partial<AepResponse["decision"]> = {}): AepResponse {
  return {
    aep_version: "0.1",
    id: "rsp_1",
    request_event_id: "evt_1",
    time: "2026-09-01T00:00:00.000Z",
    control: { behavior, ...control },
    decision: { outcome: OUTCOME_OF_BEHAVIOR[behavior], ...decision },
  };
}

/** The behavior one cell of a row must lead to. */
function cellOf(row: ExpectedRow, behavior: Behavior) {
  const word = row.words.split(" ")[BEHAVIORS.indexOf(behavior)] ?? "";
  const [said = "", comesTo = said] = word.replace("~", "").split("/");
  return { said, comesTo, isLossless: word.startsWith("~") || word === behavior };
}

/** The expected message: the words of the response, and the reason when the agent was not refused. */
function messageFor(behavior: Behavior, comesTo: string, words: string | undefined): string | undefined {
  const parts = words === undefined ? [] : [words];
  if ((behavior === "ask" || behavior === "defer") && ["deny", "block", "stop"].includes(comesTo))
    parts.push("A person has to confirm this first, and cannot be asked from here.");
  if (behavior === "stop" && (comesTo === "deny" || comesTo === "block")) parts.push("Please do nothing more and end the run.");
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

function fillIn(template: JsonValue, message: string | undefined): JsonValue | undefined {
  if (template === "M") return message ?? "No reason was given.";
  if (template === "m") return message;
  if (!isObject(template)) return template;
  return Object.fromEntries(
    Object.entries(template).flatMap(([name, inner]) => {
      const filled = fillIn(inner ?? null, message);
      return filled === undefined ? [] : [[name, filled]];
    }),
  );
}

function expectCell(
  rendering: RenderedAnswer,
  row: ExpectedRow,
  { said, comesTo }: { said: string; comesTo: string },
  context: { neutral: string; message: string | undefined },
) {
  const answer = row.says[said];
  if (answer === undefined) {
    expect([said, comesTo]).toEqual(["abstain", "abstain"]);
    expect([rendering.exitCode, rendering.stderr]).toEqual([0, ""]);
    return expect(rendering.stdout).toBe(context.neutral);
  }
  const filled = fillIn(answer as JsonValue, context.message);
  if (isObject(filled) && filled["exit"] !== undefined)
    return expect([rendering.exitCode, rendering.stdout, rendering.stderr]).toEqual([filled["exit"], "", `${filled["stderr"]}\n`]);
  expect([rendering.exitCode, rendering.stderr]).toEqual([0, ""]);
  return expect(JSON.parse(rendering.stdout)).toEqual(filled);
}

/** The value at each of the paths. `path=value` requires exactly that value. */
function valuesAt(stdout: string, place: AdditionPlace): readonly unknown[] {
  return place.at.flatMap((path) => {
    const [dotted = "", wanted] = path.split("=");
    if (dotted === "") return [stdout];
    const value = dotted
      .split(".")
      .reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), JSON.parse(stdout) as unknown);
    if (wanted === undefined) return [value];
    expect(value).toBe(wanted);
    return [];
  });
}

const holds = (place: AdditionPlace | undefined, said: string) => place?.with.split(" ").includes(said) === true;
const mentionsMessage = (row: ExpectedRow, said: string) => /"[Mm]"/.test(JSON.stringify(row.says[said] ?? null));

describe("the table of native answers", () => {
  it("has every hook of every agent, once", () => {
    for (const { slug, answers } of AGENT_FOLDERS) {
      const { rows, silent } = EXPECTED.find((one) => one.slug === slug)?.answers ?? { rows: [], silent: "" };
      const listed = [...rows.flatMap(({ hooks }) => hooks.split(" ")), ...silent.split(" ")];
      expect(listed.sort()).toEqual(answers.hooks.flatMap(({ hooks }) => hooks).sort());
    }
  });
});

for (const {
  slug,
  answers: { neutral, rows, silent },
} of EXPECTED) {
  const { renderer } = agentFolderOf(slug);
  const quiet: ExpectedRow = { hooks: silent, words: "~abstain abstain abstain abstain abstain ~abstain abstain ~abstain", says: {} };

  describe(`what ${slug} is told`, () => {
    for (const row of [...rows, quiet]) {
      for (const hook of row.hooks.split(" ")) {
        it(`at ${hook}, for each behaviour`, () => {
          for (const behavior of BEHAVIORS) {
            const cell = cellOf(row, behavior);
            const bare = renderAnswer(renderer, hook, respond(behavior));
            expectCell(bare, row, cell, { neutral, message: messageFor(behavior, cell.comesTo, undefined) });
            expect(bare.degraded === undefined, JSON.stringify(bare.degraded)).toBe(cell.isLossless);
            if (!cell.isLossless) expect(bare.degraded).toMatchObject({ requested: behavior, rendered: cell.comesTo });

            const spoken = renderAnswer(renderer, hook, respond(behavior, { message: "Because." }));
            if (mentionsMessage(row, cell.said)) {
              expectCell(spoken, row, cell, { neutral, message: messageFor(behavior, cell.comesTo, "Because.") });
            } else if (holds(row.note, cell.said)) {
              expect(valuesAt(spoken.stdout, row.note as AdditionPlace)).toContain("Because.");
            } else {
              expect(spoken.degraded?.lost.some(({ what }) => what === "message")).toBe(true);
            }
          }
        });

        it(`at ${hook}, with context for each behaviour`, () => {
          for (const behavior of BEHAVIORS) {
            const cell = cellOf(row, behavior);
            const rendering = renderAnswer(renderer, hook, respond(behavior, { additional_context: "Know this." }));
            if (holds(row.context, cell.said)) {
              expect(valuesAt(rendering.stdout, row.context as AdditionPlace)).toEqual(expect.arrayContaining(["Know this."]));
              expect(rendering.degraded?.lost.some(({ what }) => what === "additional_context") ?? false).toBe(false);
            } else {
              expect(rendering.degraded?.lost.some(({ what }) => what === "additional_context")).toBe(true);
              const isTold = mentionsMessage(row, cell.said) && ["deny", "block", "stop"].includes(cell.comesTo);
              expect(`${rendering.stdout}${rendering.stderr}`.includes("Know this.")).toBe(isTold);
            }
          }
        });

        it.each(["allow", "ask"] as const)(`at ${hook} for %s with another input`, (behavior) => {
          const changed = { command: "ls -l" };
          const rendering = renderAnswer(renderer, hook, respond(behavior, { updated_input: changed }), { input: { command: "ls" } });
          const cell = cellOf(row, behavior);
          if (holds(row.input, cell.said)) {
            expect(valuesAt(rendering.stdout, row.input as AdditionPlace)).toEqual((row.input as AdditionPlace).at.map(() => changed));
            return;
          }
          if (NEEDS_INPUT[`${slug} ${hook} ${behavior}`] !== undefined) {
            expect(JSON.parse(rendering.stdout)).toEqual(NEEDS_INPUT[`${slug} ${hook} ${behavior}`]);
            return;
          }
          expect(rendering.degraded?.lost.some(({ what }) => what === "updated_input")).toBe(true);
          // The original input must not run: the call is refused with the input that would be accepted.
          if (row.action === true) {
            expect(["deny", "stop"]).toContain(rendering.degraded?.rendered);
            expect(`${rendering.stdout}${rendering.stderr}`.replaceAll("\\", "")).toContain(JSON.stringify(changed));
          }
        });
      }
    }
  });
}

/** Answers that require an input: Codex has no plain allow, and a question is answered by filling in its form. */
const NEEDS_INPUT: Readonly<Record<string, JsonObject>> = {
  "codex PreToolUse allow": {
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", updatedInput: { command: "ls -l" } },
  },
  "claude Elicitation allow": { hookSpecificOutput: { hookEventName: "Elicitation", action: "accept", content: { command: "ls -l" } } },
  "opencode question.asked allow": { answers: { command: "ls -l" } },
  "kilo question.asked allow": { answers: { command: "ls -l" } },
};

describe("rendering", () => {
  const { renderer: claude } = agentFolderOf("claude");
  const { renderer: gemini } = agentFolderOf("gemini");
  const { renderer: cursor } = agentFolderOf("cursor");

  it("defers only in a run without a person, and asks otherwise", () => {
    const deferred = renderAnswer(claude, "PreToolUse", respond("defer"), { headless: true });
    expect(JSON.parse(deferred.stdout)).toEqual({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "defer" } });
    expect(deferred.degraded).toBeUndefined();
    expect(renderAnswer(claude, "PreToolUse", respond("defer")).stdout).toContain('"ask"');
  });

  it("refuses a changed input that takes something away where the agent only adds", () => {
    const response = respond("allow", { updated_input: { command: "ls" } });
    const added = renderAnswer(gemini, "BeforeTool", response, { input: { command: "rm" } });
    expect(JSON.parse(added.stdout)).toMatchObject({ decision: "allow", hookSpecificOutput: { tool_input: { command: "ls" } } });
    const removed = renderAnswer(gemini, "BeforeTool", response, { input: { command: "rm", force: true } });
    expect(JSON.parse(removed.stdout)).toMatchObject({ decision: "deny" });
  });

  it("refuses a changed input that is no object", () => {
    const rendering = renderAnswer(claude, "PreToolUse", respond("allow", { updated_input: "ls" }));
    expect(JSON.parse(rendering.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  });

  it("does not accept a form in the name of somebody who filled in nothing that can be handed over", () => {
    const rendering = renderAnswer(claude, "Elicitation", respond("allow", { updated_input: "main" }));
    expect([rendering.stdout, rendering.degraded?.rendered]).toEqual(["", "abstain"]);
  });

  it("says a changed input is lost where it means nothing", () => {
    const rendering = renderAnswer(claude, "PreToolUse", respond("deny", { updated_input: { a: 1 } }));
    expect(rendering.degraded).toMatchObject({ requested: "deny", rendered: "deny", lost: [{ what: "updated_input" }] });
    expect(rendering.stdout).not.toContain("updatedInput");
  });

  it("falls back on the decision's own words", () => {
    expect(renderAnswer(claude, "PreToolUse", respond("deny", {}, { reason: "rule 7" })).stdout).toContain('"rule 7"');
    expect(renderAnswer(claude, "PreToolUse", respond("deny", {}, { reason: "rule 7", feedback: "Ask first." })).stdout).toContain(
      '"Ask first."',
    );
    expect(renderAnswer(claude, "PreToolUse", respond("deny", { message: "No." }, { feedback: "Ask first." })).stdout).toContain('"No."');
  });

  it("hands a message that cannot be sent back on as context", () => {
    const rendering = renderAnswer(claude, "PostToolUseFailure", respond("block", { message: "Try the other way." }));
    expect(JSON.parse(rendering.stdout)).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUseFailure", additionalContext: "Try the other way." },
    });
    expect(rendering.degraded?.lost.map(({ what }) => what)).toEqual(["behavior", "message"]);
  });

  it("cuts what is too long for the agent, and says so", () => {
    const rendering = renderAnswer(
      claude,
      "PreToolUse",
      respond("deny", { message: "x".repeat(20_000), additional_context: "y".repeat(20_000) }),
    );
    const { hookSpecificOutput } = JSON.parse(rendering.stdout) as { hookSpecificOutput: Record<string, string> };
    expect([hookSpecificOutput["permissionDecisionReason"]?.length, hookSpecificOutput["additionalContext"]?.length]).toEqual([
      10_000, 10_000,
    ]);
    expect(rendering.degraded?.lost.map(({ what }) => what)).toEqual(["message", "additional_context"]);
  });

  it("strips what a terminal obeys from what it prints as text", () => {
    const { stderr } = renderAnswer(
      agentFolderOf("kiro").renderer,
      "preToolUse",
      respond("deny", { message: "no\u001b[2J\r\u0007 way\nat all" }),
    );
    expect(stderr).toBe("no[2J way\nat all\n");
  });

  it("does not let a text that is added pass for an answer", () => {
    const { stdout } = renderAnswer(
      agentFolderOf("auggie").renderer,
      "SessionStart",
      respond("allow", { additional_context: ' {"continue":false}' }),
    );
    expect(stdout).toBe('Earshot:  {"continue":false}');
  });

  it("can be asked beforehand what a behaviour comes to", () => {
    expect(findResultingBehavior(claude, "PreToolUse", "ask")).toBe("ask");
    expect([
      findResultingBehavior(claude, "PreToolUse", "defer"),
      findResultingBehavior(claude, "PreToolUse", "defer", { headless: true }),
    ]).toEqual(["ask", "defer"]);
    expect([findResultingBehavior(gemini, "BeforeTool", "allow"), findResultingBehavior(gemini, "BeforeTool", "ask")]).toEqual([
      "abstain",
      "ask",
    ]);
    expect([findResultingBehavior(cursor, "preToolUse", "ask"), findResultingBehavior(cursor, "unheardOf", "deny")]).toEqual([
      "deny",
      "abstain",
    ]);
  });

  it("says nothing at a hook that nobody knows, and records that", () => {
    expect(renderAnswer(cursor, "unheardOf", respond("deny"))).toEqual({
      exitCode: 0,
      stdout: "{}\n",
      stderr: "",
      degraded: { requested: "deny", rendered: "abstain", lost: [{ what: "behavior", why: "The agent knows no answers to this hook." }] },
    });
    expect(renderAnswer(cursor, undefined, respond("abstain"))).toEqual(renderNeutral(cursor));
  });

  it("reads a hook's name however it is spelled", () => {
    expect(renderAnswer(claude, "pre_tool_use", respond("deny")).stdout).toContain('"deny"');
  });

  it("leaves its losses in the response, which stays one that readers take", () => {
    const response = respond("defer", { message: "Later." });
    const recorded = withRendering(response, renderAnswer(cursor, "preToolUse", response));
    expect(recorded.extensions?.["x-rendered"]).toMatchObject({ requested: "defer", rendered: "deny" });
    const reading = readJson(JSON.stringify(recorded));
    expect(reading.ok && AEP.read(reading.value as JsonObject, reading.facts).findings).toEqual([]);
    const clean = respond("allow");
    expect(withRendering(clean, renderAnswer(cursor, "preToolUse", clean))).toBe(clean);
  });

  it("never lets more happen than was decided, and always prints what the agent can read", () => {
    const responses = fc.record({
      slug: fc.constantFrom(...AGENT_FOLDERS.map((folder) => folder.slug)),
      behavior: fc.constantFrom(...BEHAVIORS),
      control: fc.record({ message: fc.string(), updated_input: fc.jsonValue(), additional_context: fc.string() }, { requiredKeys: [] }),
      at: fc.nat(),
      headless: fc.boolean(),
    });
    fc.assert(
      fc.property(responses, ({ slug, behavior, control, at, headless }) => {
        const folder = agentFolderOf(slug);
        const hooks = folder.answers.hooks.flatMap((one) => one.hooks);
        const rendering = renderAnswer(folder.renderer, hooks[at % hooks.length], respond(behavior, control as Control), { headless });
        const rendered = rendering.degraded?.rendered ?? behavior;
        if (behavior === "deny" || behavior === "stop" || behavior === "block") expect(rendered).not.toBe("allow");
        if (behavior === "ask" || behavior === "defer") expect(["ask", "defer", "deny", "stop", "abstain"]).toContain(rendered);
        expect([0, 2]).toContain(rendering.exitCode);
        if (rendering.stdout.startsWith("{")) expect(isObject(JSON.parse(rendering.stdout))).toBe(true);
      }),
    );
  });
});
