import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PAIRING_MS, Pairings } from "./pairing.ts";
import type { DeviceRecord } from "./store.ts";
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
    for (const match of ["", "000000"]) expect(() => pairings.confirm(id, match, "Browser")).toThrow(/not been used yet/);
  });

  it("is admitted at most once, and never after another end, whatever happens in whatever order", () => {
    const actions = fc.array(fc.constantFrom("claim", "confirm", "admit", "refuse", "wait"), { maxLength: 12 });
    fc.assert(
      fc.property(actions, (all) => {
        const { pairings, clock, admitted } = open();
        const { id, code } = pairings.offer("viewer", "commands");
        let claim = { secret: "", match: "" };
        const act: Readonly<Record<string, () => void>> = {
          claim: () => {
            claim = pairings.claim(code, key, "Phone");
          },
          confirm: () => pairings.confirm(id, claim.match, "Browser"),
          admit: () => pairings.admitClaimed(claim.secret, "the PIN"),
          refuse: () => pairings.refuse(id),
          wait: () => {
            clock.now += PAIRING_MS / 2;
          },
        };
        let isOver = false;
        for (const action of all) {
          const before = admitted.length;
          try {
            act[action]?.();
          } catch {
            // Refused.
          }
          if (isOver && admitted.length > before) return false;
          isOver ||= pairings.open.length === 0;
        }
        return admitted.length <= 1;
      }),
    );
  });
});
