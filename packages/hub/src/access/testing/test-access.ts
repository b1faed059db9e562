import { Access, type AccessOptions } from "../access.ts";
import { EMPTY_STATE, type TokenRecord } from "../access-state.ts";
import type { AccessStore } from "../access-store.ts";
import { Credentials } from "../credentials.ts";
import { Gate } from "../gate.ts";
import { hashOf } from "../secrets.ts";

/** A gate that knows one viewer, and one admin by `adminOf`, for tests of what lies behind it. */
export function gateFor(viewer: string): Gate {
  const createdAt = new Date(0).toISOString();
  const admin: TokenRecord = { id: "admin", name: "admin", role: "admin", owner: "tests", hash: hashOf(adminOf(viewer)), createdAt };
  const store = { state: { ...EMPTY_STATE, tokens: [admin] } } as unknown as AccessStore;
  return new Gate(new Credentials({ store, now: Date.now, files: { viewer, producer: `${viewer}-speaks` }, onRevoked: () => {} }));
}

export function adminOf(viewer: string): string {
  return `${viewer}-administers`;
}

export const FILES = { viewer: "ear_viewer-of-tests-0123456789abcdefghijklmnop", producer: "ear_producer-of-tests-0123456789abcdefghijkl" };

/** Who may do what, in a folder of its own and on a clock that the test turns. */
export function openAccess(path: string, options: Partial<AccessOptions> = {}) {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const told: string[] = [];
  const access = new Access({ path, files: FILES, now: () => clock.now, log: (message) => told.push(message), ...options });
  return { access, clock, told };
}
