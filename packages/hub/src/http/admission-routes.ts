import { EarshotError, type JsonObject } from "@earshot/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Access, PinSignature } from "../access/access.ts";
import type { Caller } from "../access/gate.ts";
import type { Pairing } from "../access/pairing.ts";
import type { DeviceRecord } from "../access/store.ts";
import { callerOf } from "./access.ts";
import { readJsonBody } from "./json-body.ts";

type PairingRequest = FastifyRequest<{ Params: { id: string } }>;

/**
 * How one becomes somebody: the first approver by the start link, everybody else by a code that an approver confirms, or by the
 * PIN. The routes for `anyone` do nothing without a code, a PIN or a signature in the body.
 */
export function registerAdmission(app: FastifyInstance, access: Access): void {
  const { pairings } = access;

  app.post(
    "/api/start-code",
    { config: { access: "viewer", summary: "a new start link, while there is no approver" } },
    async (request) => {
      requireOwnCommand(callerOf(request));
      return { link: `${access.originOf(request.raw)}/ui/#start=${access.createStartCode()}` };
    },
  );

  app.post(
    "/api/first-pin",
    { config: { access: "viewer", summary: "the first approver, at a terminal: sets the PIN" } },
    async (request) => {
      requireOwnCommand(callerOf(request));
      access.setFirstPin((await readJsonBody(request))["pin"]);
      return { ok: true };
    },
  );

  app.post("/api/pair/start", { config: { access: "anyone", summary: "the first approver, by the start link" } }, async (request) => {
    const body = await readJsonBody(request);
    const { key, name, pin } = body;
    return { device: toDevice(access.admitFirst({ code: textOf(body, "code"), key, name, pin })) };
  });

  app.post("/api/pair/claim", { config: { access: "anyone", summary: "asks to be admitted, by the code of a link" } }, async (request) => {
    const body = await readJsonBody(request);
    const { secret, match, role } = access.claim(textOf(body, "code"), body["key"], body["name"]);
    return { claim: secret, match, role };
  });

  app.post("/api/pair/state", { config: { access: "anyone", summary: "what became of one's own claim" } }, async (request) => {
    const { state, device } = pairings.claimed(textOf(await readJsonBody(request), "claim"));
    return { state, device: device ?? null };
  });

  app.post("/api/pair/admit", { config: { access: "anyone", summary: "admits one's own claim by the PIN" } }, async (request) => {
    const body = await readJsonBody(request);
    return { device: toDevice(access.admitByPin(request.raw, textOf(body, "claim"), pinSignatureOf(body))) };
  });

  app.get("/api/ticket", { config: { access: "anyone", summary: "what a browser's key or the PIN's key signs" } }, async () => ({
    challenge: access.createChallenge(),
    pin: access.pinParameters ?? null,
  }));

  app.post("/api/ticket", { config: { access: "anyone", summary: "a ticket for a browser, by its key's signature" } }, async (request) => {
    const body = await readJsonBody(request);
    const signed = { device: textOf(body, "device"), challenge: textOf(body, "challenge"), signature: textOf(body, "signature") };
    return access.ticketForDevice(request.raw, signed);
  });

  app.post("/api/unlock", { config: { access: "viewer", summary: "a ticket for a terminal, by the PIN" } }, async (request) =>
    access.unlock(request.raw, pinSignatureOf(await readJsonBody(request))),
  );

  app.post("/api/pairings", { config: { access: "viewer", summary: "offers an admission" } }, async (request) => {
    const { role = "viewer" } = await readJsonBody(request);
    if (role !== "viewer" && role !== "approver") throw wrong("`role` is viewer or approver.");
    const offer = pairings.offer(role, callerOf(request).name);
    return { ...offer, link: `${access.originOf(request.raw, { fromAfar: true })}/ui/#pair=${offer.code}` };
  });

  app.get("/api/pairings", { config: { access: "approver", summary: "admissions that wait" } }, async () => ({
    pairings: pairings.open.map(toOpenPairing),
  }));

  app.get("/api/pairings/:id", { config: { access: "viewer", summary: "one admission" } }, async (request: PairingRequest) =>
    toOpenPairing(pairings.find(request.params.id)),
  );

  app.post(
    "/api/pairings/:id/confirm",
    { config: { access: "approver", summary: "admits, by the number that the new device shows" } },
    async (request: PairingRequest) => {
      const match = textOf(await readJsonBody(request), "match");
      return { device: toDevice(pairings.confirm(request.params.id, match, callerOf(request).name)) };
    },
  );

  app.post("/api/pairings/:id/refuse", { config: { access: "approver", summary: "refuses" } }, async (request: PairingRequest) => {
    pairings.refuse(request.params.id);
    return { ok: true };
  });
}

/** Held by this user's commands and by no device or program that was given a credential. */
export function requireOwnCommand({ credential }: Caller): void {
  if (credential === "viewer-file") return;
  throw new EarshotError({ code: "NOT_PERMITTED", message: "Only a command on the hub's own machine may ask for this." });
}

function pinSignatureOf(body: JsonObject): PinSignature {
  return { challenge: textOf(body, "challenge"), signature: textOf(body, "signature") };
}

export function textOf(body: JsonObject, name: string): string {
  const value = body[name];
  if (typeof value === "string" && value.length <= 1024) return value;
  throw wrong(`\`${name}\` is missing, or no text.`);
}

export function wrong(message: string): EarshotError {
  return new EarshotError({ code: "WRONG_QUERY", message });
}

/** Without the number: who confirms has to have seen it on the device. */
function toOpenPairing({ id, role, offeredBy, state, until, claim }: Pairing): object {
  return { id, role, offeredBy, state, expiresAt: new Date(until).toISOString(), name: claim?.name ?? null };
}

export function toDevice({ id, name, role, admittedBy, createdAt, revokedAt }: DeviceRecord): object {
  return { id, name, role, admittedBy, createdAt, revokedAt: revokedAt ?? null };
}
