import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AttachmentList } from "../attach/api.ts";
import type { AttachDesk } from "../attach/attach-desk.ts";
import type { Engine } from "../requests/engine.ts";
import { readJsonBody } from "./json-body.ts";
import { byOf } from "./request-routes.ts";

type ById = FastifyRequest<{ Params: { id: string } }>;

const BODY_BYTES = 256 * 1024;

/** The foreign producers that the hub listens to. To attach one runs a command or connects out: only an approver may wish that. */
export function registerAttachments(
  app: FastifyInstance,
  { attachments, engine }: { readonly attachments: AttachDesk; readonly engine: Engine },
): void {
  app.get("/api/attachments", { config: { access: "viewer", summary: "the producers that the hub listens to" } }, async () => {
    return { attachments: await attachments.list() } satisfies AttachmentList;
  });

  app.post("/api/attachments", { config: { access: "approver", summary: "listens to a producer elsewhere" } }, async (request, reply) => {
    const body = await readJsonBody(request, BODY_BYTES);
    const view = await attachments.attach(body, byOf(request, engine));
    return reply.code(201).send(view);
  });

  app.delete("/api/attachments/:id", { config: { access: "approver", summary: "listens to it no more" } }, async (request: ById) =>
    attachments.detach(request.params.id, byOf(request, engine)),
  );
}
