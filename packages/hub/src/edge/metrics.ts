import type { FastifyInstance } from "fastify";
import { METRICS_TYPE, type Metric, writeMetrics } from "../metrics/prometheus.ts";

/** Measurements for Prometheus. How much an agent says, and when, is not everybody's business: a viewer's credential is asked for. */
export function registerMetrics(app: FastifyInstance, measure: () => Promise<readonly Metric[]>): void {
  app.get("/metrics", { config: { access: "viewer", summary: "measurements, for Prometheus" } }, async (_request, reply) =>
    reply.header("content-type", METRICS_TYPE).send(writeMetrics(await measure())),
  );
}
