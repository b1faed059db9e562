/** A subscriber without a library: prints one line per event and asks a person the agents' questions. */
export interface Options {
  /** `http://127.0.0.1:4747/aaep/v1` */
  readonly url: string;
  readonly token: string;
  readonly say: (line: string) => void;
  /** Asks the person; there is no default answer. */
  readonly decide: (question: string) => Promise<boolean>;
  readonly signal: AbortSignal;
}

type Message = Readonly<Record<string, unknown>>;

const REQUEST = {
  type: "subscription.request",
  aaep_version: "1.0.0",
  subscriber_id: "example-subscriber",
  capabilities: {
    max_events_per_second: 5,
    preferred_verbosity: "normal",
    languages: ["en"],
    coalesce_boundaries: ["sentence", "completion"],
    supports_confirmation_reply: true,
    event_filters: { exclude: ["aaep:agent.progress.updated"] },
  },
};

export async function subscribe({ url, token, say, decide, signal }: Options): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const post = (path: string, body: object) => fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const accepted = (await (await post("/subscriptions", REQUEST)).json()) as Message;
  if (accepted["type"] !== "subscription.accepted") throw new Error(`${accepted["reason_code"]}: ${accepted["reason_message"]}`);
  const subscription = accepted["subscription_id"];
  const seen = new Set<unknown>(); // an event may come twice; a long-lived subscriber bounds this
  const open = new Set<unknown>();

  const hear = (event: Message) => {
    if (seen.has(event["event_id"])) return;
    seen.add(event["event_id"]);
    const line = lineOf(event);
    if (line !== undefined) say(line);
    open.delete((event["extensions"] as { earshot?: Message } | undefined)?.earshot?.["resolved"]); // somebody else was first
    if (event["type"] === "aaep:agent.awaiting.confirmation") void ask(event["reply_token"], `${event["action"]} ${event["consequence"]}`);
  };
  const ask = async (reply_token: unknown, question: string) => {
    open.add(reply_token);
    const decision = (await decide(question)) ? "accept" : "reject";
    if (!open.delete(reply_token)) return;
    const timestamp = new Date().toISOString();
    await post("/replies", { type: "confirmation.reply", reply_token, decision, subscription_id: subscription, timestamp });
  };

  for (let last: string | undefined; !signal.aborted; ) {
    const resume = last === undefined ? {} : { "last-event-id": last };
    const response = await fetch(`${url}/events?subscription_id=${subscription}`, { headers: { ...headers, ...resume }, signal }).catch(
      () => undefined,
    );
    try {
      for await (const { id, data } of framesOf(response?.body)) {
        last = id ?? last;
        hear(JSON.parse(data) as Message);
      }
    } catch {
      // The stream ended or was aborted.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  await post("/replies", { type: "subscription.close", subscription_id: subscription, reason_code: "subscriber_shutdown" });
}

function lineOf(event: Message): string | undefined {
  const words =
    event["summary_normal"] ?? event["summary_terse"] ?? event["chunk"] ?? event["action"] ?? event["question"] ?? event["reason"];
  const { agent_id } = event["producer"] as { agent_id: string };
  return typeof words === "string" && words !== "" ? `${event["urgency"] === "critical" ? "! " : ""}${agent_id}: ${words}` : undefined;
}

async function* framesOf(body: ReadableStream<Uint8Array> | null | undefined) {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const field = (name: string) =>
        frame
          .split("\n")
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const data = field("data");
      if (data !== undefined && field("event") === "aaep.event") yield { id: field("id"), data };
    }
  }
}
