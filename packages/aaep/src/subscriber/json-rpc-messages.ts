import { isObject, type JsonObject, readJson } from "@earshot/protocol";
import { RPC_METHODS } from "../wire/json-rpc.ts";

/** A line of JSON-RPC as a subscriber reads it. */
type RpcLine =
  /** From the producer: an event, an answer, or a message. */
  | { readonly kind: "said"; readonly text: string }
  /** To be answered at once. */
  | { readonly kind: "asked"; readonly answer: string }
  | { readonly kind: "nothing" };

/** Any other method is an extension's message. */
const SENT_AS: Readonly<Record<string, string>> = {
  "subscription.request": RPC_METHODS.subscribe,
  "subscription.renegotiate": RPC_METHODS.renegotiate,
  "subscription.close": RPC_METHODS.close,
  "confirmation.reply": RPC_METHODS.reply,
  "clarification.reply": RPC_METHODS.reply,
};
const REQUESTS: ReadonlySet<string> = new Set([RPC_METHODS.subscribe, RPC_METHODS.renegotiate]);
const HEARD: ReadonlySet<string> = new Set([RPC_METHODS.event, RPC_METHODS.close, RPC_METHODS.message]);

/** The subscriber's side of messages and events as JSON-RPC 2.0, one object per line. */
export class JsonRpcMessages {
  #number = 0;

  toLine(message: string): string {
    const params = JSON.parse(message) as JsonObject; // our own
    if (params["jsonrpc"] !== undefined) return message; // a call that is no message of the protocol
    const method = SENT_AS[String(params["type"])] ?? RPC_METHODS.message;
    const id = REQUESTS.has(method) ? { id: ++this.#number } : {};
    return JSON.stringify({ jsonrpc: "2.0", ...id, method, params });
  }

  fromLine(line: string): RpcLine {
    const json = readJson(line);
    // Invalid JSON-RPC is passed on as it is: the subscriber reports the fault.
    if (!json.ok || !isObject(json.value)) return { kind: "said", text: line };
    const { method, params, id, result, error } = json.value;
    if (method === RPC_METHODS.ping) {
      return id === undefined ? { kind: "nothing" } : { kind: "asked", answer: JSON.stringify({ jsonrpc: "2.0", id, result: {} }) };
    }
    if (typeof method === "string") {
      if (HEARD.has(method) && isObject(params)) return { kind: "said", text: JSON.stringify(params) };
      if (id === undefined) return { kind: "nothing" };
      const unknown = { code: -32_601, message: "Method not found" };
      return { kind: "asked", answer: JSON.stringify({ jsonrpc: "2.0", id, error: unknown }) };
    }
    // Answers to notifications are ignored.
    if (isObject(result)) return typeof result["type"] === "string" ? { kind: "said", text: JSON.stringify(result) } : { kind: "nothing" };
    if (isObject(error)) return { kind: "said", text: JSON.stringify(toRejected(error)) };
    return { kind: "nothing" };
  }
}

/** A failed call is a refused request. */
function toRejected({ message, code }: JsonObject): JsonObject {
  const said = typeof message === "string" && message !== "" ? message : `Error ${String(code)}.`;
  return { type: "subscription.rejected", reason_code: "unknown", reason_message: said.slice(0, 4096) };
}
