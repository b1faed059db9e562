import type { FastifyInstance, FastifyRequest } from "fastify";
import { proveHub, proveVerdict } from "../hooks/hook-proof.ts";
import { queryOf, wrong } from "./request-routes.ts";

/** What an answer is about. */
export interface Told {
  /** The body that was asked with. */
  readonly asked: Buffer;
  readonly request: string | null;
}

const LONGEST_NONCE = 128;
const told = new WeakMap<FastifyRequest, Told>();

/** The answer to this request is to be proven, if whoever asks wants that: see hooks/hook-proof.ts. */
export function provesAnswer(request: FastifyRequest, about: Told): void {
  told.set(request, about);
}

/** For those who come by TCP, where anybody may hold the port. */
export function registerProofs(app: FastifyInstance, key: string): void {
  app.get("/hooks/proof", { config: { access: "anyone", summary: "shows that this is the hub of its user" } }, async (request) => {
    const { nonce } = queryOf(request);
    if (typeof nonce !== "string" || nonce === "" || nonce.length > LONGEST_NONCE) throw wrong("`nonce` is a text of your own choosing.");
    return { proof: proveHub(key, nonce, request.socket.localPort ?? 0) };
  });

  app.addHook("onSend", (request, reply, payload, done) => {
    const nonce = request.headers["x-earshot-nonce"];
    const about = told.get(request);
    if (typeof nonce === "string" && nonce.length <= LONGEST_NONCE && about !== undefined && typeof payload === "string") {
      const id = about.request ?? "";
      reply.header("x-earshot-request", id);
      reply.header("x-earshot-proof", proveVerdict(key, { nonce, request: id, asked: about.asked, answer: payload }));
    }
    done();
  });
}
