import type { ControlView, Listed, SessionView } from "@earshot/hub";
import { CODING_AGENTS } from "@earshot/protocol/coding-agents";
import type { ReactNode } from "react";
import { useRead } from "../../hub/use-hub.ts";
import { CopyText } from "../../parts/copy-text.tsx";
import { Link } from "../../parts/link.tsx";
import { Moment } from "../../parts/moment.tsx";
import { hrefOf } from "../../route.ts";

/** Setup commands for each agent and SDK, and whether its events arrive. */
// biome-ignore lint/style/noDefaultExport: pages are loaded when they are opened, and React asks for a default export
export default function ConnectPage(): ReactNode {
  const control = useRead<ControlView>("/api/control", {
    changes: (news) => news.requests.some(({ what }) => what === "control" || what === "alarm"),
  }).answer;
  return (
    <>
      <h1>Agents</h1>
      <section className="panel" aria-labelledby="all-title">
        <h2 id="all-title">All coding agents on this machine</h2>
        <p>Finds those that are installed, shows what it will write, and asks before it does. Nothing of yours is overwritten.</p>
        <CopyText text="npx earshot init" what="the command that connects all coding agents" />
        <p className="soft">
          <code>npx earshot doctor</code> tells whether everything holds; <code>npx earshot init --undo</code> takes it out again.
        </p>
      </section>
      <h2>One at a time</h2>
      <p>Registers a hook in the agent's settings, beside what is there, and proves that the gate holds.</p>
      <ul className="rows two">
        {AGENT_WAYS.map((way) => (
          <WayRow key={way.title} way={way} gate={control?.notGated.find(({ agent }) => way.agents?.includes(agent) === true)} />
        ))}
      </ul>
      <h2>Programs of your own</h2>
      <ul className="rows">
        {PROGRAMS.map((way) => (
          <WayRow key={way.title} way={way} />
        ))}
      </ul>
      <h2>No agent installed?</h2>
      <p>A story of about 40 seconds, with three agents in three protocols, one of which waits for you:</p>
      <CopyText text="npx earshot demo" what="the command that plays a story" />
    </>
  );
}

/** Sessions of `earshot demo`: a simulated agent is not a connected one. */
const DEMO = /^(?:demo-|sess_demo)/;

interface WayRowProps {
  readonly way: Way;
  /** Why its gate is open, if the hub knows that it is. */
  readonly gate?: ControlView["notGated"][number] | undefined;
}

function WayRow({ way, gate }: WayRowProps): ReactNode {
  const { title, about, text, agents, protocol } = way;
  const filter = agents !== undefined ? `&agent=${agents.join(",")}` : protocol !== undefined ? `&protocol=${protocol}` : "";
  const heard = useRead<Listed<SessionView>>(filter === "" ? undefined : `/api/sessions?limit=20${filter}`, {
    changes: (news) => news.entries.some((entry) => agents?.includes(entry.agent) === true || entry.protocol === protocol),
    everyMs: 3000,
  });
  const last = heard.answer?.items.find(({ id }) => !DEMO.test(id));
  return (
    <li className="row">
      <h3>
        {title}
        {last === undefined ? null : <span className="status good">Heard</span>}
        {gate === undefined ? null : <span className="status bad">Not gated</span>}
      </h3>
      {gate === undefined ? null : (
        <p className="bad">
          <strong>Not gated.</strong> {`${gate.reason} ${gate.advice}`}
        </p>
      )}
      {about === undefined ? null : <p>{about}</p>}
      <CopyText text={text(location.origin)} what={`how to connect ${title}`} />
      {filter === "" ? null : (
        <p className="soft">
          {last === undefined ? (
            heard.answer === undefined ? (
              "Looking."
            ) : (
              "No events received yet."
            )
          ) : (
            <>
              Last heard <Moment at={last.lastHeardAt} />: <Link href={hrefOf("session", last.key)}>{last.goal ?? last.id}</Link>
            </>
          )}
        </p>
      )}
    </li>
  );
}

/** One way to connect: the commands or code, and the agents that it covers. */
interface Way {
  readonly title: string;
  readonly about?: string;
  readonly text: (url: string) => string;
  /** Agents whose sessions prove that it works; absent if any session does. */
  readonly agents?: readonly string[];
  readonly protocol?: "aaep" | "aep" | "aop";
}

const RUNS_ON = "Runs a tool whose hook fails, and has no setting against that. The hub raises an alarm when the hook cannot be run.";

const AGENT_WAYS: readonly Way[] = CODING_AGENTS.map(({ slug, name, runsOn }) => ({
  title: name,
  ...(runsOn ? { about: RUNS_ON } : {}),
  text: () => `npx earshot init --agent ${slug}`,
  agents: [slug],
}));

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
    title: "An AOP client that you have",
    about: "The hub is a drop-in collector: only the address changes.",
    protocol: "aop",
    text: (url) => `AOP_ENDPOINT=${url}`,
  },
  {
    title: "Your own agent, in AEP",
    about: "Says what it does, and waits for allow or deny before it does it.",
    protocol: "aep",
    text: () => 'import { aep } from "@earshot/sdk";\nconst answer = await aep.decide({ type: "action.requested", … });',
  },
  {
    title: "Anything that can post JSON",
    about: "One event, an array, or one a line; any of the three protocols.",
    text: (url) => `curl -H 'content-type: application/json' -d @event.json ${url}/v1/events`,
  },
];
