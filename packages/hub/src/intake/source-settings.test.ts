import { describe, expect, it } from "vitest";
import { createSettings, readCapture, readSourceSelector } from "./source-settings.ts";

const source = (protocol: "aaep" | "aep" | "aop", name: string) => ({ protocol, name, verified: false });

describe("what is kept of a source", () => {
  it("is everything, with secrets masked, unless it is said otherwise", () => {
    expect(createSettings({})(source("aop", "local"))).toEqual({ redact: true, capture: "full" });
  });

  it("is what is said of it most particularly", () => {
    const settings = createSettings({ all: { capture: "summary" }, aop: { capture: "minimal" }, "aop/local": { redact: false } });
    expect(settings(source("aep", "local"))).toEqual({ redact: true, capture: "summary" });
    expect(settings(source("aop", "other"))).toEqual({ redact: true, capture: "minimal" });
    expect(settings(source("aop", "local"))).toEqual({ redact: false, capture: "minimal" });
  });

  it("is the same when it is asked again, for each protocol and name", () => {
    const settings = createSettings({ aop: { capture: "minimal" }, "aep/local": { redact: false } });
    const ask = () => (["aaep", "aep", "aop"] as const).map((protocol) => settings(source(protocol, "local")));
    const first = ask();
    expect(first.map(({ redact, capture }) => [redact, capture])).toEqual([
      [true, "full"],
      [false, "full"],
      [true, "minimal"],
    ]);
    expect(ask()).toEqual(first);
    expect(settings(source("aep", "other"))).toEqual({ redact: true, capture: "full" });
  });

  it.each([
    ["minimal", ["all", "minimal"]],
    ["aop=summary", ["aop", "summary"]],
    ["aep/ci=full", ["aep/ci", "full"]],
  ])("is read from %s", (text, expected) => {
    expect(readCapture(text)).toEqual(expected);
  });

  it.each(["", "some", "aop=", "aop=some", "http=full", "=full"])("is not read from %j", (text) => {
    expect(() => readCapture(text)).toThrow(expect.objectContaining({ problem: expect.objectContaining({ code: "WRONG_USAGE" }) }));
  });

  it("names no source that does not exist", () => {
    expect(readSourceSelector("aaep/local")).toBe("aaep/local");
    expect(() => readSourceSelector("http")).toThrow();
  });
});
