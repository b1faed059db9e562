import { EarshotError } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { NAMES_WITH_ALERTS, readLiveQuery } from "./live-query.ts";

function problemOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (EarshotError.is(error)) return `${error.problem.code}: ${error.problem.message}`;
  }
  return "no problem";
}

describe("the query of a listener", () => {
  it("asks for everything from now on when it says nothing", () => {
    expect(readLiveQuery("/api/live", undefined)).toEqual({ after: "now", filter: {}, alerts: false });
    expect(readLiveQuery("/api/live?after=now", "")).toEqual({ after: "now", filter: {}, alerts: false });
  });

  it("names session, agent, protocols and types", () => {
    expect(readLiveQuery("/api/live?after=0&session=a%2Cb&agent=x+y&protocol=aop,aep&type=a.b,c.*&type=d", undefined)).toEqual({
      after: 0,
      filter: { session: "a,b", agent: "x y", protocol: ["aop", "aep"], type: ["a.b", "c.*", "d"] },
      alerts: false,
    });
  });

  it("asks for alerts where they are told", () => {
    expect(readLiveQuery("/api/live?alerts=1", undefined, NAMES_WITH_ALERTS).alerts).toBe(true);
    expect(problemOf(() => readLiveQuery("/api/live?alerts=yes", undefined, NAMES_WITH_ALERTS))).toContain("`alerts` takes 1");
    expect(problemOf(() => readLiveQuery("/api/live?alerts=1", undefined))).toContain("`alerts` is not known here");
  });

  it("resumes from the last id that was heard, since a browser repeats the address it began with", () => {
    expect(readLiveQuery("/api/live?after=0", "41").after).toBe(41);
  });

  it.each([
    ["after=-1", "`after` takes"],
    ["after=1.5", "`after` takes"],
    ["after=1e3", "`after` takes"],
    ["after=99999999999999999999", "`after` takes"],
    ["after=9007199254740993", "`after` takes"],
    ["after=", "`after` is empty"],
    ["after=1&after=2", "`after` was given more than once"],
    ["session=", "`session` is empty"],
    ["protocol=aop,otlp", "`protocol` takes"],
    ["protocol=constructor", "`protocol` takes"],
    ["type=a,,b", "`type` is empty"],
    ["type=a*b", "`type` takes a * at the end"],
    ["sesion=1", "`sesion` is not known here"],
    [`${"x".repeat(5000)}=1`, "` is not known here"],
  ])("is refused by name: %s", (query, message) => {
    expect(problemOf(() => readLiveQuery(`/api/live?${query}`, undefined))).toContain("WRONG_QUERY: `");
    expect(problemOf(() => readLiveQuery(`/api/live?${query}`, undefined))).toContain(message);
  });

  it("names the header when that is what is wrong", () => {
    expect(problemOf(() => readLiveQuery("/api/live", "abc"))).toContain("`Last-Event-ID` takes a position");
  });
});
