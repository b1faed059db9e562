import type { IncomingMessage, Server } from "node:http";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { localSocketPath } from "@earshot/aaep/local-socket";
import { AgentFiles } from "@earshot/agents/files";
import { EarshotError } from "@earshot/protocol";
import type { FastifyInstance } from "fastify";
import { AaepDesk } from "./aaep/aaep-desk.ts";
import { producerIdOf } from "./aaep/producer-id.ts";
import { Access } from "./access/access.ts";
import type { Caller } from "./access/gate.ts";
import { readOrigin } from "./access/names.ts";
import type { Reach } from "./access/own-address.ts";
import { AttachDesk } from "./attach/attach-desk.ts";
import { Engine } from "./decide/engine.ts";
import { HookDesk } from "./decide/hook-desk.ts";
import { isOpen } from "./decide/machine.ts";
import { createPolicyLanguage } from "./decide/policy-language.ts";
import { PolicyStore } from "./decide/policy-store.ts";
import { RememberDesk } from "./decide/remember-desk.ts";
import { takeSecret } from "./decide/secret.ts";
import { principalOf, registerAaep, toPrincipal } from "./edge/aaep-routes.ts";
import { listenForAaep } from "./edge/aaep-socket.ts";
import { attachAaepWebSocket, isAaepUpgrade } from "./edge/aaep-websocket.ts";
import { registerAdmission } from "./edge/admission-routes.ts";
import { toAopAlert } from "./edge/aop-alert.ts";
import { registerAopCollector } from "./edge/aop-collector.ts";
import { type RaisedAlert, registerAopStream } from "./edge/aop-stream.ts";
import { registerApi } from "./edge/api.ts";
import { createApp } from "./edge/app.ts";
import { registerAttachments } from "./edge/attachment-routes.ts";
import { registerControl } from "./edge/control-routes.ts";
import { registerCredentials } from "./edge/credential-routes.ts";
import { EVENT_LIMITS, registerEvents } from "./edge/events.ts";
import { registerFront } from "./edge/front.ts";
import { registerHooks } from "./edge/hook-routes.ts";
import { registerKeeping } from "./edge/keeping-routes.ts";
import { answerUnready, type Handler, listen, portOf } from "./edge/listen.ts";
import { registerLive } from "./edge/live-sse.ts";
import { attachLiveWebSocket } from "./edge/live-websocket.ts";
import { registerMetrics } from "./edge/metrics.ts";
import { PAYLOAD_BYTES, registerNativeHooks } from "./edge/native-hook-routes.ts";
import { registerNotify } from "./edge/notify-routes.ts";
import { registerOpenApi } from "./edge/openapi.ts";
import { registerPolicy } from "./edge/policy-routes.ts";
import { registerProofs } from "./edge/proven-answers.ts";
import { registerRequests } from "./edge/request-routes.ts";
import type { RouteInfo } from "./edge/route-list.ts";
import { listenOnSocket, withCredential } from "./edge/socket.ts";
import { registerStanding } from "./edge/standing-route.ts";
import { registerViews } from "./edge/views-routes.ts";
import { FANOUT_DEFAULTS, Fanout } from "./fanout/fanout.ts";
import { explainFullDisk } from "./full-disk.ts";
import {
  type Home,
  prepareHome,
  proofOf,
  readProducerToken,
  removeAddress,
  takeProducerToken,
  takeViewerToken,
  writeAddress,
} from "./home.ts";
import { writeAccepted } from "./hooks/accepted-policy.ts";
import { NativeHooks } from "./hooks/native-hooks.ts";
import { SpoolDelivery } from "./hooks/spool-delivery.ts";
import { toAccepted } from "./hooks/to-accepted.ts";
import { ADMISSION, Admission } from "./intake/admission.ts";
import { createLifecycle } from "./intake/lifecycle.ts";
import { receive } from "./intake/receive.ts";
import { createSettings, type SourceSettings } from "./intake/source-settings.ts";
import { createKeeping } from "./keeping/keeping.ts";
import { Keeper, RETENTION, type Retention } from "./keeping/retention.ts";
import type { Ledger, Source } from "./ledger/ledger.ts";
import { takeLock } from "./ledger/lock.ts";
import { inspectLedgerFile } from "./ledger/sqlite/open-file.ts";
import { openSqliteLedger } from "./ledger/sqlite/open-ledger.ts";
import type { SqliteLedgerOptions } from "./ledger/sqlite/sqlite-ledger.ts";
import { HubLog, type LogLevel, withoutSecrets } from "./log.ts";
import { readGauges } from "./metrics/gauges.ts";
import { Meter } from "./metrics/meter.ts";
import { findDesktop } from "./notify/find-desktop.ts";
import { Notifier } from "./notify/notifier.ts";
import { Reserve } from "./reserve.ts";
import { withReserve } from "./reserved-ledger.ts";
import { SleepWatch } from "./sleep-watch.ts";
import { tidyMemorySoon } from "./tidy-memory.ts";
import { StudyDesk } from "./trial/study-desk.ts";
import { watchVerification } from "./verification.ts";
import { ALERT_THRESHOLDS, type AlertThresholds } from "./views/alerts/thresholds.ts";
import { openViews } from "./views/open-views.ts";
import type { Alert } from "./views/views.ts";
import type { Whom } from "./whom.ts";

export const DEFAULT_PORT = 4747;
export const AOP_PORT = 4317;
const HOST = "127.0.0.1";

export interface HubOptions {
  readonly home: Home;
  readonly version: string;
  /** Never moved when it is given; otherwise the default, or any free one. */
  readonly port?: number;
  /** Also listen where unmodified AOP clients look. */
  readonly aop?: boolean;
  /** Refuse what breaks a sequence, instead of keeping it with a flag. */
  readonly strict?: boolean;
  /** What is kept of what sources say, by `all`, protocol, or protocol and name. */
  readonly sources?: Readonly<Record<string, Partial<SourceSettings>>>;
  /** Bounds that differ from the usual ones. */
  readonly limits?: { readonly eventBytes?: number; readonly queueBytes?: number; readonly listeners?: number };
  /** The words it was started with, for starting it again in the same way. */
  readonly startedWith?: readonly string[];
  /** Where its settings come from, as the status tells it. */
  readonly configuration?: object;
  /** Where a proxy with TLS stands in front: `https://hub.example`. The hub itself stays on loopback. */
  readonly publicUrl?: URL;
  /** Web applications of other origins that may call for whoever is paired or holds a token. */
  readonly allowOrigins?: readonly string[];
  /** Listen on this address too, without TLS, for anybody who can reach it. */
  readonly dangerousAddress?: string;
  /** How long and how much is kept; 0 is no limit. */
  readonly retention?: Partial<Retention>;
  /** When something is worth an alert. */
  readonly alerts?: Partial<AlertThresholds>;
  readonly log?: (message: string) => void;
  /** The folder of the built dashboard. */
  readonly dashboard?: string;
  /** Whether requests are told on the person's desktop too, where there is one. Off unless it is wanted. */
  readonly notify?: boolean;
  /** Another way to open the ledger: a store of another kind, or one that is made to fail. */
  readonly openLedger?: (path: string, options: SqliteLedgerOptions) => Ledger;
}

export interface Hub extends AsyncDisposable {
  readonly url: string;
  readonly ledger: Ledger;
  readonly access: Access;
  readonly routes: readonly RouteInfo[];
  /** Whether and when it slept: what waits for a sign of life counts from then. */
  readonly sleep: SleepWatch;
  /** Whether there was no ledger before. */
  readonly isNew: boolean;
  readonly retention: Retention;
  /** Fulfils when all that was under way is answered and stored, with the last position. */
  close(): Promise<number>;
}

/** Starts the hub, or throws a problem that says why it cannot run here. */
export async function startHub(options: HubOptions): Promise<Hub> {
  try {
    return await putTogether(options);
  } catch (error) {
    throw explainFullDisk(error, options.home.folder);
  }
}

/** The only place that knows all of the hub's parts. */
async function putTogether(options: HubOptions): Promise<Hub> {
  const { home, version } = options;
  const onFailure = (error: unknown) => tell("failure", describe(error));
  const startedAt = new Date().toISOString();
  await using open = new AsyncDisposableStack();

  const isNew = inspectLedgerFile(home.ledger) === undefined; // a file that is no ledger is refused before anything is touched
  prepareHome(home);
  const lock = takeLock(home.ledger, { pid: process.pid, started: startedAt });
  open.defer(() => lock.release());
  let handler: Handler = answerUnready(version, "The hub is starting.");
  const handle: Handler = (request, response) => handler(request, response);
  const logFile = open.use(new HubLog(home.log, Date.now));
  const tell = (level: LogLevel, message: string) => {
    logFile.write(level, message);
    options.log?.(withoutSecrets(message));
  };
  const log = (message: string) => tell("info", message);
  const { dangerousAddress } = options;
  const takesAll = dangerousAddress === "0.0.0.0" || dangerousAddress === "::";
  const server = await listenSomewhere(handle, takesAll ? dangerousAddress : HOST, options.port);
  open.defer(() => stop(server));
  const url = `http://${HOST}:${portOf(server)}`;
  lock.update({ pid: process.pid, started: startedAt, address: url });

  const settingsOf = createSettings(options.sources ?? {});
  const redacts = (source: Source) => settingsOf(source).redact;
  const lifecycle = createLifecycle({ strict: options.strict === true, redacts, captures: (source) => settingsOf(source).capture });
  const openLedger = options.openLedger ?? openSqliteLedger;
  const meter = new Meter();
  const sleep = open.use(new SleepWatch());
  const stored = openLedger(home.ledger, {
    lifecycle,
    now: Date.now,
    onFailure,
    onCommit: (durationMs) => meter.countCommit(durationMs),
    thread: true,
  });
  open.use(stored);
  const ledger = withReserve(stored, open.use(new Reserve({ path: home.reserve })));
  const { limits = {} } = options;
  const fanout = new Fanout(ledger, {
    onFailure,
    now: () => sleep.awakeNow(), // a listener is not stuck because nobody was awake
    maxListeners: limits.listeners ?? FANOUT_DEFAULTS.maxListeners,
  });
  open.use(fanout);
  const views = await openViews({
    path: home.views,
    ledger,
    ledgerPath: home.ledger,
    now: Date.now,
    log,
    sleptUntil: () => sleep.sleptUntil,
    thresholds: { ...ALERT_THRESHOLDS, ...options.alerts },
  });
  open.use(views);
  const retention = { ...RETENTION, ...options.retention };
  const copies: { forget(): void }[] = [fanout];
  const onCut = () => {
    for (const one of copies) one.forget();
  };
  const keeping = createKeeping({ ledger, views, now: Date.now, onCut });
  open.use(new Keeper({ retention, ports: keeping, log }));
  const admission = new Admission({ ...ADMISSION, queueBytes: limits.queueBytes ?? ADMISSION.queueBytes });
  const expectsFile = readProducerToken(home) !== undefined;
  const files = { viewer: takeViewerToken(home), producer: takeProducerToken(home) };
  const reach: Reach = {
    anyAddress: dangerousAddress !== undefined,
    allowedOrigins: (options.allowOrigins ?? []).map(readOrigin),
    ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
  };
  const agents = new AgentFiles({
    folder: join(home.folder, "agents"),
    onTrouble: (path, [trouble]) => tell("warning", `${path}, line ${trouble?.line ?? 1}: ${trouble?.message ?? ""}`),
  });
  const desktop = options.notify === true ? findDesktop(process.env) : { why: "Notifications are switched off in the settings." };
  const nameOf = async (agent: string) => (await agents.agent(agent))?.mapping.mapping.displayName ?? agent;
  const notifier = "desktop" in desktop ? new Notifier({ ...desktop, nameOf, log: (message) => tell("warning", message) }) : undefined;
  open.defer(() => notifier?.close());
  const access = open.use(
    new Access({
      path: home.access,
      files,
      now: Date.now,
      reach,
      log: (message) => tell("warning", message),
      onAlarm: (whom) => notifier?.guard(whom),
      expectsFile,
    }),
  );
  const alarm = (message: string, whom?: Whom) => access.raise(message, whom);
  if (isNew && expectsFile) alarm("There was no ledger any more: what was recorded, and the rules that were accepted, are gone.");
  const monotonic = () => performance.now();
  const places = { home: homedir(), earshot: home.folder };
  const language = createPolicyLanguage(basename(home.policy), places);
  const hookKey = takeSecret(home.hookKey);
  const rules = await PolicyStore.open({
    path: home.policy,
    language,
    ledger,
    now: Date.now,
    monotonic,
    onAccepted: (text) => writeAccepted(home.acceptedPolicy, hookKey, toAccepted(text, basename(home.policy))),
    home: places.home,
    tell: alarm,
    onFailure,
  });
  const requestKey = takeSecret(home.requestKey);
  const engine = await Engine.open({
    ledger,
    rules,
    places,
    secret: requestKey,
    monotonic,
    awake: () => sleep.awakeNow(),
    sleptUntil: () => sleep.sleptUntil,
    now: Date.now,
    alarm,
    onFailure,
    isAlone: true, // the lock says so
  });
  open.use(engine);
  void notifier
    ?.follow({
      wait: (after, ms, signal) => engine.news.wait(after, ms, signal),
      findOpen: async (request) => {
        const held = await engine.find(request);
        return isOpen(held.machine) ? held.card.asked : undefined;
      },
    })
    .catch(onFailure);
  const { publicUrl } = options;
  let aaepSocket: string | undefined;
  const admit = (request: IncomingMessage): Caller => {
    const caller = access.gate.check(request, { access: "viewer" });
    if (caller.credential !== undefined) access.connections.keep(caller.credential, request.socket);
    return caller;
  };
  const aaep = new AaepDesk({
    home,
    ledger,
    views,
    engine,
    secret: requestKey,
    identity: () => ({
      agentId: producerIdOf(home),
      version,
      url: publicUrl?.origin ?? url,
      socket: aaepSocket,
      maxSubscriptions: limits.listeners ?? FANOUT_DEFAULTS.maxListeners,
    }),
    principalOf,
    authorise: (request) => toPrincipal(admit(request)),
    admit: (shown, peer) => {
      const caller = access.gate.admit(shown, "read");
      if (caller.credential !== undefined) access.connections.keep(caller.credential, peer);
      return toPrincipal(caller);
    },
    now: Date.now,
    onFailure,
  });
  open.use(aaep);
  copies.push(aaep);
  const hooks = new HookDesk({ engine, ledger, rules, now: Date.now, onFailure });
  const native = new NativeHooks({ agents, engine, hooks, ledger, now: Date.now, redacts });
  const remembering = new RememberDesk({ engine, policy: rules, places, now: Date.now });
  const app = createApp({ gate: access.gate, connections: access.connections, onFailure });
  registerFront(app, {
    version,
    listeners: () => fanout.listeners,
    prove: (challenge) => proofOf(files.viewer, challenge),
    dashboard: options.dashboard,
  });
  registerAdmission(app, access);
  registerCredentials(app, access);
  registerOpenApi(app, { version });
  registerLive(app, { fanout, onAlert: (hear) => views.onAlert(hear) });
  registerAopCollector(app, { ledger, views, onCut });
  registerKeeping(app, { ...keeping, retention });
  registerAopStream(app, { fanout, now: Date.now, onAlert: (hear) => views.onAlert((alert) => tellAop(alert, hear)) });
  registerViews(app, { ledger, views });
  const eventLimits = { ...EVENT_LIMITS, eventBytes: limits.eventBytes ?? EVENT_LIMITS.eventBytes };
  const stopping = new AbortController();
  const intake = { ledger, admission, now: Date.now, redacts, stopping: stopping.signal, meter, asking: engine };
  registerEvents(app, intake, eventLimits);
  const attachments = new AttachDesk({
    path: home.attachments,
    ledger,
    engine,
    receive: (pieces, name) => receive(pieces, { name, verified: true, protocol: "aaep" }, intake, eventLimits.roomMs),
    version,
    eventBytes: eventLimits.eventBytes,
    ownAddresses: () => [
      url,
      ...(aaepSocket === undefined ? [] : [`unix:${aaepSocket}`]),
      ...(publicUrl === undefined ? [] : [publicUrl.origin]),
    ],
    onFailure,
  });
  open.use(attachments);
  registerAttachments(app, { attachments, engine });
  registerRequests(app, { engine, remembering });
  registerNotify(app, { notifier, why: "why" in desktop ? desktop.why : undefined });
  registerAaep(app, aaep);
  registerHooks(app, { engine, hooks, now: Date.now, redacts, eventBytes: eventLimits.eventBytes, admission });
  registerNativeHooks(app, { native, payloadBytes: PAYLOAD_BYTES, admission });
  registerProofs(app, hookKey);
  registerStanding(app, { engine });
  registerControl(app, { engine, ledger, policy: rules, remembering });
  const study = open.use(new StudyDesk({ places, ledgerPath: home.ledger }));
  registerPolicy(app, { engine, ledger, policy: rules, study });
  registerApi(app, {
    ledger,
    status: () => ({
      version,
      startedAt,
      waitingBytes: admission.waitingBytes,
      sleptUntil: sleep.sleptUntil ?? null,
      ...(options.configuration === undefined ? {} : { configuration: options.configuration }),
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
  await app.ready();
  open.defer(() => app.close());
  const servers = [server, ...(options.aop === true ? await listenForAop(handle) : [])];
  if (dangerousAddress !== undefined && !takesAll) servers.push(await listen(handle, { host: dangerousAddress, port: portOf(server) }));
  try {
    const isPipe = process.platform === "win32";
    servers.push(await listenOnSocket(isPipe ? handle : withCredential(handle, files.producer), home.socket));
  } catch (error) {
    tell("warning", `There is no socket for hooks: ${describe(error)}`);
  }
  try {
    const path = localSocketPath(producerIdOf(home));
    open.defer(await listenForAaep(path, aaep, onFailure));
    aaepSocket = path;
  } catch (error) {
    tell("warning", `There is no socket for AAEP: ${describe(error)}`);
  }
  for (const one of servers.slice(1)) open.defer(() => stop(one));
  for (const one of servers) {
    open.defer(attachLiveWebSocket(one, { fanout, authorise: admit, onFailure, isElsewhere: isAaepUpgrade }));
    open.defer(attachAaepWebSocket(one, aaep, onFailure));
  }
  handler = route(app);
  attachments.start();
  const spool = { folder: home.hookSpool, source: access.producer, ledger, engine, now: Date.now, redacts, onFailure };
  void open.use(new SpoolDelivery(spool)).deliver();
  writeAddress(home, { url, pid: process.pid, startedAt, version, startedWith: options.startedWith ?? [] });
  open.defer(() => removeAddress(home, process.pid));
  logFile.write("info", "started", { url, version, pid: process.pid });

  let seen = 0;
  open.use(
    tidyMemorySoon(() => {
      const before = seen;
      seen = meter.transactions;
      return seen !== before;
    }),
  );

  const parts = open.move();
  let closing: Promise<number> | undefined;
  const closeAll = async () => {
    // Nobody new is let in, listeners are told where to resume, and requests under way are answered before the ledger closes.
    let position = await ledger.head();
    ledger.follow((head) => {
      position = head;
    });
    handler = answerUnready(version, "The hub is stopping.");
    stopping.abort();
    await attachments.close();
    await engine.close(); // who waits for an answer is told to ask again
    const stopped = servers.map(stop);
    await Promise.all([aaep.close(), fanout.close()]);
    await Promise.all(stopped);
    logFile.write("info", "stopped", { position });
    await parts.disposeAsync();
    return position;
  };
  const close = () => {
    closing ??= closeAll();
    return closing;
  };
  return {
    url,
    ledger,
    isNew,
    retention,
    access,
    routes: app.routeList,
    sleep,
    close,
    [Symbol.asyncDispose]: async () => void (await close()),
  };
}

function route(app: FastifyInstance): Handler {
  return (request, response) => app.routing(request, response);
}

async function listenSomewhere(handler: Handler, host: string, port: number | undefined): Promise<Server> {
  if (port !== undefined) return listen(handler, { host, port });
  try {
    return await listen(handler, { host, port: DEFAULT_PORT });
  } catch (error) {
    if (!EarshotError.is(error) || error.problem.code !== "PORT_TAKEN") throw error;
    return listen(handler, { host, port: 0 });
  }
}

/** Clients look for `localhost`, which may be either loopback. Where there is no IPv6, one is enough. */
async function listenForAop(handler: Handler): Promise<readonly Server[]> {
  const first = await listen(handler, { host: HOST, port: AOP_PORT });
  try {
    return [first, await listen(handler, { host: "::1", port: AOP_PORT })];
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT") return [first];
    await stop(first);
    throw error;
  }
}

/** Requests under way are finished; connections that only wait are closed, at once or when their answer is out. */
function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    const late = setTimeout(() => server.closeAllConnections(), 2000);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** The stream of the official collector is about its own protocol. */
function tellAop(alert: Alert, hear: (raised: RaisedAlert) => void): void {
  if (alert.protocol === "aop") hear({ position: alert.position, alert: toAopAlert(alert) });
}

function describe(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return cause instanceof Error ? `${text} (${cause.message})` : text;
}
