import type { FastifyInstance } from "fastify";
import { idParameters } from "../api-schema.ts";
import { attachBody, attachmentListSchema, attachmentViewSchema } from "../attach/api.ts";
import type { AttachedProducers } from "../attach/attachments.ts";
import type { Lazy } from "../lazy.ts";
import type { RequestEngine } from "../requests/engine.ts";
import { deciderNameOf } from "./request-routes.ts";
import { defineRoute } from "./validation.ts";

const BODY_BYTES = 256 * 1024;

/** The attached producers. Attaching runs a command or connects out, so it requires an approver. */
export function registerAttachments(
  app: FastifyInstance,
  { attachments, engine }: { readonly attachments: Lazy<AttachedProducers>; readonly engine: RequestEngine },
): void {
  app.get(
    "/api/attachments",
    defineRoute("viewer", "the producers that the hub listens to", { response: { 200: attachmentListSchema } }),
    async () => ({ attachments: (await attachments.opening)?.list() ?? [] }),
  );

  app.post(
    "/api/attachments",
    defineRoute(
      "approver",
      "listens to a producer elsewhere",
      { body: attachBody, response: { 201: attachmentViewSchema } },
      { bodyLimit: BODY_BYTES },
    ),
    async (request, reply) => reply.code(201).send(await (await attachments.open()).attach(request.body, deciderNameOf(request, engine))),
  );

  app.delete(
    "/api/attachments/:id",
    defineRoute("approver", "listens to it no more", { params: idParameters, response: { 200: attachmentViewSchema } }),
    async (request) => (await attachments.open()).detach(request.params.id, deciderNameOf(request, engine)),
  );
}
