import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DeviceRecord } from "./access-state.ts";
import { type PairingSignal, type PairingState, stepPairing } from "./pairing.ts";
import { PAIRING_MS, Pairings } from "./pairings.ts";
import { createSpokenCode, normaliseSpokenCode } from "./spoken-code.ts";
import { TestDevice } from "./testing/test-device.ts";

function open() {
  const clock = { now: 1000 };
  const admitted: DeviceRecord[] = [];
  const credentials = {
    admit: (device: Pick<DeviceRecord, "name" | "role" | "key" | "admittedBy">) => {
      const record = { id: `d${admitted.length}`, createdAt: "", ...device };
      admitted.push(record);
      return record;
    },
  };
  return { clock, admitted, pairings: new Pairings(credentials, () => clock.now) };
}
const { key } = new TestDevice();

describe("an admission", () => {
  it("goes from the code over the number to a device", () => {
    const { pairings, admitted } = open();
    const { id, code } = pairings.offer("approver", "commands");
    const { secret, match } = pairings.claim(code, key, "Phone");
    expect(pairings.claimed(secret).state).toBe("claimed");
    expect(pairings.confirm(id, `${match.slice(0, 3)} ${match.slice(3)}`, "Browser")).toMatchObject({
      name: "Phone",
      role: "approver",
      admittedBy: "Browser",
    });
    expect(pairings.claimed(secret)).toMatchObject({ state: "admitted", device: "d0" });
    expect(admitted).toHaveLength(1);
    for (const again of [
      () => pairings.claim(code, key, "Other"),
      () => pairings.confirm(id, match, "Browser"),
      () => pairings.refuse(id),
    ]) {
      expect(again).toThrow();
    }
    expect(admitted).toHaveLength(1);
  });

  it("takes the spoken code as it is heard, and few wrong ones", () => {
    const { pairings, clock } = open();
    const { spoken, code } = pairings.offer("viewer", "commands");
    for (let guess = 0; guess < 5; guess++)
      expect(() => pairings.claim(`apple apple apple 0${guess} wrong`, key, "Phone")).toThrow(/wrong/);
    expect(() => pairings.claim(spoken, key, "Phone")).toThrow(/Too many/);
    expect(pairings.claim(code, key, "Phone")).toMatchObject({ role: "viewer" });
    clock.now += PAIRING_MS;
    const next = pairings.offer("viewer", "commands");
    expect(pairings.claim(` ${next.spoken.toUpperCase().replaceAll(" ", " - ")} `, key, "Phone")).toMatchObject({ role: "viewer" });
  });

  it("ends after three wrong numbers", () => {
    const { pairings, admitted } = open();
    const { id, code } = pairings.offer("approver", "commands");
    const { match, secret } = pairings.claim(code, key, "Phone");
    for (let guess = 0; guess < 3; guess++) expect(() => pairings.confirm(id, "", "Browser")).toThrow(/not the number/);
    expect(() => pairings.confirm(id, match, "Browser")).toThrow(/over/);
    expect(pairings.claimed(secret).state).toBe("refused");
    expect(admitted).toEqual([]);
  });

  it("ends after five minutes, before and after it was claimed", () => {
    const { pairings, clock, admitted } = open();
    const claimed = pairings.offer("viewer", "commands");
    const { secret, match } = pairings.claim(claimed.code, key, "Phone");
    const offered = pairings.offer("viewer", "commands");
    clock.now += PAIRING_MS;
    expect(() => pairings.claim(offered.code, key, "Phone")).toThrow(/expired/);
    expect(() => pairings.confirm(claimed.id, match, "Browser")).toThrow(/expired/);
    expect(() => pairings.admitClaimed(secret, "the PIN")).toThrow(/expired/);
    expect(pairings.open).toEqual([]);
    expect(admitted).toEqual([]);
  });

  it("is not confirmed before anybody claimed it, whatever number is given", () => {
    const { pairings } = open();
    const { id } = pairings.offer("viewer", "commands");
    for (const match of ["", "000000"]) expect(() => pairings.confirm(id, match, "Browser")).toThrow(/Nobody/);
  });

  it("never comes back from its end, whatever happens in whatever order", () => {
    const signals = fc.array(fc.constantFrom<PairingSignal>("claim", "confirm", "refuse", "time-out"), { maxLength: 12 });
    fc.assert(
      fc.property(signals, (all) => {
        let state: PairingState = "offered";
        let admissions = 0;
        for (const signal of all) {
          const next = stepPairing(state, signal);
          if (typeof next !== "string") continue;
          if (["admitted", "refused", "expired"].includes(state)) return false;
          if (next === "admitted") admissions++;
          if (next === "admitted" && state !== "claimed") return false;
          state = next;
        }
        return admissions <= 1;
      }),
    );
  });
});

describe("spoken codes", () => {
  it("differ, and read back as they were made", () => {
    const codes = Array.from({ length: 500 }, createSpokenCode);
    expect(new Set(codes).size).toBe(500);
    for (const code of codes) expect(normaliseSpokenCode(code)).toBe(code);
    expect(normaliseSpokenCode("Tiger, MAPLE  lantern 4 2")).toBe("tiger maple lantern 42");
  });
});
