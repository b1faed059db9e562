import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Access } from "../access/access.ts";
import { isRole, type Role } from "../access/roles.ts";
import type { TokenRecord } from "../access/store.ts";
import { callerOf } from "./access.ts";
import { requireOwnCommand, toDevice, wrong } from "./admission-routes.ts";
import { readJsonBody } from "./json-body.ts";

type ById = FastifyRequest<{ Params: { id: string } }>;

const LONGEST_LIFE_MS = 10 * 365 * 86_400_000;

/** Who may do what: listed, named, revocable. */
export function registerCredentials(app: FastifyInstance, access: Access): void {
  const { credentials, reset } = access;

  app.get("/api/me", { config: { access: "viewer", summary: "who one is, and what one should know" } }, async (request) => {
    const { name, role, credential } = callerOf(request);
    const alarms = access.alarms.filter(({ seenBy }) => seenBy === undefined);
    return { name, role, id: credential ?? null, hasApprover: access.hasApprover, alarms, resetDueAt: reset.dueAt ?? null };
  });

  app.get("/api/tokens", { config: { access: "approver", summary: "tokens" } }, async () => ({ tokens: credentials.tokens.map(toToken) }));

  app.post("/api/tokens", { config: { access: "admin", summary: "makes a token, which is told once" } }, async (request) => {
    const { name, role, owner = callerOf(request).name, expiresInMs, inAddress = false, origin } = await readJsonBody(request);
    if (!isRole(role)) throw wrong("`role` is producer, viewer, approver or admin.");
    if (typeof inAddress !== "boolean") throw wrong("`inAddress` is true or false.");
    if (inAddress && role !== "viewer" && role !== "admin")
      throw wrong("A token for addresses is a viewer, or an admin who may remove sessions.");
    if (origin !== undefined && role === "admin") throw wrong("A web application of another origin cannot be admin.");
    const life = expiresInMs === undefined ? {} : { expiresInMs: readLife(expiresInMs) };
    const { token, record } = credentials.createToken({
      name,
      role,
      owner,
      inAddress,
      ...life,
      ...(origin === undefined ? {} : { origin }),
    });
    return { token, ...toToken(record) };
  });

  app.delete("/api/tokens/:id", { config: { access: "admin", summary: "revokes a token" } }, async (request: ById) => {
    credentials.revoke(request.params.id, roleOf(request));
    return { ok: true };
  });

  app.get("/api/devices", { config: { access: "approver", summary: "browsers and phones" } }, async () => ({
    devices: credentials.devices.map(toDevice),
  }));

  app.delete("/api/devices/:id", { config: { access: "approver", summary: "revokes a browser or phone" } }, async (request: ById) => {
    credentials.revoke(request.params.id, roleOf(request));
    return { ok: true };
  });

  app.post("/api/alarms/:id/seen", { config: { access: "approver", summary: "takes note of an alarm" } }, async (request: ById) => {
    access.acknowledge(request.params.id, callerOf(request).name);
    return { ok: true };
  });

  app.post(
    "/api/reset-approver",
    { config: { access: "viewer", summary: "asks to remove every approver, in ten minutes" } },
    async (request) => {
      requireOwnCommand(callerOf(request));
      return { dueAt: new Date(reset.ask()).toISOString() };
    },
  );

  app.delete("/api/reset-approver", { config: { access: "approver", summary: "cancels that" } }, async (request) => {
    reset.cancel(callerOf(request).name);
    return { ok: true };
  });
}

/** The role of a caller that a route let in by its role. */
function roleOf(request: FastifyRequest): Role {
  const { role } = callerOf(request);
  if (role === "nobody") throw new Error("A caller without a credential.");
  return role;
}

function readLife(value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0 && value <= LONGEST_LIFE_MS) return value;
  throw wrong("`expiresInMs` is a whole number of milliseconds, at most ten years.");
}

/** Never the hash. */
function toToken({ id, name, role, owner, createdAt, expiresAt, revokedAt, inAddress, origin }: TokenRecord): object {
  return {
    id,
    name,
    role,
    owner,
    createdAt,
    expiresAt: expiresAt ?? null,
    revokedAt: revokedAt ?? null,
    inAddress: inAddress === true,
    origin: origin ?? null,
  };
}
