import { writeSync } from "node:fs";
import { parseArgs } from "node:util";
import { hubHomeOf } from "../../packages/hub/src/home.ts";
import { startHub } from "../../packages/hub/src/hub.ts";
import type { Ledger } from "../../packages/hub/src/ledger/ledger.ts";
import { openSqliteLedger } from "../../packages/hub/src/ledger/sqlite/open-ledger.ts";
import { intercept } from "../durability/trap.ts";
import { arrivalOf, isPoint, type Point } from "./points.ts";

/**
 * A hub that suspends at a point of asking, answering or releasing, to be killed there; or one with a defect as a negative control. The
 * product has no such switch.
 */
function standStill(point: Point): void {
  writeSync(1, `${arrivalOf(point)}\n`);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** Suspended: the disk keeps its state and no answer leaves. */
function stopsAt(ledger: Ledger, point: Point): Ledger {
  const at = (one: Point) => {
    if (one === point) standStill(point);
  };
  return intercept<Ledger>(ledger, {
    async append(batch) {
      const asks = batch.some(({ request }) => request !== undefined);
      if (asks) at("before it is asked");
      const verdicts = await ledger.append(batch);
      if (asks) at("asked, and nobody told");
      return verdicts;
    },
    async settle(decision) {
      const [before, after] =
        decision.state === "open"
          ? (["before more time", "more time, and nobody told"] as const)
          : (["before it is decided", "decided, and nobody told"] as const);
      at(before);
      const deciding = ledger.settle(decision);
      if (point === "while it is decided" && decision.state !== "open") setImmediate(() => setImmediate(() => at("while it is decided")));
      const verdict = await deciding;
      at(after);
      return verdict;
    },
  });
}

/** Reports the decision before it is on disk. */
function decidesEarly(ledger: Ledger): Ledger {
  return intercept<Ledger>(ledger, {
    async settle(decision) {
      setTimeout(() => void ledger.settle(decision).catch(() => {}), 5000);
      return { ok: true, position: await ledger.head() };
    },
  });
}

const { values } = parseArgs({
  options: { port: { type: "string" }, open: { type: "boolean" }, notify: { type: "boolean" }, fault: { type: "string" } },
  allowPositionals: true,
  allowNegative: true,
});
const { fault = "" } = values;
const log = (message: string) => void process.stderr.write(`${message}\n`);
await startHub({
  home: hubHomeOf(process.env),
  version: "broken",
  port: Number(values.port),
  log,
  openLedger(path, options) {
    const ledger = openSqliteLedger(path, options);
    if (fault === "decides early") return decidesEarly(ledger);
    if (!isPoint(fault)) throw new Error(`There is no fault ${fault}.`);
    return stopsAt(ledger, fault);
  },
});
