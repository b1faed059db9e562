import { existsSync } from "node:fs";
import type { Server } from "node:http";
import type { OpenAaep } from "./aaep/open-aaep.ts";
import { type Cluster, SINGLE_HUB } from "./cluster/cluster.ts";
import type { MemberOptions } from "./cluster/member.ts";
import { explainFullDisk } from "./full-disk.ts";
import { prepareHome, removeAddress, writeAddress } from "./home.ts";
import { deliverSpool } from "./hooks/spool-delivery.ts";
import { answerUnready, portOfServer, type RequestHandler } from "./http/listen.ts";
import type { HubAudience, HubContext, HubOptions, RunningHubHandle } from "./hub-options.ts";
import type { Lazy } from "./lazy.ts";
import { takeLock } from "./ledger/lock.ts";
import { inspectLedgerFile } from "./ledger/sqlite/open-file.ts";
import { describeErrorForLog, HubLog, type LogLevel, maskCredentials } from "./log.ts";
import { RepeatedTask } from "./repeated-task.ts";
import { openLazyAaep } from "./wiring/open-aaep.ts";
import { openAccessParts } from "./wiring/open-access.ts";
import { type DecisionParts, openDecisions } from "./wiring/open-decisions.ts";
import { firstHost, LOOPBACK_HOST, listenSomewhere, openListening, stopServer } from "./wiring/open-listening.ts";
import { openRecord, type RecordParts } from "./wiring/open-record.ts";
import { recordApprovers } from "./wiring/record-approvers.ts";
import { registerRoutes } from "./wiring/register-routes.ts";

const SPOOL_DELIVERY_MS = 1000;

/** Starts the hub, or throws a problem that says why it cannot run here. */
export async function startHub(options: HubOptions): Promise<RunningHubHandle> {
  try {
    return await putTogether(options);
  } catch (error) {
    throw explainFullDisk(error, options.home.folder);
  }
}

/** Opens the home and the port first, so that early requests get an answer; then its rooms; then it answers. Closes in reverse order. */
async function putTogether(options: HubOptions): Promise<RunningHubHandle> {
  const { home, version } = options;
  const startedAt = new Date().toISOString();
  await using open = new AsyncDisposableStack();

  // A file that is no ledger is refused before anything is changed.
  const isNew = options.store === undefined ? inspectLedgerFile(home.ledger) === undefined : !existsSync(home.lastStart);
  prepareHome(home);
  if (options.clusterKeyFile !== undefined) {
    const { deriveSharedSecrets } = await import("./cluster/shared-secrets.ts");
    deriveSharedSecrets(home, options.clusterKeyFile);
  }
  const lock = takeLock(home.ledger, { pid: process.pid, started: startedAt });
  open.defer(() => lock.release());
  let present: RequestHandler = answerUnready(version, "The hub is starting.");
  const logFile = open.use(new HubLog(home.log, Date.now));
  const tell = (level: LogLevel, message: string) => {
    logFile.write(level, message);
    options.log?.(maskCredentials(message));
  };
  const onFailure = (error: unknown) => tell("failure", describeErrorForLog(error));
  const handle: RequestHandler = (request, response) => present(request, response);
  const server = await listenSomewhere(handle, firstHost(options.dangerousAddress), options.port);
  open.defer(() => stopServer(server));
  const url = `http://${LOOPBACK_HOST}:${portOfServer(server)}`;
  lock.update({ pid: process.pid, started: startedAt, address: url });

  const cluster = open.use(await openCluster(options, { url, version, onFailure }));
  const context: HubContext = { options, open, url, cluster, startedAt, logFile, tell, onFailure };
  const stopping = new AbortController();
  const rooms = await openRooms(context, { isNew, stopping: stopping.signal, server, handle });
  const { record, own, app } = rooms;
  present = (request, response) => app.routing(request, response);
  if (existsSync(home.attachments)) void rooms.attachments.open().catch(onFailure);
  const deliver = () => deliverSpool(home.hookSpool, own.access.producer, rooms.engine.intake, onFailure);
  void open.use(new RepeatedTask(deliver, onFailure, SPOOL_DELIVERY_MS)).run();
  writeAddress(home, {
    url,
    pid: process.pid,
    startedAt,
    version,
    startedWith: options.startedWith ?? [],
    ...(options.store === undefined ? {} : { store: options.store }),
  });
  open.defer(() => removeAddress(home, process.pid));
  logFile.write("info", "started", { url, version, pid: process.pid });
  const parts = open.move();
  let closing: Promise<number> | undefined;
  const stop = () => {
    present = answerUnready(version, "The hub is stopping.");
    stopping.abort();
  };
  const close = () => {
    closing ??= closeHub({ ...rooms, ...record, stop, logFile, parts });
    return closing;
  };
  const { ledger, retention, sleep } = record;
  return {
    url,
    ledger,
    isNew,
    retention,
    access: own.access,
    routes: app.routeList,
    sleep,
    audience: () => readAudience(record, rooms.aaep),
    close,
    [Symbol.asyncDispose]: async () => void (await close()),
  };
}

async function readAudience({ ledger, live }: Pick<RecordParts, "ledger" | "live">, aaep: Lazy<OpenAaep>): Promise<HubAudience> {
  const producer = (await aaep.opening)?.producer;
  const isSettled = live.isSettledAt(await ledger.head()) && (producer?.isSettled ?? true);
  return { listeners: live.listeners + (producer?.attached ?? 0), isSettled };
}

interface Starting {
  /** Whether the ledger was just created. */
  readonly isNew: boolean;
  readonly stopping: AbortSignal;
  readonly server: Server;
  readonly handle: RequestHandler;
}

/** Opens the ledger and its followers, access, decisions and routes, and the other listening addresses. */
async function openRooms(context: HubContext, { isNew, stopping, server, handle }: Starting) {
  let aaepSocket: string | undefined;
  const record = await openRecord(context);
  const own = openAccessParts(context, { isNew });
  await own.access.begin();
  record.onAlarm((message) => own.alarm(message));
  context.open.use(
    await recordApprovers({ ledger: record.ledger, access: own.access, now: context.cluster.now, onFailure: context.onFailure }),
  );
  const decisions = await openDecisions(context, record, own);
  const aaep = openLazyAaep(context, { record, own, decisions, socket: () => aaepSocket });
  const routes = { record, own, decisions, aaep, aaepSocket: () => aaepSocket, stopping };
  const { app, attachments } = await registerRoutes(context, routes);
  const onAaepSocket = (path: string) => {
    aaepSocket = path;
  };
  await record.begun; // its thread starts while the other rooms are opened
  const servers = await openListening(context, { server, handle, own, aaep, onAaepSocket });
  return { record, own, engine: decisions.engine, aaep, app, attachments, servers };
}

/** A store that a test opens by itself has no other hubs. */
async function openCluster({ store, home, openLedger }: HubOptions, member: MemberOptions): Promise<Cluster> {
  if (store === undefined || openLedger !== undefined) return SINGLE_HUB;
  const { joinCluster } = await import("./cluster/open-cluster.ts");
  return joinCluster(store, home, member);
}

interface Closing extends Pick<RecordParts, "ledger" | "live">, Pick<DecisionParts, "engine"> {
  /** Stops accepting connections. */
  readonly stop: () => void;
  readonly attachments: { close(): Promise<void> };
  readonly aaep: { close(): Promise<void> };
  readonly servers: readonly Server[];
  readonly logFile: HubLog;
  readonly parts: AsyncDisposableStack;
}

/** Sends listeners their resume point and answers pending requests before the ledger closes. Returns the last position. */
async function closeHub({ stop, ledger, live, attachments, engine, aaep, servers, logFile, parts }: Closing): Promise<number> {
  let position = await ledger.head();
  ledger.follow((head) => {
    position = head;
  });
  stop();
  await attachments.close();
  await engine.close(); // who waits for an answer is told to ask again
  const stopped = servers.map(stopServer);
  await Promise.all([aaep.close(), live.close()]);
  await Promise.all(stopped);
  logFile.write("info", "stopped", { position });
  await parts.disposeAsync();
  return position;
}
