import { CODING_AGENTS } from "@earshot/protocol/coding-agents";

/** How something is connected: what to run or write, and by which agent it is heard. */
export interface Way {
  readonly title: string;
  readonly about?: string;
  readonly text: (url: string) => string;
  /** Agents whose sessions show that it works; none where any will do. */
  readonly agents?: readonly string[];
  readonly protocol?: "aaep" | "aep" | "aop";
}

const RUNS_ON = "Runs a tool whose hook fails, and has no setting against that. The hub raises an alarm when the hook cannot be run.";

export const AGENT_WAYS: readonly Way[] = CODING_AGENTS.map(({ slug, name, runsOn }) => ({
  title: name,
  ...(runsOn ? { about: RUNS_ON } : {}),
  text: () => `npx earshot init --agent ${slug}`,
  agents: [slug],
}));

export const PROGRAMS: readonly Way[] = [
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
