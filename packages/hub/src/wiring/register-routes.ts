import type { FastifyInstance } from "fastify";
import type { OpenAaep } from "../aaep/open-aaep.ts";
import type { AttachedProducers, AttachedProducersPorts } from "../attach/attachments.ts";
import { proofOf } from "../home.ts";
import { registerAaep } from "../http/aaep.ts";
import { registerAdmission } from "../http/admission-routes.ts";
import { type RaisedAlert, registerAopCollector, registerAopStream, toAopAlert } from "../http/aop-collector.ts";
import { registerApi, registerMetrics } from "../http/api.ts";
import { createApp } from "../http/app.ts";
import { registerAttachments } from "../http/attachment-routes.ts";
import { registerControl } from "../http/control-routes.ts";
import { registerCredentials } from "../http/credential-routes.ts";
import { EVENT_LIMITS, registerEvents } from "../http/events.ts";
import { registerFront } from "../http/front.ts";
import { registerHooks, registerNativeHooks, registerProofs } from "../http/hooks.ts";
import { registerKeeping } from "../http/keeping-routes.ts";
import { registerLive } from "../http/live-sse.ts";
import { registerNotify } from "../http/notify-routes.ts";
import { registerOpenApi } from "../http/openapi.ts";
import { registerPolicy } from "../http/policy-routes.ts";
import { registerRequests } from "../http/request-routes.ts";
import { registerSetup } from "../http/setup-routes.ts";
import { registerViews } from "../http/views-routes.ts";
import type { HubContext } from "../hub-options.ts";
import { receiveSoon } from "../intake/receive.ts";
import { Lazy } from "../lazy.ts";
import { readGauges } from "../metrics/metrics.ts";
import { RuleTrials } from "../trial/rule-trials.ts";
import { watchVerification } from "../verification.ts";
import type { Alert } from "../views/api.ts";
import type { AccessParts } from "./open-access.ts";
import type { DecisionParts } from "./open-decisions.ts";
import type { RecordParts } from "./open-record.ts";

export interface RoutePorts {
  readonly record: RecordParts;
  readonly own: AccessParts;
  readonly decisions: DecisionParts;
  readonly aaep: Lazy<OpenAaep>;
  /** The path of its own socket, once there is one. */
  readonly aaepSocket: () => string | undefined;
  /** Nothing more is accepted. */
  readonly stopping: AbortSignal;
}

export interface Routes {
  readonly app: FastifyInstance;
  /** Events of attached producers are received like posted ones. */
  readonly attachments: Lazy<AttachedProducers>;
}

/** All routes of the hub. */
export async function registerRoutes(context: HubContext, ports: RoutePorts): Promise<Routes> {
  const { options, open, cluster, onFailure } = context;
  const { version } = options;
  const { record, own, decisions, aaep } = ports;
  const { ledger, live, views } = record;
  const { access } = own;
  const app = createApp({ gate: access.gate, connections: access.connections, onFailure });
  registerFront(app, {
    version,
    listeners: () => live.listeners,
    isReady: cluster.isReachable,
    prove: (challenge) => proofOf(own.tokens.viewer, challenge),
    dashboard: options.dashboard,
  });
  registerAdmission(app, access);
  registerCredentials(app, access);
  registerOpenApi(app, { version });
  registerLive(app, { live, onAlert: (hear) => views.onAlert(hear) });
  registerAopCollector(app, { ledger, views });
  registerKeeping(app, { ...record.keeping, retention: record.retention });
  registerAopStream(app, live, { now: cluster.now, onAlert: (hear) => views.onAlert((alert) => tellAop(alert, hear)) });
  registerViews(app, { ledger, views, isWaiting: (session) => decisions.engine.isWaiting(session) });
  const attachments = registerIntake(app, context, ports);
  const closing = new AbortController();
  open.defer(() => closing.abort());
  registerSetup(app, options.setup, closing.signal);
  registerNotify(app, { notifier: own.notifier, why: own.why });
  registerAaep(app, aaep, access.credentials);
  registerDecisions(app, context, decisions, record);
  registerStatus(app, context, ports);
  await app.ready();
  open.defer(() => app.close());
  return { app, attachments };
}

function registerIntake(app: FastifyInstance, context: HubContext, ports: RoutePorts): Lazy<AttachedProducers> {
  const { options, open, url, onFailure } = context;
  const { home, version, publicUrl, limits = {} } = options;
  const { ledger, admission } = ports.record;
  const { engine, hooks, native, hookKey } = ports.decisions;
  const eventLimits = { ...EVENT_LIMITS, eventBytes: limits.eventBytes ?? EVENT_LIMITS.eventBytes };
  const intake = { ...engine.intake, admission, stopping: ports.stopping, limits: eventLimits };
  registerEvents(app, intake);
  registerHooks(app, { hooks, eventBytes: eventLimits.eventBytes, admission });
  registerNativeHooks(app, { native, admission, secret: ports.own.tokens.producer });
  registerProofs(app, hookKey);
  const attached: AttachedProducersPorts = {
    path: home.attachments,
    ledger,
    engine,
    receive: (pieces, name, hearsAnswers) =>
      receiveSoon(pieces, { name, verified: true, protocol: "aaep", ...(hearsAnswers ? {} : { asks: false }) }, intake, eventLimits.roomMs),
    version,
    eventBytes: eventLimits.eventBytes,
    ownAddresses: () => {
      const socket = ports.aaepSocket();
      return [url, ...(socket === undefined ? [] : [`unix:${socket}`]), ...(publicUrl === undefined ? [] : [publicUrl.origin])];
    },
    onFailure,
  };
  const load = async () => {
    const { AttachedProducers } = await import("../attach/attachments.ts");
    const opened = new AttachedProducers(attached);
    opened.start();
    return opened;
  };
  const attachments = open.use(new Lazy(load, (opened) => opened.close()));
  registerAttachments(app, { attachments, engine });
  return attachments;
}

function registerDecisions(app: FastifyInstance, { options, open }: HubContext, decisions: DecisionParts, { ledger }: RecordParts): void {
  const { engine, rules: policy, remembering, places } = decisions;
  const trials = open.use(new RuleTrials({ places, ledgerAt: options.store ?? options.home.ledger }));
  registerRequests(app, { engine, remembering, trials });
  registerControl(app, engine, ledger);
  registerPolicy(app, { engine, ledger, policy, remembering, trials });
}

function registerStatus(app: FastifyInstance, { options, cluster, startedAt }: HubContext, { record, aaep }: RoutePorts): void {
  const { home, version, configuration } = options;
  const { ledger, live, views, admission, meter, sleep } = record;
  registerApi(app, {
    ledger,
    cluster,
    status: () => ({
      version,
      startedAt,
      waitingBytes: admission.waitingBytes,
      sleptUntil: sleep.sleptUntil ?? null,
      ...(configuration === undefined ? {} : { configuration }),
    }),
    verify: (session) => watchVerification(options.store ?? home.ledger, { folder: home.folder, session: session?.key }),
  });
  const startedAwake = sleep.awakeNow();
  registerMetrics(app, async () => [
    ...meter.metrics(),
    ...readGauges({
      version,
      head: await ledger.head(),
      viewsPosition: views.position,
      queueBytes: admission.waitingBytes,
      listeners: live.listeners,
      subscriptions: (await aaep.opening)?.producer.attached ?? 0,
      uptimeSeconds: (sleep.awakeNow() - startedAwake) / 1000,
      sleptSeconds: sleep.sleptMs / 1000,
      files: [home.ledger, `${home.ledger}-wal`, home.views, `${home.views}-wal`],
    }),
  ]);
}

/** The official collector's stream only covers its own protocol. */
function tellAop(alert: Alert, hear: (raised: RaisedAlert) => void): void {
  if (alert.protocol === "aop") hear({ position: alert.position, alert: toAopAlert(alert) });
}
