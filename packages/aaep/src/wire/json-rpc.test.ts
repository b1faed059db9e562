import { describe, expect, it } from "vitest";
import { errorText, notificationText, RPC_ERRORS, readRpc, requestText, resultText } from "./json-rpc.ts";

describe("a JSON-RPC object", () => {
  it("is a request, a notification or a response", () => {
    expect(readRpc(JSON.parse(requestText(7, "aaep.ping", {})))).toEqual({ kind: "request", id: 7, method: "aaep.ping", params: {} });
    expect(readRpc(JSON.parse(notificationText("aaep.event", '{"a":1}')))).toEqual({
      kind: "notification",
      method: "aaep.event",
      params: { a: 1 },
    });
    expect(readRpc(JSON.parse(resultText("x", { ok: true })))).toMatchObject({ kind: "response", id: "x", result: { ok: true } });
    expect(readRpc(JSON.parse(errorText(null, RPC_ERRORS.method)))).toMatchObject({ kind: "response", error: { code: -32_601 } });
  });

  it.each([
    [{ method: "aaep.ping", id: 1 }, RPC_ERRORS.request],
    [{ jsonrpc: "1.0", method: "aaep.ping", id: 1 }, RPC_ERRORS.request],
    [{ jsonrpc: "2.0", id: 1 }, RPC_ERRORS.request],
    [{ jsonrpc: "2.0", method: "aaep.ping", params: [1], id: 1 }, RPC_ERRORS.params],
  ])("%j makes no sense", (value, error) => {
    expect(readRpc(value)).toEqual({ kind: "invalid", id: 1, error });
  });
});
