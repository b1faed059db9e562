import { CORE_TYPES } from "@earshot/protocol";
import { matchesPattern } from "@earshot/protocol/aaep-names";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFilter, isPattern } from "./compile-terms.ts";
import { implicitTerms } from "./negotiate.ts";

describe("terms", () => {
  it("of somebody who asked for nothing are those of the protocol", () => {
    const terms = implicitTerms();
    expect(terms.maxEventsPerSecond).toBe(Number.POSITIVE_INFINITY);
    expect(terms.boundaries).toEqual(new Set(["sentence", "completion"]));
    expect([terms.admits("aaep:agent.state.changed"), terms.admits("medai:x")]).toEqual([true, false]);
  });
});

const types = [...CORE_TYPES.map((type) => `aaep:${type}`), "medai:patient.consulted", "medai:x", "https://else.example/x"];
const patterns = fc.oneof(
  fc.constantFrom(...types),
  fc.constantFrom(...types).chain((type) => fc.nat(type.length).map((length) => `${type.slice(0, length)}*`)),
);

describe("a filter", () => {
  it("lets pass what is included and not excluded, whatever the order", () => {
    fc.assert(
      fc.property(fc.array(patterns), fc.array(patterns), fc.constantFrom(...types), (include, exclude, type) => {
        const matches = (pattern: string) =>
          pattern.endsWith("*")
            ? type.startsWith(pattern.slice(0, -1)) || (pattern.endsWith(".*") && `${type}.` === pattern.slice(0, -1))
            : pattern === type;
        const admits = createFilter({ include, exclude });
        const expected = include.some(matches) && !exclude.some(matches);
        expect([admits(type), admits(type)]).toEqual([expected, expected]);
        expect(createFilter({ include: [...include].reverse(), exclude: [...exclude].reverse() })(type)).toBe(expected);
      }),
    );
  });

  it("gives exclusion the last word", () => {
    const admits = createFilter({ include: ["aaep:agent.tool.invoked"], exclude: ["aaep:agent.tool.*"] });
    expect(admits("aaep:agent.tool.invoked")).toBe(false);
  });

  it("includes nothing of an extension unless it is named", () => {
    expect(createFilter({ include: ["aaep:agent.*"], exclude: [] })("medai:patient.consulted")).toBe(false);
    expect(createFilter({ include: ["medai:*"], exclude: [] })("medai:patient.consulted")).toBe(true);
  });

  it("understands core types that are written in full", () => {
    const admits = createFilter({ include: ["aaep:agent.*"], exclude: ["https://aaep-protocol.org/types/agent.tool.*"] });
    expect([admits("aaep:agent.tool.invoked"), admits("aaep:agent.state.changed")]).toEqual([false, true]);
  });

  it("knows a star at the end only", () => {
    expect(["aaep:agent.*", "*", "aaep:agent.tool.invoked"].every(isPattern)).toBe(true);
    expect(["aaep:*.tool", "**"].some(isPattern)).toBe(false);
    expect(matchesPattern("aaep:agent.tool.*", "aaep:agent.toolbox")).toBe(false);
    expect(matchesPattern("aaep:agent.tool.*", "aaep:agent.tool")).toBe(true);
  });
});
