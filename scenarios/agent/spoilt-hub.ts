import type { IncomingMessage } from "node:http";
import { parseArgs } from "node:util";
import { type Caller, Gate, type RouteNeeds } from "../../packages/hub/src/access/gate.ts";
import { homeOf } from "../../packages/hub/src/home.ts";
import { startHub } from "../../packages/hub/src/hub.ts";

/** A hub whose gate lets everybody decide who can read a file of the user's. None of this is in the product. */
const { check } = Gate.prototype;
Gate.prototype.check = function (request: IncomingMessage, needs: RouteNeeds): Caller {
  const decides = needs.access === "approver" || needs.access === "admin";
  const caller = check.call(this, request, decides ? { ...needs, access: "viewer" } : needs);
  return decides ? { ...caller, role: "admin" } : caller;
};

const { values } = parseArgs({
  options: { port: { type: "string" }, open: { type: "boolean" }, notify: { type: "boolean" } },
  allowPositionals: true,
  allowNegative: true,
});
const log = (message: string) => void process.stderr.write(`${message}\n`);
await startHub({ home: homeOf(process.env), version: "spoilt", port: Number(values.port), log });
