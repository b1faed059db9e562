import { isRole, type Role } from "./roles.ts";

/** A credential that a program shows. Only its hash is kept. */
export interface TokenRecord {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Who answers for it, as the person put it. */
  readonly owner: string;
  /** SHA-256, in hexadecimal: a token has 256 random bits, so that nothing slower is needed. */
  readonly hash: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  /** Stands in addresses (`/k/TOKEN/…`) and nowhere else. */
  readonly inAddress?: true;
  /** The web application that may use it, from this origin and no other. */
  readonly origin?: string;
}

/** The public half of a key that a browser holds and cannot give away. */
export interface DeviceKey {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
}

export interface DeviceRecord {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly key: DeviceKey;
  readonly admittedBy: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
}

export interface PinRecord {
  readonly salt: string;
  readonly hash: string;
  readonly cost: number;
}

/** Wrong PINs since the last right one. */
export interface Failures {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly blockedUntil: number;
}

export interface Alarm {
  readonly id: string;
  readonly at: string;
  readonly message: string;
  readonly seenBy?: string;
}

/** Everything about who may do what that has to outlive the process. */
export interface AccessState {
  readonly version: 1;
  readonly tokens: readonly TokenRecord[];
  readonly devices: readonly DeviceRecord[];
  /** Set by the first approver; there is an approver as soon as there is a PIN. */
  readonly pin?: PinRecord;
  readonly failures: Failures;
  /** Asked for by somebody who lost every approver; happens then unless an approver says no. */
  readonly reset?: { readonly askedAt: string; readonly dueAt: number };
  readonly alarms: readonly Alarm[];
}

export const EMPTY_STATE: AccessState = { version: 1, tokens: [], devices: [], failures: { count: 0, blockedUntil: 0 }, alarms: [] };

/** Whether a file holds what we wrote. What it does not hold is refused as a whole: half a list of credentials is no list. */
export function isAccessState(value: unknown): value is AccessState {
  if (!isRecord(value) || value["version"] !== 1) return false;
  const { tokens, devices, alarms, failures, pin, reset } = value;
  return (
    isListOf(tokens, (token) => hasTexts(token, ["id", "name", "owner", "hash", "createdAt"]) && isRole(token["role"])) &&
    isListOf(
      devices,
      (device) => hasTexts(device, ["id", "name", "admittedBy", "createdAt"]) && isRole(device["role"]) && isDeviceKey(device["key"]),
    ) &&
    isListOf(alarms, (alarm) => hasTexts(alarm, ["id", "at", "message"])) &&
    isRecord(failures) &&
    typeof failures["count"] === "number" &&
    typeof failures["blockedUntil"] === "number" &&
    (pin === undefined || (isRecord(pin) && hasTexts(pin, ["salt", "hash"]) && typeof pin["cost"] === "number")) &&
    (reset === undefined || (isRecord(reset) && hasTexts(reset, ["askedAt"]) && typeof reset["dueAt"] === "number"))
  );
}

export function isDeviceKey(value: unknown): value is DeviceKey {
  return (
    isRecord(value) &&
    value["kty"] === "EC" &&
    value["crv"] === "P-256" &&
    [value["x"], value["y"]].every((one) => typeof one === "string" && /^[\w-]{43}$/.test(one))
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, is: (one: Readonly<Record<string, unknown>>) => boolean): boolean {
  return Array.isArray(value) && value.every((one) => isRecord(one) && is(one));
}

function hasTexts(value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === "string");
}
