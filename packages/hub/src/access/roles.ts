/** The permissions of a credential. Being the same user on the same machine is no role, because the agent's shell is that user. */
export type Role = "producer" | "viewer" | "approver" | "admin";

/** `speak`: send verified events. `decide`: answer requests and admit others. `administer`: roles, retention, erasing. */
export type Ability = "speak" | "read" | "decide" | "administer";

/** An approver cannot send events: the one who answers must not be able to ask. */
const ABILITIES: Readonly<Record<Role, ReadonlySet<Ability>>> = {
  producer: new Set(["speak"]),
  viewer: new Set(["read"]),
  approver: new Set(["read", "decide"]),
  admin: new Set(["read", "decide", "administer"]),
};

export function hasAbility(role: Role, ability: Ability): boolean {
  return ABILITIES[role].has(ability);
}

/** Whether one role includes another: nobody grants or revokes more than they have. */
export function includesRole(role: Role, other: Role): boolean {
  return role === "admin" || [...ABILITIES[other]].every((ability) => ABILITIES[role].has(ability));
}

/**
 * The role that a route requires of its caller; the default is a viewer.
 *
 * - `anyone`: only reveals that the hub exists, or is authorized by a code or signature in its body.
 *
 * - `page`: the same, and other sites may link to it: it shows nothing before the browser's key has signed.
 *
 * - `speaker`: takes events, including those of local programs without a credential.
 *
 * - `producer`, `viewer`, `approver`, `admin`: requires a credential that may send, read, decide, administer.
 *
 * - `aop-reader`, `aop-remover`: reading and removing in the AOP collector's routes. They require a viewer or an admin, and accept the
 * token in the URL (`/k/TOKEN/…`), because collector clients cannot send credentials.
 */
export type RouteAccess = "anyone" | "page" | "speaker" | "producer" | "viewer" | "approver" | "admin" | "aop-reader" | "aop-remover";

export interface RouteNeed {
  /** Undefined: no credential is required. */
  readonly ability?: Ability;
  /** Whether a credential is checked although none is required. */
  readonly looksAtCredential: boolean;
  /** Whether the credential may be in the URL. */
  readonly inAddress: boolean;
  /** The ability required of callers on other machines. */
  readonly abilityFromAfar?: Ability;
}

export const ROUTE_NEEDS: Readonly<Record<RouteAccess, RouteNeed>> = {
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
