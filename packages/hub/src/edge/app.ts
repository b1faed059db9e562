import { EarshotError } from "@earshot/protocol";
import Fastify, { type FastifyInstance } from "fastify";
import { type Access, type AccessOptions, checkAccess } from "./access.ts";
import { answerProblem, toProblem } from "./answer.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    access?: Access;
  }
}

export interface AppOptions extends AccessOptions {
  /** Told what went wrong inside, for the log. */
  readonly onFailure: (error: unknown) => void;
}

/** The HTTP application, without its routes: who is let in, and how anything that goes wrong is told. */
export function createApp({ viewerToken, onFailure }: AppOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    // Bodies are read by the routes that take one, with limits of their own; a long stream of events is no slow request.
    requestTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: true,
    return503OnClosing: true,
    routerOptions: { maxParamLength: 4096, caseSensitive: true },
    frameworkErrors: (error, _request, reply) => {
      answerProblem(reply, toProblem(error));
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  app.addHook("onRequest", (request, _reply, done) => {
    try {
      checkAccess(request.raw, request.is404 ? "anyone" : (request.routeOptions.config.access ?? "viewer"), { viewerToken });
      done();
    } catch (error) {
      done(EarshotError.is(error) ? error : new Error("Access could not be checked.", { cause: error }));
    }
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    reply.header("x-content-type-options", "nosniff").header("cache-control", "no-store").header("referrer-policy", "no-referrer");
    done();
  });
  app.setNotFoundHandler((request, reply) =>
    answerProblem(reply, { code: "NOT_FOUND", message: `There is nothing at ${request.method} ${request.url.split("?", 1)[0]}.` }),
  );
  app.setErrorHandler((error, _request, reply) => {
    const problem = toProblem(error);
    if (problem.code === "INTERNAL") onFailure(error);
    return answerProblem(reply, problem);
  });
  return app;
}
