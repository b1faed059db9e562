import type { JsonValue } from "@earshot/protocol/json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkExpects } from "./mapping/check-expects.ts";
import { FIELD_KINDS } from "./mapping/field-kinds.ts";
import { coversField } from "./mapping/read-entry.ts";
import { AGENT_FOLDERS, type AgentSample, errorsIn, mapAt } from "./testing/agent-folders.ts";
import { EXPECTED } from "./testing/expected.ts";
import { leafPathsOf, replaceMember } from "./testing/leaves.ts";

/** Fields the mapping engine fills in itself, so no mapping file names them. */
const FILLED_IN = new Set(["id", "time", "hook", "agent.slug", "agent.display_name", "action.type", "action.status", "tool.type"]);

describe("the agents", () => {
  for (const { slug, file, mapping, answers, samples } of AGENT_FOLDERS) {
    const { entries, ignored, gaps } = file.mapping;
    const hooks = [...new Set([...entries.flatMap((entry) => entry.hooks), ...ignored.map(({ hook }) => hook)])];

    describe(slug, () => {
      it("has files that name it, and meets its own expectations", () => {
        expect([file.mapping.agent, answers.agent]).toEqual([slug, slug]);
        expect(file.expects.length).toBeGreaterThan(1);
        expect(checkExpects(file)).toEqual([]);
      });

      it("has answers for every hook, and a sample of each", () => {
        expect(answers.hooks.flatMap((one) => one.hooks).sort()).toEqual(hooks.sort());
        const sampled = new Set(samples.map(({ hook }) => mapping.resolveHook(hook) ?? hook));
        const spelledOtherwise = new Set([...sampled].map((hook) => hook.replaceAll("_", "").toLowerCase()));
        const unsampled = hooks.filter((hook) => !spelledOtherwise.has(hook.replaceAll("_", "").toLowerCase()));
        expect(unsampled.filter((hook) => !["shell.env", "experimental.session.compacting"].includes(hook))).toEqual([]);
      });

      it("says of every field of AEP where it comes from, or that it does not", () => {
        const fields = [...Object.keys(FIELD_KINDS).filter((field) => !/[N*]/.test(field)), "metrics.duration_ms"];
        const filled = new Set(entries.flatMap((entry) => entry.fields.map(({ path }) => path)));
        const allGaps = [...gaps, ...entries.flatMap((entry) => entry.gaps)];
        const silent = fields.filter(
          (field) => !filled.has(field) && !FILLED_IN.has(field) && !allGaps.some((gap) => coversField(gap.field, field)),
        );
        expect(silent).toEqual([]);
      });

      it("gives a reason for every gap and every hook that is left out", () => {
        for (const { reason } of [...gaps, ...ignored, ...entries.flatMap((entry) => entry.gaps)])
          expect(reason.length).toBeGreaterThan(10);
      });

      it.each(samples)("maps $name to the right type, without an error", (sample) => {
        const { events, nothing } = mapAt(mapping, sample.payload, sample.hook);
        expect(events.map(({ event }) => event.type).join(" ")).toBe(expectedFor(slug, sample));
        expect(nothing === undefined).toBe(events.length > 0);
        for (const { event } of events) {
          expect(errorsIn(event)).toEqual([]);
          expect(event.agent.slug).toBe(slug);
        }
      });

      it("maps valid events, or says why none, whatever leaf is missing or of another kind", () => {
        for (const { payload, hook } of samples) {
          for (const leaf of leafPathsOf(payload)) {
            for (const instead of [undefined, null, "", 7, true, [], {}, "\u0000", "\ud800", "x".repeat(2000)])
              expectSound(replaceMember(payload, leaf, instead), hook);
          }
        }
      });

      it("never throws, for any JSON under any hook", () => {
        const hookNames = fc.option(fc.oneof(fc.constantFrom(...hooks), fc.string()), { nil: undefined });
        fc.assert(fc.property(fc.jsonValue(), hookNames, (payload, hook) => expectSound(payload as JsonValue, hook)));
      });

      it("never throws, for any JSON in the place of a leaf", () => {
        const cases = fc.record({ sample: fc.constantFrom(...samples), at: fc.nat(), value: fc.jsonValue() });
        fc.assert(
          fc.property(cases, ({ sample, at, value }) => {
            const leaves = leafPathsOf(sample.payload);
            const leaf = leaves[at % Math.max(1, leaves.length)];
            if (leaf !== undefined) expectSound(replaceMember(sample.payload, leaf, value as JsonValue), sample.hook);
          }),
        );
      });
    });

    function expectSound(payload: JsonValue, hook: string | undefined): void {
      const { events, nothing } = mapAt(mapping, payload, hook);
      if (events.length === 0) expect(nothing?.message).toMatch(/\S/);
      for (const { event } of events) {
        const errors = errorsIn(event);
        if (errors.length > 0) expect({ payload, errors }).toEqual({ payload, errors: [] });
      }
    }
  }
});

function expectedFor(slug: string, { name, hook }: AgentSample): string | undefined {
  const expected = EXPECTED.find((one) => one.slug === slug)?.types;
  return expected?.[name] ?? expected?.[hook];
}
