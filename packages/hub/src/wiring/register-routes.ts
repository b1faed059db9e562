import type { FastifyInstance } from "fastify";
import type { AaepDesk } from "../aaep/aaep-desk.ts";
import { AttachDesk } from "../attach/attach-desk.ts";
import { registerAaep } from "../edge/aaep-routes.ts";
import { registerAdmission } from "../edge/admission-routes.ts";
import type { HookCallPorts } from "../edge/answer-hook.ts";
import { toAopAlert } from "../edge/aop-alert.ts";
import { registerAopCollector } from "../edge/aop-collector.ts";
import { type RaisedAlert, registerAopStream } from "../edge/aop-stream.ts";
import { registerApi } from "../edge/api.ts";
import { createApp } from "../edge/app.ts";
import { registerAttachments } from "../edge/attachment-routes.ts";
import { registerControl } from "../edge/control-routes.ts";
import { registerCredentials } from "../edge/credential-routes.ts";
import { EVENT_LIMITS, openIntake, registerEvents } from "../edge/events.ts";
import { registerFront } from "../edge/front.ts";
import { registerHooks } from "../edge/hook-routes.ts";
import { registerKeeping } from "../edge/keeping-routes.ts";
import { registerLive } from "../edge/live-sse.ts";
import { registerMetrics } from "../edge/metrics.ts";
import { PAYLOAD_BYTES, registerNativeHooks } from "../edge/native-hook-routes.ts";
import { registerNotify } from "../edge/notify-routes.ts";
import { registerOpenApi } from "../edge/openapi.ts";
import type { ShortWay } from "../edge/plain-post.ts";
import { registerPolicy } from "../edge/policy-routes.ts";
import { registerProofs } from "../edge/proven-answers.ts";
import { registerRequests } from "../edge/request-routes.ts";
import { createShortWay } from "../edge/short-way.ts";
import { createShortWayOfHooks } from "../edge/short-way-of-hooks.ts";
import { registerStanding } from "../edge/standing-route.ts";
import type { Intake } from "../edge/take-events.ts";
import { registerViews } from "../edge/views-routes.ts";
import { proofOf } from "../home.ts";
import { receive } from "../intake/receive.ts";
import { readGauges } from "../metrics/gauges.ts";
import { StudyDesk } from "../trial/study-desk.ts";
import { watchVerification } from "../verification.ts";
import type { Alert } from "../views/views.ts";
import type { Ground } from "./ground.ts";
import type { OpenAccess } from "./open-access.ts";
import type { OpenDecisions } from "./open-decisions.ts";
import type { OpenRecord } from "./open-record.ts";

export interface RoutePorts {
  readonly record: OpenRecord;
  readonly own: OpenAccess;
  readonly decisions: OpenDecisions;
  readonly aaep: AaepDesk;
  /** Where its own socket is, once there is one. */
  readonly aaepSocket: () => string | undefined;
  /** Nothing more is taken in. */
  readonly stopping: AbortSignal;
}

export interface Routes {
  readonly app: FastifyInstance;
  /** For what most requests are, past the router. */
  readonly shortWay: ShortWay;
  /** What is heard from elsewhere comes in by the same way as what is posted. */
  readonly attachments: AttachDesk;
}

/** Everything that can be asked of the hub over HTTP. */
export async function registerRoutes(ground: Ground, ports: RoutePorts): Promise<Routes> {
  const { options, open, onFailure } = ground;
  const { version } = options;
  const { record, own, decisions, aaep } = ports;
  const { ledger, fanout, views, onCut } = record;
  const { access } = own;
  const app = createApp({ gate: access.gate, connections: access.connections, onFailure });
  registerFront(app, {
    version,
    listeners: () => fanout.listeners,
    prove: (challenge) => proofOf(own.tokens.viewer, challenge),
    dashboard: options.dashboard,
  });
  registerAdmission(app, access);
  registerCredentials(app, access);
  registerOpenApi(app, { version });
  registerLive(app, { fanout, onAlert: (hear) => views.onAlert(hear) });
  registerAopCollector(app, { ledger, views, onCut });
  registerKeeping(app, { ...record.keeping, retention: record.retention });
  registerAopStream(app, { fanout, now: Date.now, onAlert: (hear) => views.onAlert((alert) => tellAop(alert, hear)) });
  registerViews(app, { ledger, views });
  const { attachments, intake, nativeHooks } = registerIntake(app, ground, ports);
  registerNotify(app, { notifier: own.notifier, why: own.why });
  registerAaep(app, aaep);
  registerDecisions(app, ground, decisions, record);
  registerStatus(app, ground, ports);
  await app.ready();
  open.defer(() => app.close());
  const plain = { gate: access.gate, connections: access.connections, onFailure };
  const ofEvents = createShortWay({ ...plain, intake });
  const ofHooks = createShortWayOfHooks({ ...plain, hooks: nativeHooks });
  const shortWay: ShortWay = (post) => ofEvents(post) || ofHooks(post);
  return { app, attachments, shortWay };
}

function registerIntake(
  app: FastifyInstance,
  { options, open, url, onFailure }: Ground,
  ports: RoutePorts,
): { readonly attachments: AttachDesk; readonly intake: Intake; readonly nativeHooks: HookCallPorts } {
  const { home, version, publicUrl, limits = {} } = options;
  const { ledger, admission, redacts, meter } = ports.record;
  const { engine, hooks, native, hookKey } = ports.decisions;
  const eventLimits = { ...EVENT_LIMITS, eventBytes: limits.eventBytes ?? EVENT_LIMITS.eventBytes };
  const heard = { ledger, admission, now: Date.now, redacts, stopping: ports.stopping, meter, asking: engine };
  const intake = openIntake(heard, eventLimits);
  registerEvents(app, intake);
  registerHooks(app, { engine, hooks, now: Date.now, redacts, eventBytes: eventLimits.eventBytes, admission });
  const nativeHooks = { native, payloadBytes: PAYLOAD_BYTES, admission };
  registerNativeHooks(app, nativeHooks);
  registerProofs(app, hookKey);
  const attachments = new AttachDesk({
    path: home.attachments,
    ledger,
    engine,
    receive: (pieces, name, hearsAnswers) =>
      receive(pieces, { name, verified: true, protocol: "aaep", ...(hearsAnswers ? {} : { asks: false }) }, heard, eventLimits.roomMs),
    version,
    eventBytes: eventLimits.eventBytes,
    ownAddresses: () => {
      const socket = ports.aaepSocket();
      return [url, ...(socket === undefined ? [] : [`unix:${socket}`]), ...(publicUrl === undefined ? [] : [publicUrl.origin])];
    },
    onFailure,
  });
  open.use(attachments);
  registerAttachments(app, { attachments, engine });
  return { attachments, intake, nativeHooks };
}

function registerDecisions(app: FastifyInstance, { options, open }: Ground, decisions: OpenDecisions, { ledger }: OpenRecord): void {
  const { engine, rules: policy, remembering, places } = decisions;
  registerRequests(app, { engine, remembering });
  registerStanding(app, { engine });
  registerControl(app, { engine, ledger, policy, remembering });
  const study = open.use(new StudyDesk({ places, ledgerPath: options.home.ledger }));
  registerPolicy(app, { engine, ledger, policy, study });
}

function registerStatus(app: FastifyInstance, { options, startedAt }: Ground, { record, aaep }: RoutePorts): void {
  const { home, version, configuration } = options;
  const { ledger, fanout, views, admission, meter, sleep } = record;
  registerApi(app, {
    ledger,
    status: () => ({
      version,
      startedAt,
      waitingBytes: admission.waitingBytes,
      sleptUntil: sleep.sleptUntil ?? null,
      ...(configuration === undefined ? {} : { configuration }),
    }),
    verify: (session) => watchVerification(home.ledger, session?.key),
  });
  const startedAwake = sleep.awakeNow();
  registerMetrics(app, async () => [
    ...meter.metrics(),
    ...readGauges({
      version,
      head: await ledger.head(),
      viewsPosition: views.position,
      queueBytes: admission.waitingBytes,
      listeners: fanout.listeners,
      subscriptions: aaep.opened?.producer.attached ?? 0,
      uptimeSeconds: (sleep.awakeNow() - startedAwake) / 1000,
      sleptSeconds: sleep.sleptMs / 1000,
      files: [home.ledger, `${home.ledger}-wal`, home.views, `${home.views}-wal`],
    }),
  ]);
}

/** The stream of the official collector is about its own protocol. */
function tellAop(alert: Alert, hear: (raised: RaisedAlert) => void): void {
  if (alert.protocol === "aop") hear({ position: alert.position, alert: toAopAlert(alert) });
}
