import type { FastifyInstance, FastifyRequest } from "fastify";
import Type, { type Static } from "typebox";
import type { HubAccessControl } from "../access/access.ts";
import type { Role } from "../access/roles.ts";
import type { TokenRecord } from "../access/store.ts";
import { idParameters, isoTime, listOf, orNull, positiveInteger } from "../api-schema.ts";
import { callerOf } from "./access.ts";
import { deviceSchema, requireOwnCommand, toDevice } from "./admission-routes.ts";
import { invalidRequest } from "./request-routes.ts";
import { defineRoute } from "./validation.ts";

const MAX_LIFE_MS = 10 * 365 * 86_400_000;
const maybe = Type.Optional;
const role = deviceSchema.properties.role;
const done = { 200: Type.Object({ ok: Type.Literal(true) }) };
const byId = { params: idParameters, response: done };

const meSchema = Type.Object({
  name: Type.String(),
  role: Type.Enum(["nobody", "producer", "viewer", "approver", "admin"]),
  id: orNull(Type.String()),
  hasApprover: Type.Boolean(),
  alarms: listOf(
    Type.Object({
      id: Type.String(),
      at: isoTime(),
      message: Type.String(),
      seenBy: maybe(Type.String()),
      count: maybe(positiveInteger({ description: "how often it was raised, when more than once" })),
      lastAt: maybe(isoTime()),
    }),
    { description: "what a person should know, and nobody has seen" },
  ),
  resetDueAt: orNull(Type.Number(), { description: "when every approver is removed, in milliseconds since 1970" }),
});

export type AccountView = Static<typeof meSchema>;

const tokenSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role,
  owner: Type.String(),
  createdAt: isoTime(),
  expiresAt: orNull(isoTime()),
  revokedAt: orNull(isoTime()),
  inAddress: Type.Boolean({ description: "valid in addresses (`/k/TOKEN/…`) and nowhere else" }),
  origin: orNull(Type.String(), { description: "the one web origin that may use it" }),
});

export type TokenView = Static<typeof tokenSchema>;

const newTokenBody = Type.Object({
  name: maybe(Type.Unknown({ description: "1 to 60 visible characters" })),
  role,
  owner: maybe(Type.Unknown({ description: "1 to 60 visible characters" })),
  expiresInMs: maybe(positiveInteger({ maximum: MAX_LIFE_MS, description: "milliseconds, at most ten years" })),
  inAddress: maybe(Type.Boolean()),
  origin: maybe(Type.Unknown({ description: "the web origin that may use it" })),
});

/** Devices and tokens: listed, named, revocable. */
export function registerCredentials(app: FastifyInstance, access: HubAccessControl): void {
  const { credentials } = access;

  app.get("/api/me", defineRoute("viewer", "who one is, and what one should know", { response: { 200: meSchema } }), async (request) => {
    const { name, role: held, credential } = callerOf(request);
    const alarms = access.alarms.filter(({ seenBy }) => seenBy === undefined);
    return { name, role: held, id: credential ?? null, hasApprover: access.hasApprover, alarms, resetDueAt: access.reset.dueAt ?? null };
  });

  app.get(
    "/api/tokens",
    defineRoute("approver", "tokens", { response: { 200: Type.Object({ tokens: listOf(tokenSchema) }) } }),
    async () => ({
      tokens: credentials.tokens.map(toToken),
    }),
  );

  app.post(
    "/api/tokens",
    defineRoute("admin", "creates a token, which is shown once", {
      body: newTokenBody,
      response: { 200: Type.Object({ token: Type.String(), ...tokenSchema.properties }) },
    }),
    async (request) => {
      const { inAddress = false, owner = callerOf(request).name, ...wish } = request.body;
      if (inAddress && wish.role !== "viewer" && wish.role !== "admin")
        throw invalidRequest("A token for addresses is a viewer, or an admin who may remove sessions.");
      if (wish.origin !== undefined && wish.role === "admin") throw invalidRequest("A web application of another origin cannot be admin.");
      const { token, record } = await access.change(() => credentials.createToken({ ...wish, name: wish.name, owner, inAddress }));
      return { token, ...toToken(record) };
    },
  );

  app.delete("/api/tokens/:id", defineRoute("admin", "revokes a token", byId), async (request) => {
    await access.change(() => access.revoke(request.params.id, roleOf(request)));
    return { ok: true } as const;
  });

  app.get(
    "/api/devices",
    defineRoute("approver", "browsers and phones", { response: { 200: Type.Object({ devices: listOf(deviceSchema) }) } }),
    async () => ({ devices: credentials.devices.map(toDevice) }),
  );

  app.delete("/api/devices/:id", defineRoute("approver", "revokes a browser or phone", byId), async (request) => {
    await access.change(() => access.revoke(request.params.id, roleOf(request)));
    return { ok: true } as const;
  });

  app.post(
    "/api/pin",
    defineRoute("admin", "sets the PIN, if none is set", { body: Type.Object({ pin: Type.Unknown() }), response: done }),
    async (request) => {
      await access.change(() => access.setLaterPin(request.body.pin, callerOf(request).name));
      return { ok: true } as const;
    },
  );

  registerAlarms(app, access);
}

function registerAlarms(app: FastifyInstance, access: HubAccessControl): void {
  const { reset } = access;

  app.post("/api/alarms/:id/seen", defineRoute("approver", "takes note of an alarm", byId), async (request) => {
    await access.change(() => access.acknowledge(request.params.id, callerOf(request).name));
    return { ok: true } as const;
  });

  app.post(
    "/api/reset-approver",
    defineRoute("viewer", "asks to remove every approver, in ten minutes", { response: { 200: Type.Object({ dueAt: isoTime() }) } }),
    async (request) => {
      requireOwnCommand(callerOf(request));
      return { dueAt: new Date(await access.change(() => reset.ask())).toISOString() };
    },
  );

  app.delete("/api/reset-approver", defineRoute("approver", "cancels that", { response: done }), async (request) => {
    await access.change(() => reset.cancel(callerOf(request).name));
    return { ok: true } as const;
  });
}

/** The role of a caller whose route requires one. */
function roleOf(request: FastifyRequest): Role {
  const { role: held } = callerOf(request);
  if (held === "nobody") throw new Error("A caller without a credential.");
  return held;
}

/** Without the hash. */
function toToken({ id, name, role: held, owner, createdAt, expiresAt, revokedAt, inAddress, origin }: TokenRecord): TokenView {
  return {
    id,
    name,
    role: held,
    owner,
    createdAt,
    expiresAt: expiresAt ?? null,
    revokedAt: revokedAt ?? null,
    inAddress: inAddress === true,
    origin: origin ?? null,
  };
}
