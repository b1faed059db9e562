import type { IncomingMessage } from "node:http";
import { type AccessOptions, HubAccessControl, type PinSignature } from "../access.ts";
import { HubCredentials } from "../credentials.ts";
import { AccessGate } from "../gate.ts";
import { pinText } from "../pin-key.ts";
import { hashSecret } from "../secrets.ts";
import { type AccessStore, EMPTY_ACCESS_STATE, type TokenRecord } from "../store.ts";
import { TEST_KEY } from "./test-device.ts";

/** A gate that knows one viewer, and one admin through `adminOf`, for tests of routes. */
export function gateFor(viewer: string): AccessGate {
  const createdAt = new Date(0).toISOString();
  const admin: TokenRecord = { id: "admin", name: "admin", role: "admin", owner: "tests", hash: hashSecret(adminOf(viewer)), createdAt };
  const store = { state: { ...EMPTY_ACCESS_STATE, tokens: [admin] } } as unknown as AccessStore;
  return new AccessGate(new HubCredentials({ store, now: Date.now, files: { viewer, producer: `${viewer}-speaks` }, onRevoked: () => {} }));
}

export function adminOf(viewer: string): string {
  return `${viewer}-administers`;
}

export const TEST_TOKENS = {
  viewer: "ear_viewer-of-tests-0123456789abcdefghijklmnop",
  producer: "ear_producer-of-tests-0123456789abcdefghijkl",
};

/** Access in its own folder with a manual clock. */
export function openTestAccess(path: string, options: Partial<AccessOptions> = {}) {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const told: string[] = [];
  const access = new HubAccessControl({
    path,
    sealPath: `${path}.seal`,
    sealKey: "a key for tests",
    files: TEST_TOKENS,
    now: () => clock.now,
    log: (message) => told.push(message),
    ...options,
  });
  return { access, clock, told };
}

/** A request to a test's hub. */
export function requestTo(host = "127.0.0.1"): IncomingMessage {
  return { headers: { host }, socket: {} } as unknown as IncomingMessage;
}

export function signPin(access: HubAccessControl, purpose = "unlock", origin = "http://127.0.0.1"): PinSignature {
  const challenge = access.createChallenge();
  return { challenge, signature: TEST_KEY.sign(pinText(origin, purpose, challenge)) };
}
