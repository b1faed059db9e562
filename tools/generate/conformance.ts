import { CATALOGUE_EDITION, PROTOCOLS, type ProtocolName, type Rule } from "@earshot/protocol";
import { type GeneratedCase, WHOLE_SESSIONS } from "./whole-sessions.ts";

/** The description of each document. A topic's name is its file name. */
const TOPICS: Readonly<Record<string, string>> = {
  envelope: "members that every event may carry, unique ids, and the order of events",
  lifecycle: "how sessions start and end",
  progress: "announced states and progress",
  tools: "tool calls",
  output: "streamed output",
  confirmations: "confirmations, clarifications, handoffs and the replies to them",
  subscriptions: "handshakes, filters, rates and manifests",
  content: "prompts, questions, notifications, errors and workspaces",
  actions: "requested actions and their outcomes",
  responses: "responses of hooks to requested actions",
  cognition: "thoughts, goals, decisions and uncertainty",
  operations: "tools, spawned agents, memory and external calls",
  sessions: "whole sessions",
};

/** The topic for the first part of an event type: a rule belongs to the type that exercises it. */
const TOPIC_OF_TYPE: Readonly<Record<string, keyof typeof TOPICS>> = {
  "*": "envelope",
  session: "lifecycle",
  state: "progress",
  progress: "progress",
  tool: "tools",
  output: "output",
  awaiting: "confirmations",
  handoff: "confirmations",
  confirmation: "confirmations",
  clarification: "confirmations",
  subscription: "subscriptions",
  producer: "subscriptions",
  action: "actions",
  response: "responses",
  cognition: "cognition",
  operation: "operations",
};

/** `agent.tool.invoked/irreversible` belongs to `tools`. */
function topicOf({ exercisedBy: [trigger = "*"] }: Rule): string {
  const [type = ""] = trigger.replace(/^agent\./, "").split(/[./]/);
  return TOPIC_OF_TYPE[type] ?? "content";
}

/** One document per protocol and topic: a valid and an invalid recording for each rule, and whole sessions. */
export function conformanceFiles(): [string, string][] {
  const documents = (Object.keys(PROTOCOLS) as ProtocolName[]).flatMap((protocol) =>
    [...casesOf(protocol)].map(([topic, cases]): [string, string] => [
      `conformance/${protocol}/${topic}.json`,
      toDocument(protocol, topic, cases),
    ]),
  );
  return [...documents, ["conformance/README.md", README]];
}

function casesOf(protocol: ProtocolName): ReadonlyMap<string, readonly GeneratedCase[]> {
  const topics = new Map<string, GeneratedCase[]>();
  for (const [id, rule] of Object.entries(PROTOCOLS[protocol].rules)) {
    const examples = rule.examples();
    if ("told" in examples.passes || "told" in examples.fails) continue;
    const topic = topicOf(rule);
    const cases = topics.get(topic) ?? [];
    topics.set(topic, cases);
    const name = id.slice(protocol.length + 1);
    const shared = { description: rule.title, rules: [id] };
    cases.push(
      { name: `valid/${name}`, ...shared, valid: true, findings: [], recording: examples.passes },
      { name: `invalid/${name}`, ...shared, valid: false, findings: [{ rule: id, severity: rule.severity }], recording: examples.fails },
    );
  }
  topics.set("sessions", [...WHOLE_SESSIONS[protocol]]);
  return topics;
}

/** One line per event: a changed event changes one line of the diff. */
function toDocument(protocol: ProtocolName, topic: string, cases: readonly GeneratedCase[]): string {
  const { version } = PROTOCOLS[protocol];
  return `{
  "description": ${JSON.stringify(`${protocol.toUpperCase()} ${version}: ${TOPICS[topic]}`)},
  "protocol": ${JSON.stringify(protocol)},
  "catalogue": ${JSON.stringify(CATALOGUE_EDITION)},
  "cases": [
${cases.map(toText).join(",\n")}
  ]
}
`;
}

function toText({ recording, ...members }: GeneratedCase): string {
  const lines = Object.entries(members).map(([name, value]) => `      ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  const events = recording.map((event) => `        ${JSON.stringify(event)}`);
  return ["    {", ...lines, '      "recording": [', events.join(",\n"), "      ]", "    }"].join("\n");
}

const README = `# Conformance cases

Recordings for checking an implementation of AAEP, AEP or AOP, in any language. \`npm run generate\` writes them.

There is one JSON document per protocol and topic, for example \`aaep/confirmations.json\`:

    {
      "description": "AAEP 1.0.0: confirmations, …",
      "protocol": "aaep",
      "catalogue": { "version": "2", "date": "2026-11-15" },
      "cases": [
        {
          "name": "invalid/reply-kind",
          "description": "A confirmation is answered by …",
          "rules": ["aaep/reply-kind"],
          "valid": false,
          "findings": [{ "rule": "aaep/reply-kind", "severity": "error" }],
          "recording": [ … ]
        }
      ]
    }

| member | meaning |
|---|---|
| \`catalogue\` | the version of Earshot's rule catalogue that the cases were made with |
| \`name\` | unique within a protocol |
| \`rules\` | the rules that the recording is about; empty for most whole sessions |
| \`valid\` | true: a checker must report no error. It may report warnings and notes |
| \`findings\` | what a checker must report, each with its severity (\`error\`, \`warning\` or \`info\`). It may report more. Empty in a valid case. If empty in an invalid case, any error is enough |
| \`recording\` | the events and messages in recorded order. A string entry is the raw text of a line; it is used where the line is not a JSON value (malformed JSON, duplicate keys) |

To test an implementation, check each recording on its own: begin without any state, take the entries in order, and end the
recording after the last one. Where the size of an event matters, write the entry without spaces or line breaks. A case passes
if \`valid\` and \`findings\` hold.

Earshot runs the cases with:

    npx earshot check conformance/

It names every case that is not judged as expected, and exits with 1 if there is any. It also runs your own documents in this format.

The rule names are Earshot's; \`docs/rules/\` names the section of the specification behind each. These cases are not an official
suite of any of the protocols.
`;
