import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { AgentFiles } from "@earshot/agents/files";
import { HubAccessControl } from "../access/access.ts";
import type { Caller } from "../access/gate.ts";
import { readOrigin } from "../access/names.ts";
import type { HubReach } from "../access/own-address.ts";
import type { AgentAndFolder } from "../agent-and-folder.ts";
import { readProducerTokenFile, takeProducerToken, takeSecret, takeViewerToken } from "../home.ts";
import type { HubContext, HubOptions } from "../hub-options.ts";
import { findDesktop } from "../notify/desktops.ts";
import { RequestNotifier } from "../notify/notifier.ts";

/** Nobody saves a file and starts an agent faster; hooks arrive by the dozen. */
const AGENTS_REST_MS = 500;

/** Access control, and notifications without a page. */
export interface AccessParts {
  readonly access: HubAccessControl;
  readonly tokens: { readonly viewer: string; readonly producer: string };
  readonly agents: AgentFiles;
  /** Sets the source of the accepted agent files. Until it is called, none are accepted. */
  readonly agentsAcceptedBy: (isAccepted: (slug: string, hash: string) => boolean) => void;
  /** Undefined if there is no desktop or it is not wanted; then `why`. */
  readonly notifier: RequestNotifier | undefined;
  readonly why: string | undefined;
  readonly alarm: (message: string, whom?: AgentAndFolder) => void;
  /** Admits viewers, and ends the connection when their credential is revoked. */
  readonly admit: (request: IncomingMessage) => Caller;
}

export function openAccessParts({ options, open, cluster, tell }: HubContext, { isNew }: { readonly isNew: boolean }): AccessParts {
  const { home } = options;
  const expectsFile = readProducerTokenFile(home) !== undefined;
  const tokens = { viewer: takeViewerToken(home), producer: takeProducerToken(home) };
  let isAccepted = (_slug: string, _hash: string) => false;
  const agents = new AgentFiles({
    isAccepted: (slug, hash) => isAccepted(slug, hash),
    onWaiting: (slug, folder) =>
      alarm(`Files in ${folder} would change how ${slug} is heard and answered. They wait for an approver: earshot policy accept.`),
    folder: join(home.folder, "agents"),
    restMs: AGENTS_REST_MS,
    onTrouble: (path, [trouble]) => tell("warning", `${path}, line ${trouble?.line ?? 1}: ${trouble?.message ?? ""}`),
  });
  const warn = (message: string) => tell("warning", message);
  const desktop = options.notify === true ? findDesktop(process.env) : { why: "Notifications are switched off in the settings." };
  const nameOf = async (agent: string) => (await agents.agent(agent))?.mapping.mapping.displayName ?? agent;
  const notifier = "desktop" in desktop ? new RequestNotifier({ ...desktop, nameOf, log: warn }) : undefined;
  open.defer(() => notifier?.close());
  const access = open.use(
    new HubAccessControl({
      path: home.access,
      sealPath: home.accessSeal,
      sealKey: takeSecret(home.hookKey),
      files: tokens,
      now: cluster.now,
      reach: reachOf(options),
      log: warn,
      onAlarm: (whom) => notifier?.guard(whom),
      expectsFile,
      documents: cluster.documents,
    }),
  );
  const alarm = (message: string, whom?: AgentAndFolder) => access.raise(message, whom);
  const agentsAcceptedBy: AccessParts["agentsAcceptedBy"] = (accepts) => {
    isAccepted = accepts;
  };
  if (isNew && expectsFile && cluster.isAlone)
    alarm("There was no ledger any more: what was recorded, and the rules that were accepted, are gone.");
  const admit = (request: IncomingMessage): Caller => {
    const caller = access.gate.check(request, { access: "viewer" });
    access.connections.keep(caller, request.socket);
    return caller;
  };
  return { access, tokens, agents, notifier, why: "why" in desktop ? desktop.why : undefined, alarm, admit, agentsAcceptedBy };
}

function reachOf({ dangerousAddress, allowOrigins = [], publicUrl, isOpenToReaders = false }: HubOptions): HubReach {
  return {
    anyAddress: dangerousAddress !== undefined,
    isOpenToReaders,
    allowedOrigins: allowOrigins.map(readOrigin),
    ...(publicUrl === undefined ? {} : { publicUrl }),
  };
}
