import type { FastifyInstance } from "fastify";
import { idParameters } from "../api-schema.ts";
import { attachBody, attachmentListSchema, attachmentViewSchema } from "../attach/api.ts";
import type { Attachments } from "../attach/attachments.ts";
import type { Lazy } from "../lazy.ts";
import type { Engine } from "../requests/engine.ts";
import { byOf } from "./request-routes.ts";
import { route } from "./validation.ts";

const BODY_BYTES = 256 * 1024;

/** The attached producers. Attaching runs a command or connects out, so it requires an approver. */
export function registerAttachments(
  app: FastifyInstance,
  { attachments, engine }: { readonly attachments: Lazy<Attachments>; readonly engine: Engine },
): void {
  app.get(
    "/api/attachments",
    route("viewer", "the producers that the hub listens to", { response: { 200: attachmentListSchema } }),
    async () => ({ attachments: (await attachments.opening)?.list() ?? [] }),
  );

  app.post(
    "/api/attachments",
    route(
      "approver",
      "listens to a producer elsewhere",
      { body: attachBody, response: { 201: attachmentViewSchema } },
      { bodyLimit: BODY_BYTES },
    ),
    async (request, reply) => reply.code(201).send(await (await attachments.open()).attach(request.body, byOf(request, engine))),
  );

  app.delete(
    "/api/attachments/:id",
    route("approver", "listens to it no more", { params: idParameters, response: { 200: attachmentViewSchema } }),
    async (request) => (await attachments.open()).detach(request.params.id, byOf(request, engine)),
  );
}
