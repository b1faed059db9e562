import { EarshotError } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { IntakeAdmission } from "./admission.ts";

const LIMITS = { queueBytes: 100, sourceShare: 0.75 };

function codeOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return EarshotError.is(error) ? error.problem.code : "another error";
  }
}

describe("admission", () => {
  it("lets in what fits, refuses what does not, and has room again after a release", () => {
    const admission = new IntakeAdmission(LIMITS);
    admission.admit("a", 60);
    admission.admit("b", 40);
    expect(codeOf(() => admission.admit("b", 1))).toBe("OVERLOADED");
    admission.release("a", 60);
    admission.admit("b", 1);
    expect(admission.waitingBytes).toBe(41);
  });

  it("leaves room for others when one source takes its share", () => {
    const admission = new IntakeAdmission(LIMITS);
    admission.admit("greedy", 75);
    expect(codeOf(() => admission.admit("greedy", 1))).toBe("OVERLOADED");
    admission.admit("other", 25);
  });

  it("lets in anything when nothing waits, however large", () => {
    const admission = new IntakeAdmission(LIMITS);
    admission.admit("a", 1000);
    expect(codeOf(() => admission.admit("b", 1))).toBe("OVERLOADED");
    admission.release("a", 1000);
    expect(admission.waitingBytes).toBe(0);
  });

  it("lets streams wait, and enter in the order of asking", async () => {
    const admission = new IntakeAdmission(LIMITS);
    const entered: string[] = [];
    admission.admit("a", 60);
    const waiting = ["first", "second", "third"].map((name) =>
      admission.admitSoon("b", 30, 60_000).then(() => {
        entered.push(name);
      }),
    );
    await waiting[0];
    expect(entered).toEqual(["first"]);
    admission.release("a", 60);
    await waiting[1];
    expect(entered).toEqual(["first", "second"]);
    admission.release("b", 30);
    await waiting[2];
    expect(entered).toEqual(["first", "second", "third"]);
    expect(admission.waitingBytes).toBe(60);
  });

  it("does not let a source that waits for its share hold up another", async () => {
    const admission = new IntakeAdmission(LIMITS);
    admission.admit("greedy", 75);
    const greedy = admission.admitSoon("greedy", 50, 60_000);
    const other = admission.admitSoon("other", 20, 60_000);
    admission.admit("other", 5);
    admission.release("other", 5);
    await other;
    admission.release("greedy", 75);
    await greedy;
    expect(admission.waitingBytes).toBe(70);
  });

  it("refuses a stream that there was no room for in the end, and keeps no place for it", async () => {
    const admission = new IntakeAdmission(LIMITS);
    admission.admit("a", 70);
    await expect(admission.admitSoon("b", 40, 1)).rejects.toMatchObject({ problem: { code: "OVERLOADED" } });
    admission.release("a", 70);
    expect(admission.waitingBytes).toBe(0);
  });
});
