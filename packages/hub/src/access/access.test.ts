import { readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { APPROVER_RESET_DELAY_MS } from "./approver-reset.ts";
import { TICKET_MS } from "./credentials.ts";
import { START_CODE_MS } from "./pairing.ts";
import { createPinVerifier } from "./pin-key.ts";
import { openTestAccess, requestTo, signPin, TEST_TOKENS } from "./testing/test-access.ts";
import { TEST_PIN_RECORD, TestDevice } from "./testing/test-device.ts";

const first = (code: string) => ({ code, key: new TestDevice().key, name: "Browser", pin: TEST_PIN_RECORD });

describe("the first approver", () => {
  it("is who opens the start link in time, once, and sets the PIN", async () => {
    using folder = temporaryTestFolder();
    const { access } = openTestAccess(folder.file("access.json"));
    expect(access.hasApprover).toBe(false);
    const code = access.createStartCode();
    await expect(createPinVerifier("123456")).rejects.toThrow(/too easy to guess/);
    expect(() => access.admitFirst({ ...first(code), pin: "kettle 4711" })).toThrow(/never sent/);
    expect(access.admitFirst(first(code))).toMatchObject({ role: "admin", name: "Browser" });
    expect(access.hasApprover).toBe(true);
    expect(() => access.admitFirst(first(code))).toThrow(/an approver already/);
    expect(() => access.createStartCode()).toThrow(/an approver already/);
  });

  it("needs no PIN; as its only admin it stays until a PIN is set, and only it sets the PIN", () => {
    using folder = temporaryTestFolder();
    const path = folder.file("access.json");
    const { access } = openTestAccess(path);
    const { id } = access.admitFirst({ ...first(access.createStartCode()), pin: undefined });
    for (const { access: opened } of [{ access }, openTestAccess(path)]) {
      expect(opened.hasApprover).toBe(true);
      expect(() => opened.createStartCode()).toThrow(/an approver already/);
      expect(() => opened.setFirstPin(TEST_PIN_RECORD)).toThrow(/an approver already/);
      expect(() => opened.revoke(id, "admin")).toThrow(/the only browser/);
    }
    access.setLaterPin(TEST_PIN_RECORD, "Browser");
    expect(() => access.setLaterPin(TEST_PIN_RECORD, "Browser")).toThrow(/set already/);
    expect(access.alarms.map(({ message }) => message)).toContainEqual(expect.stringContaining("A PIN was set by Browser"));
    access.revoke(id, "admin");
    expect(access.hasApprover).toBe(true);
  });

  it("is nobody with a wrong or an old code", async () => {
    using folder = temporaryTestFolder();
    const { access, clock } = openTestAccess(folder.file("access.json"));
    const code = access.createStartCode();
    expect(() => access.admitFirst(first(`${code}x`))).toThrow(/used before or has expired/);
    clock.now += START_CODE_MS;
    expect(() => access.admitFirst(first(code))).toThrow(/used before or has expired/);
    expect(access.hasApprover).toBe(false);
  });

  it("is there after a restart, in a file that only its user reads and that holds no credential", async () => {
    using folder = temporaryTestFolder();
    const path = folder.file("access.json");
    const { access } = openTestAccess(path);
    access.admitFirst(first(access.createStartCode()));
    const { token } = access.credentials.createToken({ name: "reader", role: "viewer", owner: "me" });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, "utf8");
    for (const secret of [token, ...Object.values(TEST_TOKENS)]) expect(text).not.toContain(secret);
    const { access: again } = openTestAccess(path);
    expect(again.hasApprover).toBe(true);
    expect(again.credentials.find(token, "in a header")).toMatchObject({ name: "reader", role: "viewer" });
    expect(again.credentials.find(token, "in the address")).toBeUndefined();
  });
});

describe("a damaged file", () => {
  it.each(["", "{", "[]", '{"version":3}', '{"version":2,"tokens":[{}],"devices":[],"alarms":[],"failures":{"count":0,"blockedUntil":0}}'])(
    "lets nobody in: %j",
    (text) => {
      using folder = temporaryTestFolder();
      writeFileSync(folder.file("access.json"), text);
      expect(() => openTestAccess(folder.file("access.json"))).toThrow(/cannot be read/);
      expect(readFileSync(folder.file("access.json"), "utf8")).toBe(text);
    },
  );

  it("that has gone leaves an alarm", () => {
    using folder = temporaryTestFolder();
    const { access, told } = openTestAccess(folder.file("access.json"), { expectsFile: true });
    expect(access.alarms).toHaveLength(1);
    expect(told).toHaveLength(1);
  });
});

describe("the PIN", () => {
  it("opens for five minutes", () => {
    using folder = temporaryTestFolder();
    const { access, clock } = openTestAccess(folder.file("access.json"));
    access.setFirstPin(TEST_PIN_RECORD);
    const { ticket } = access.unlock(requestTo(), signPin(access));
    expect(access.credentials.find(ticket, "in a header")).toMatchObject({ role: "admin" });
    expect(access.credentials.find(ticket, "in the address")).toBeUndefined();
    clock.now += TICKET_MS;
    expect(access.credentials.find(ticket, "in a header")).toBeUndefined();
  });

  it("locks after five wrong ones, for longer and longer, over restarts, and raises an alarm", () => {
    using folder = temporaryTestFolder();
    const path = folder.file("access.json");
    const { access, clock } = openTestAccess(path);
    access.setFirstPin(TEST_PIN_RECORD);
    const guess = (at = access) => at.unlock(requestTo(), { ...signPin(at), signature: "wrong" });
    for (let wrong = 0; wrong < 5; wrong++) expect(() => guess()).toThrow("That is not the PIN.");
    expect(() => access.unlock(requestTo(), signPin(access))).toThrow(/wrong 5 times/);
    expect(access.alarms.map(({ message }) => message)).toEqual([
      expect.stringContaining("became the first approver"),
      expect.stringContaining("PIN was wrong"),
    ]);

    const { access: again } = openTestAccess(path);
    expect(() => again.unlock(requestTo(), signPin(again))).toThrow(/wrong 5 times/);
    clock.now += 60_000;
    expect(() => guess()).toThrow("That is not the PIN.");
    clock.now += 60_000;
    expect(() => access.unlock(requestTo(), signPin(access))).toThrow(/wrong 6 times/);
    clock.now += 60_000;
    access.unlock(requestTo(), signPin(access));
    expect(() => guess()).toThrow("That is not the PIN.");
    access.unlock(requestTo(), signPin(access));
  });
});

describe("removing every approver", () => {
  it("waits ten minutes of a running hub, then takes back what may decide, and leaves alarms", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      using folder = temporaryTestFolder();
      const path = folder.file("access.json");
      const before = openTestAccess(path);
      before.access.admitFirst(first(before.access.createStartCode()));
      const viewer = before.access.credentials.createToken({ name: "reader", role: "viewer", owner: "me" });
      const admin = before.access.credentials.createToken({ name: "admin", role: "admin", owner: "me" });
      before.access.reset.ask();
      before.access[Symbol.dispose]();
      // While nobody could object, the waiting time does not count.
      const { access, clock } = openTestAccess(path);
      clock.now += APPROVER_RESET_DELAY_MS - 1;
      vi.advanceTimersByTime(APPROVER_RESET_DELAY_MS - 1);
      expect(access.hasApprover).toBe(true);
      vi.advanceTimersByTime(1);
      expect(access.hasApprover).toBe(false);
      expect(access.credentials.find(admin.token, "in a header")).toBeUndefined();
      expect(access.credentials.find(viewer.token, "in a header")).toBeDefined();
      expect(access.credentials.devices.every(({ revokedAt }) => revokedAt !== undefined)).toBe(true);
      expect(access.alarms).toHaveLength(3);
      expect(access.createStartCode()).toBeTypeOf("string");
    } finally {
      vi.useRealTimers();
    }
  });

  it("is stopped by any approver", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      using folder = temporaryTestFolder();
      const { access } = openTestAccess(folder.file("access.json"));
      expect(() => access.reset.ask()).toThrow(/no approver/);
      access.setFirstPin(TEST_PIN_RECORD);
      access.reset.ask();
      access.reset.cancel("Anna's browser");
      vi.advanceTimersByTime(APPROVER_RESET_DELAY_MS * 2);
      expect(access.hasApprover).toBe(true);
      expect(access.alarms.at(-1)?.message).toContain("Anna's browser");
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("tokens", () => {
  it("expire, are revoked, and leave their names behind", () => {
    using folder = temporaryTestFolder();
    const { access, clock } = openTestAccess(folder.file("access.json"));
    const { credentials } = access;
    const short = credentials.createToken({ name: "short", role: "viewer", owner: "me", expiresInMs: 1000 });
    expect(credentials.find(short.token, "in a header")).toBeDefined();
    clock.now += 1000;
    expect(credentials.find(short.token, "in a header")).toBeUndefined();
    const ci = credentials.createToken({ name: "ci", role: "producer", owner: "me" });
    expect(() => credentials.revoke(ci.record.id, "approver")).toThrow(/more than yours/);
    credentials.revoke(ci.record.id, "admin");
    expect(credentials.find(ci.token, "in a header")).toBeUndefined();
    for (const name of ["ci", "local", "producer"]) {
      expect(() => credentials.createToken({ name, role: "producer", owner: "me" })).toThrow(/taken/);
    }
    for (const name of ["", "a b", "\u001b[31m", "x".repeat(61), 7]) {
      expect(() => credentials.createToken({ name, role: "producer", owner: "me" })).toThrow(/name/);
    }
  });
});
