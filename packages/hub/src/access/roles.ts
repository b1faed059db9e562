/** What a credential lets its holder do. Being the same user on the same machine is no role: the agent's shell is that user. */
export type Role = "producer" | "viewer" | "approver" | "admin";

/** `speak`: post events that count as verified. `decide`: answer requests and admit others. `administer`: roles, retention, erasing. */
export type Ability = "speak" | "read" | "decide" | "administer";

/** An approver does not speak: who answers a question must not be able to ask it. */
const ABILITIES: Readonly<Record<Role, ReadonlySet<Ability>>> = {
  producer: new Set(["speak"]),
  viewer: new Set(["read"]),
  approver: new Set(["read", "decide"]),
  admin: new Set(["read", "decide", "administer"]),
};

export function may(role: Role, ability: Ability): boolean {
  return ABILITIES[role].has(ability);
}

/** Whether everything that the one may do, the other may do too: nobody hands out or takes away more than they have. */
export function covers(role: Role, other: Role): boolean {
  return role === "admin" || [...ABILITIES[other]].every((ability) => ABILITIES[role].has(ability));
}

/**
 * What a route asks of whoever calls it; a route that says nothing asks for a viewer.
 *
 * - `anyone`: says that the hub is there, or is opened by a code or a signature in its body.
 * - `page`: the same, and a link on another site may lead to it: it shows nothing until the browser's key has spoken.
 * - `speaker`: takes events, from programs of this machine without a credential too.
 * - `producer`, `viewer`, `approver`, `admin`: asks for a credential that may speak, read, decide, administer.
 * - `aop-reader`, `aop-remover`: reading and removing in the routes of an AOP collector. They ask for what a viewer and an
 *   admin have, and take it from the address (`/k/TOKEN/…`) too, since clients of a collector have no place for a credential.
 */
export type RouteAccess = "anyone" | "page" | "speaker" | "producer" | "viewer" | "approver" | "admin" | "aop-reader" | "aop-remover";

export interface Need {
  /** Undefined: no credential is needed. */
  readonly ability?: Ability;
  /** Whether a credential is looked at where none is needed. */
  readonly looksAtCredential: boolean;
  /** Whether what has to be shown may stand in the address. */
  readonly inAddress: boolean;
  /** Whether a credential is needed by those who are not on this machine. */
  readonly abilityFromAfar?: Ability;
}

export const NEEDS: Readonly<Record<RouteAccess, Need>> = {
  anyone: { looksAtCredential: false, inAddress: true },
  page: { looksAtCredential: false, inAddress: false },
  speaker: { looksAtCredential: true, inAddress: false, abilityFromAfar: "speak" },
  producer: { ability: "speak", looksAtCredential: true, inAddress: false },
  viewer: { ability: "read", looksAtCredential: true, inAddress: true },
  approver: { ability: "decide", looksAtCredential: true, inAddress: false },
  admin: { ability: "administer", looksAtCredential: true, inAddress: false },
  "aop-reader": { ability: "read", looksAtCredential: true, inAddress: true },
  "aop-remover": { ability: "administer", looksAtCredential: true, inAddress: true },
};

export const ABILITY_NEEDED: Readonly<Record<Ability, string>> = {
  speak: "This needs a producer's credential.",
  read: "Reading this needs a viewer's credential.",
  decide: "This needs an approver: a paired browser, or the PIN.",
  administer: "This needs an admin: the first browser, or the PIN.",
};
