import { EarshotError } from "@earshot/protocol";
import type { FastifyInstance } from "fastify";
import Type, { type Static } from "typebox";
import type { HubAccessControl } from "../access/access.ts";
import type { Caller } from "../access/gate.ts";
import type { Pairing } from "../access/pairing.ts";
import type { DeviceRecord } from "../access/store.ts";
import { idParameters, isoTime, listOf, naturalNumber, orNull } from "../api-schema.ts";
import { callerOf } from "./access.ts";
import { defineRoute } from "./validation.ts";

const short = (description?: string) => Type.String({ maxLength: 1024, ...(description === undefined ? {} : { description }) });
/** Validated by the code that stores it. */
const checkedLater = (description: string) => Type.Optional(Type.Unknown({ description }));
const name = checkedLater("a name of up to 60 visible characters");
const key = checkedLater("the public half of an ECDSA P-256 key, as a JSON Web Key");
const pin = checkedLater("the public key that the PIN derives, with its salt and cost");
const role = Type.Enum(["producer", "viewer", "approver", "admin"]);

const done = { 200: Type.Object({ ok: Type.Literal(true) }) };
const signatureBody = Type.Object({ challenge: short(), signature: short() });
const ticketSchema = Type.Object({ ticket: Type.String(), expiresInMs: naturalNumber() });
export type TicketView = Static<typeof ticketSchema>;
const challengeSchema = Type.Object({
  challenge: Type.String(),
  pin: orNull(Type.Object({ salt: Type.String(), cost: Type.Integer() }), { description: "null until one is set" }),
});
export type ChallengeView = Static<typeof challengeSchema>;

export const deviceSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role,
  admittedBy: Type.String(),
  createdAt: isoTime(),
  revokedAt: orNull(isoTime()),
});
export type DeviceView = Static<typeof deviceSchema>;
const admitted = { 200: Type.Object({ device: deviceSchema }) };

const pairingSchema = Type.Object({
  id: Type.String(),
  role,
  offeredBy: Type.String(),
  state: Type.Enum(["offered", "claimed", "admitted", "refused", "expired"]),
  expiresAt: isoTime(),
  name: orNull(Type.String(), { description: "of the device that asks; without its number, which an approver reads off the device" }),
});

export type PairingView = Static<typeof pairingSchema>;
const offerSchema = Type.Object({ id: Type.String(), code: Type.String(), expiresInMs: naturalNumber(), link: Type.String() });
export type PairingOffer = Static<typeof offerSchema>;
const claimSchema = Type.Object({
  claim: Type.String(),
  match: Type.String({ description: "the number that the new device shows, and the admitting approver types" }),
  role,
});
export type PairingClaim = Static<typeof claimSchema>;
const claimStateSchema = Type.Object({ state: pairingSchema.properties.state, device: orNull(Type.String()) });
export type PairingClaimState = Static<typeof claimStateSchema>;

/**
 * Admission: the first approver by the start link, others by a code that an approver confirms, or by the PIN. Routes for `anyone` do
 * nothing without a code, a PIN or a signature in the body.
 */
export function registerAdmission(app: FastifyInstance, access: HubAccessControl): void {
  app.post(
    "/api/start-code",
    defineRoute("viewer", "a new start link, while there is no approver", { response: { 200: Type.Object({ link: Type.String() }) } }),
    async (request) => {
      requireOwnCommand(callerOf(request));
      const code = await access.change(() => access.createStartCode());
      return { link: `${access.originOf(request.raw)}/ui/#start=${code}` };
    },
  );

  app.post(
    "/api/first-pin",
    defineRoute("viewer", "the first approver, at a terminal: sets the PIN", { body: Type.Object({ pin }), response: done }),
    async (request) => {
      requireOwnCommand(callerOf(request));
      await access.change(() => access.setFirstPin(request.body.pin));
      return { ok: true } as const;
    },
  );

  app.post(
    "/api/pair/start",
    defineRoute("anyone", "the first approver, by the start link", {
      body: Type.Object({ code: short(), key, name, pin }),
      response: admitted,
    }),
    async ({ body: { code, key: itsKey, name: called, pin: itsPin } }) => ({
      device: toDevice(await access.change(() => access.admitFirst({ code, key: itsKey, name: called, pin: itsPin }))),
    }),
  );

  app.get(
    "/api/ticket",
    defineRoute("anyone", "what a browser's key or the PIN's key signs", {
      response: { 200: challengeSchema },
    }),
    async () => ({ challenge: access.createChallenge(), pin: access.pinParameters ?? null }),
  );

  app.post(
    "/api/ticket",
    defineRoute("anyone", "a ticket for a browser, by its key's signature", {
      body: Type.Object({ device: short(), ...signatureBody.properties }),
      response: { 200: ticketSchema },
    }),
    async ({ raw, body }) => access.change(() => access.ticketForDevice(raw, body)),
  );

  app.post(
    "/api/unlock",
    defineRoute("viewer", "a ticket for a terminal, by the PIN", { body: signatureBody, response: { 200: ticketSchema } }),
    async ({ raw, body }) => access.change(() => access.unlock(raw, body)),
  );
  registerClaims(app, access);
  registerPairings(app, access);
}

/** Calls of the new device. */
function registerClaims(app: FastifyInstance, access: HubAccessControl): void {
  const { pairings } = access;

  app.post(
    "/api/pair/claim",
    defineRoute("anyone", "asks to be admitted, by the code of a link", {
      body: Type.Object({ code: short(), key, name }),
      response: { 200: claimSchema },
    }),
    async ({ body }) => {
      const { secret, match, role: admittedAs } = await access.change(() => access.claim(body.code, body.key, body.name));
      return { claim: secret, match, role: admittedAs };
    },
  );

  app.post(
    "/api/pair/state",
    defineRoute("anyone", "what became of one's own claim", {
      body: Type.Object({ claim: short() }),
      response: { 200: claimStateSchema },
    }),
    async ({ body }) => {
      const { state, device } = await access.change(() => pairings.claimed(body.claim));
      return { state, device: device ?? null };
    },
  );

  app.post(
    "/api/pair/admit",
    defineRoute("anyone", "admits one's own claim by the PIN", {
      body: Type.Object({ claim: short(), ...signatureBody.properties }),
      response: admitted,
    }),
    async ({ raw, body }) => ({ device: toDevice(await access.change(() => access.admitByPin(raw, body.claim, body))) }),
  );
}

/** Calls of the admitting person. */
function registerPairings(app: FastifyInstance, access: HubAccessControl): void {
  const { pairings } = access;

  app.post(
    "/api/pairings",
    defineRoute("viewer", "offers an admission", {
      body: Type.Object({ role: Type.Optional(Type.Enum(["viewer", "approver"])) }),
      response: { 200: offerSchema },
    }),
    async (request) => {
      const offer = await access.change(() => pairings.offer(request.body.role ?? "viewer", callerOf(request).name));
      return { ...offer, link: `${access.originOf(request.raw, { fromAfar: true })}/ui/#pair=${offer.code}` };
    },
  );

  app.get(
    "/api/pairings",
    defineRoute("approver", "admissions that wait", { response: { 200: Type.Object({ pairings: listOf(pairingSchema) }) } }),
    async () => ({ pairings: pairings.open.map(toOpenPairing) }),
  );

  app.get(
    "/api/pairings/:id",
    defineRoute("viewer", "one admission", { params: idParameters, response: { 200: pairingSchema } }),
    async ({ params }) => toOpenPairing(pairings.find(params.id)),
  );

  app.post(
    "/api/pairings/:id/confirm",
    defineRoute("approver", "admits, by the number that the new device shows", {
      params: idParameters,
      body: Type.Object({ match: short() }),
      response: admitted,
    }),
    async (request) => {
      const confirm = () => pairings.confirm(request.params.id, request.body.match, callerOf(request).name);
      return { device: toDevice(await access.change(confirm)) };
    },
  );

  app.post("/api/pairings/:id/refuse", defineRoute("approver", "refuses", { params: idParameters, response: done }), async ({ params }) => {
    await access.change(() => pairings.refuse(params.id));
    return { ok: true } as const;
  });
}

/** Only for this user's own commands, not for devices or programs with a granted credential. */
export function requireOwnCommand({ credential }: Caller): void {
  if (credential === "viewer-file") return;
  throw new EarshotError({ code: "NOT_PERMITTED", message: "Only a command on the hub's own machine may ask for this." });
}

function toOpenPairing({ id, role: asked, offeredBy, state, until, claim }: Pairing): PairingView {
  return { id, role: asked, offeredBy, state, expiresAt: new Date(until).toISOString(), name: claim?.name ?? null };
}

export function toDevice({ id, name: called, role: held, admittedBy, createdAt, revokedAt }: DeviceRecord): DeviceView {
  return { id, name: called, role: held, admittedBy, createdAt, revokedAt: revokedAt ?? null };
}
