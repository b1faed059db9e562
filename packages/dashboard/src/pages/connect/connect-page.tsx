import type { AgentList, AgentSetup, ControlView, Listed, SessionView } from "@earshot/hub";
import { CODING_AGENTS } from "@earshot/protocol/coding-agents";
import type { ReactNode } from "react";
import { useEvery, useHubRead } from "../../hub/use-hub.ts";
import { CopyText } from "../../parts/copy-text.tsx";
import { PageLink } from "../../parts/link.tsx";
import { ShortTime } from "../../parts/moment.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { hrefOf } from "../../route.ts";
import { PlayDemo } from "../overview/first-steps.tsx";
import { ConnectAgent } from "./connect-agent.tsx";

const LOOK_EVERY_MS = 3000;

/** The coding agents on this machine with gate, version and last event; how to connect others; and programs. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function ConnectPage(): ReactNode {
  const { answer, problem, again } = useHubRead<AgentList>("/api/agents");
  const control = useHubRead<ControlView>("/api/control", {
    changes: (news) => news.requests.some(({ what }) => what === "control" || what === "alarm"),
  }).answer;
  useEvery(LOOK_EVERY_MS, again);
  const stateOf = (slug: string) => answer?.agents.find(({ agent }) => agent === slug);
  const here = CODING_AGENTS.filter(({ slug }) => isHere(stateOf(slug)));
  const others = CODING_AGENTS.filter(({ slug }) => !isHere(stateOf(slug)));
  const canConnect = answer?.canConnect === true;
  return (
    <>
      <h1>Agents</h1>
      <ProblemNote problem={problem} />
      <section aria-labelledby="here-title">
        <h2 id="here-title">On this machine</h2>
        {answer === undefined ? (
          <p className="soft">Looking.</p>
        ) : here.length === 0 ? (
          <p className="soft">No coding agent was found on the hub's machine. Below, you can connect an agent before you install it.</p>
        ) : (
          <ul className="rows">
            {here.map(({ slug, name, runsOn }) => (
              <AgentRow
                key={slug}
                name={name}
                agent={stateOf(slug) ?? { agent: slug, foundBy: null, version: null, files: [] }}
                fault={control?.notGated.find(({ agent }) => agent === slug)}
                runsOn={runsOn}
                canConnect={canConnect}
                onDone={again}
              />
            ))}
          </ul>
        )}
        <p className="soft">
          <code>npx earshot doctor</code> checks everything; <code>npx earshot init --undo</code> removes the hooks.
        </p>
      </section>
      <section aria-labelledby="others-title">
        <h2 id="others-title">Other coding agents</h2>
        <details>
          <summary>{`${others.length} more that Earshot can gate`}</summary>
          <dl className="way-list">
            {others.map(({ slug, name }) => (
              <div key={slug}>
                <dt>{name}</dt>
                <dd>
                  <CopyText text={`npx earshot init --agent ${slug}`} what={`how to connect ${name}`} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      </section>
      <h2>Programs of your own</h2>
      <ul className="rows two">
        {PROGRAMS.map((way) => (
          <WayRow key={way.title} way={way} />
        ))}
      </ul>
      <section aria-labelledby="demo-title">
        <h2 id="demo-title">No agent installed?</h2>
        <p>The demo takes about 40 seconds: three agents in three protocols, one of which waits for you.</p>
        <PlayDemo canPlay={canConnect} />
      </section>
    </>
  );
}

function isHere(agent: AgentSetup | undefined): boolean {
  return agent !== undefined && (agent.foundBy !== null || agent.files.length > 0);
}

interface AgentRowProps {
  readonly name: string;
  readonly agent: AgentSetup;
  /** Why its gate is open, if the hub knows that it is. */
  readonly fault: ControlView["notGated"][number] | undefined;
  /** Whether it runs a tool whose hook fails. */
  readonly runsOn: boolean;
  readonly canConnect: boolean;
  readonly onDone: () => void;
}

function AgentRow({ name, agent, fault, runsOn, canConnect, onDone }: AgentRowProps): ReactNode {
  const last = useLastHeard({ agent: agent.agent });
  const isConnected = agent.files.length > 0;
  return (
    <li className="row agent-row">
      <div className="agent-head">
        <h3>
          {name} {agent.version === null ? null : <span className="soft">{agent.version}</span>}
        </h3>
        {fault !== undefined ? (
          <span className="status bad">Not gated</span>
        ) : isConnected ? (
          <span className="status good">Gated</span>
        ) : (
          <span className="status warn">Not connected</span>
        )}
        <LastHeard last={last} />
      </div>
      {fault === undefined ? null : <p className="bad">{`${fault.reason} ${fault.advice}`}</p>}
      {isConnected && runsOn ? <p className="soft">{RUNS_ON}</p> : null}
      <p className="soft">{isConnected ? `Hooks in ${agent.files.join(", ")}` : `Found: ${agent.foundBy}`}</p>
      <ConnectAgent agent={agent.agent} name={name} canConnect={canConnect} isConnected={isConnected} onDone={onDone} />
    </li>
  );
}

/** Sessions of `earshot demo`: a simulated agent is not a connected one. */
const DEMO = /^(?:demo-|sess_demo)/;

interface Heard {
  readonly session: SessionView | undefined;
  readonly wasRead: boolean;
}

/** The newest session of an agent, or of a protocol, that is not of the demo. */
function useLastHeard(of: { readonly agent: string } | { readonly protocol: string } | undefined): Heard {
  const { answer } = useHubRead<Listed<SessionView>>(of === undefined ? undefined : `/api/sessions?limit=20&${new URLSearchParams(of)}`, {
    changes: (news) =>
      of !== undefined && news.entries.some((entry) => ("agent" in of ? entry.agent === of.agent : entry.protocol === of.protocol)),
    everyMs: LOOK_EVERY_MS,
  });
  return { session: answer?.items.find(({ id }) => !DEMO.test(id)), wasRead: answer !== undefined };
}

function LastHeard({ last: { session, wasRead } }: { readonly last: Heard }): ReactNode {
  return (
    <span className="soft last-heard">
      {session === undefined ? (
        wasRead ? (
          "No events received yet."
        ) : (
          "Looking."
        )
      ) : (
        <>
          Last event <ShortTime at={session.lastHeardAt} />:{" "}
          <PageLink href={hrefOf("session", session.key)}>{session.goal ?? session.id}</PageLink>
        </>
      )}
    </span>
  );
}

function WayRow({ way: { title, about, text, protocol } }: { readonly way: Way }): ReactNode {
  const last = useLastHeard(protocol === undefined ? undefined : { protocol });
  return (
    <li className="row">
      <h3>{title}</h3>
      <p>{about}</p>
      <CopyText text={text(location.origin)} what={`how to connect ${title}`} />
      {protocol === undefined ? null : (
        <p>
          <LastHeard last={last} />
        </p>
      )}
    </li>
  );
}

/** One way to connect a program: the code, and the protocol whose sessions prove that it works. */
interface Way {
  readonly title: string;
  readonly about: string;
  readonly text: (url: string) => string;
  readonly protocol?: "aaep" | "aep" | "aop";
}

const RUNS_ON =
  "This agent runs a tool even when its hook fails, and has no setting to prevent that. The hub raises an alarm when the hook cannot run.";

const PROGRAMS: readonly Way[] = [
  {
    title: "Your own agent, in AAEP",
    about: "Perceivable and answerable: speaks in summaries, asks before it acts.",
    protocol: "aaep",
    text: () =>
      'import { aaep } from "@earshot/sdk";\nconst agent = aaep({ agentId: "my-agent" });\nawait agent.run({ summary: "Sorting the mail." }, async (session) => { session.thinking(); });',
  },
  {
    title: "Your own agent, in AOP",
    about: "Observable: thoughts, decisions, tool calls, costs.",
    protocol: "aop",
    text: () =>
      'import { aop } from "@earshot/sdk";\nconst agent = aop({ agentId: "my-agent" });\nawait agent.run({ goal: "Sort the mail" }, async (session) => { session.thought("Newest first."); });',
  },
  {
    title: "An existing AOP client",
    about: "The hub is a drop-in collector: only the address changes.",
    protocol: "aop",
    text: (url) => `AOP_ENDPOINT=${url}`,
  },
  {
    title: "Your own agent, in AEP",
    about: "Reports its actions, and waits for allow or deny before each.",
    protocol: "aep",
    text: () => 'import { aep } from "@earshot/sdk";\nconst answer = await aep.decide({ type: "action.requested", … });',
  },
  {
    title: "Any program that can post JSON",
    about: "One event, an array, or one event per line, in any of the three protocols.",
    text: (url) => `curl -H 'content-type: application/json' -d @event.json ${url}/v1/events`,
  },
];
