import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";

/** The methods of B.6, and one for extension messages in both directions. */
export const RPC_METHODS = {
  subscribe: "aaep.subscribe",
  renegotiate: "aaep.renegotiate",
  event: "aaep.event",
  reply: "aaep.reply",
  close: "aaep.close",
  ping: "aaep.ping",
  message: "aaep.message",
} as const;

export const RPC_ERRORS = {
  parse: { code: -32_700, message: "Parse error" },
  request: { code: -32_600, message: "Invalid Request" },
  method: { code: -32_601, message: "Method not found" },
  params: { code: -32_602, message: "Invalid params" },
  internal: { code: -32_603, message: "Internal error" },
} as const;
type RpcError = (typeof RPC_ERRORS)[keyof typeof RPC_ERRORS];

export type RpcId = string | number | null;

export type RpcIncoming =
  | { readonly kind: "request"; readonly id: RpcId; readonly method: string; readonly params: JsonObject }
  | { readonly kind: "notification"; readonly method: string; readonly params: JsonObject }
  | { readonly kind: "response"; readonly id: RpcId; readonly result?: JsonValue | undefined; readonly error?: JsonValue | undefined }
  | { readonly kind: "invalid"; readonly id: RpcId; readonly error: RpcError };

/** Parses one object of a JSON-RPC 2.0 peer. Parameters are named; batches are not supported. */
export function readRpc(value: JsonObject): RpcIncoming {
  const { id, method, params } = value;
  const named: RpcId = typeof id === "string" || typeof id === "number" ? id : null;
  if (value["jsonrpc"] !== "2.0") return { kind: "invalid", id: named, error: RPC_ERRORS.request };
  if (method === undefined && id !== undefined && (value["result"] !== undefined || value["error"] !== undefined)) {
    return { kind: "response", id: named, result: value["result"], error: value["error"] };
  }
  if (typeof method !== "string") return { kind: "invalid", id: named, error: RPC_ERRORS.request };
  if (params !== undefined && !isObject(params)) return { kind: "invalid", id: named, error: RPC_ERRORS.params };
  if (id === undefined) return { kind: "notification", method, params: params ?? {} };
  return { kind: "request", id: named, method, params: params ?? {} };
}

/** A notification around JSON text. */
export function notificationText(method: string, params: string): string {
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${params}}`;
}

export function resultText(id: RpcId, result: JsonValue): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

export function errorText(id: RpcId, error: RpcError): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}

export function requestText(id: RpcId, method: string, params: JsonObject): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}
