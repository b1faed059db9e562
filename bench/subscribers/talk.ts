import { hrtime } from "node:process";
import { words } from "../check/generate-recording.ts";

type Fields = Readonly<Record<string, unknown>>;

const CORE = "https://aaep-protocol.org/context/v1";
const OURS = "urn:earshot:aaep:v1";
const CHUNKS = 170;

/** A moment that every process on this machine counts from the same beginning, in milliseconds. */
export function moment(): number {
  return Number(hrtime.bigint() / 1000n) / 1000;
}

/**
 * Agents at work, an event at a time: sessions of about 400 events, most of them chunks of an answer, with progress, tools and
 * questions in between. What is critical carries the moment at which it was said.
 */
export class Talk {
  readonly #name: string;
  readonly #headStart: number;
  #sessions = 0;
  #open: Generator<Fields>;

  constructor(name: string, headStart: number) {
    this.#name = name;
    this.#headStart = headStart;
    this.#open = this.#session();
  }

  /** How many critical events were said. */
  critical = 0;

  say(): Buffer {
    let step = this.#open.next();
    if (step.done === true) {
      this.#open = this.#session();
      step = this.#open.next();
    }
    const event = step.value as Fields;
    if (event["urgency"] === "critical") this.critical++;
    return Buffer.from(JSON.stringify(event));
  }

  *#session(): Generator<Fields> {
    const id = `${this.#name}s${this.#sessions++}`;
    let count = 0;
    let state = "idle";
    const event = (type: string, fields: Fields): Fields => ({
      "@context": fields["extensions"] === undefined ? CORE : [CORE, OURS],
      aaep_version: "1.0.0",
      type: `aaep:agent.${type}`,
      event_id: `evt_${id}e${count++}`,
      session_id: `sess_${id}`,
      timestamp: new Date().toISOString(),
      producer: { agent_id: `bench-${this.#name}`, agent_version: "1.0.0" },
      localization_hints: { primary_language: "en-US" },
      ...fields,
    });
    const told = (text: string) => ({
      summary_terse: "Short.",
      summary_normal: text,
      summary_detailed: `${text} In all detail.`,
      extensions: { earshot: { variants: { de: { summary_terse: "Kurz.", summary_normal: `Deutsch: ${text}` } } } },
    });
    const change = (to: string) => {
      const changed = event("state.changed", { from_state: state, to_state: to, urgency: "background", ...told(`Now ${to}.`) });
      state = to;
      return changed;
    };
    const progress = (percent: number) => event("progress.updated", { urgency: "background", progress: { percent } });
    const said = () => ({ urgency: "critical", correlation_id: `sent ${moment()}` });

    yield event("session.started", told(`Working on ${id}.`));
    yield change("thinking");
    for (let part = 0; part < 2; part++) {
      yield change("calling_tool");
      const call = { tool: "search", tool_call_id: `call_${part}` };
      yield event("tool.invoked", { ...call, ...told("Searching the shop's orders."), risk_level: "low", irreversible: false });
      yield progress(10 + part * 45);
      yield event("tool.completed", { ...call, status: "success", duration_ms: 81, ...told("Found them.") });
      yield change("writing_output");
      let position = 0;
      // Agents do not begin all at once: the first answer of each is shorter or longer.
      const chunks = CHUNKS - (this.#sessions === 1 && part === 0 ? this.#headStart : 0);
      for (let place = 0; place < chunks; place++) {
        if (place % 25 === 24) yield progress(Math.min(100, 10 + part * 45 + place / 5));
        if (part === 1 && place === chunks >> 1) {
          yield change("awaiting_input");
          yield event("awaiting.clarification", {
            ...said(),
            question: "Which region?",
            reply_token: `rpl_${id}q${part}`,
            timeout_seconds: 300,
            ...told("Which region?"),
          });
          yield change("writing_output");
        }
        const end = place % 60 === 59 ? ".\n\n" : place % 12 === 11 ? "." : "";
        const chunk = `${place === 0 ? "" : " "}${words(1, place + part)}${end}`;
        yield event("output.streaming", {
          chunk,
          position,
          complete: place === chunks - 1,
          coalesce_hint: "none",
          output_id: `out_${part}`,
          language: part === 0 ? "en" : "de",
        });
        position += chunk.length;
      }
      yield change("thinking");
    }
    if (this.#sessions % 2 === 0) yield event("session.completed", { ...told("Done."), duration_ms: 1000 });
    else yield event("session.errored", { ...said(), error_category: "transient", ...told("The shop did not answer.") });
  }
}
