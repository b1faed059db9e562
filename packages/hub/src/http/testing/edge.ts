import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { expect } from "vitest";
import { gateFor } from "../../access/testing/test-access.ts";
import { SINGLE_HUB } from "../../cluster/cluster.ts";
import { IntakeAdmission } from "../../intake/admission.ts";
import { createLifecycle } from "../../intake/lifecycle.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { openSqliteLedger } from "../../ledger/sqlite/open-ledger.ts";
import { temporaryTestFolder } from "../../ledger/testing/temporary-folder.ts";
import { registerApi } from "../api.ts";
import { createApp } from "../app.ts";
import { EVENT_LIMITS, type EventLimits, registerEvents } from "../events.ts";
import { ALL_PROTOCOLS, validEventText } from "./valid-event.ts";

export const VIEWER_TOKEN = "a-viewer-of-tests-who-may-read-all-of-it";

export interface TestEdge extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly ledger: Ledger;
  /** Logged internal errors; no client may cause any. */
  readonly failures: readonly unknown[];
  post(body: string | Buffer, options?: PostOptions): Promise<EdgeResponse>;
}

export interface PostOptions {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the body in chunks without a length. */
  readonly chunked?: boolean;
}

export interface EdgeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The event and query routes on a real ledger, without a port. */
export async function openEdge(limits: Partial<EventLimits> = {}, admission = new IntakeAdmission()): Promise<TestEdge> {
  const folder = temporaryTestFolder();
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  const lifecycle = createLifecycle({ strict: false });
  const ledger = openSqliteLedger(folder.file("ledger.db"), { lifecycle, now: Date.now, onFailure });
  const gate = gateFor(VIEWER_TOKEN);
  const app = createApp({ gate, onFailure });
  registerEvents(app, { ledger, admission, now: Date.now, redacts: () => true, limits: { ...EVENT_LIMITS, ...limits } });
  registerApi(app, {
    ledger,
    cluster: SINGLE_HUB,
    status: () => ({ version: "0.0.0", startedAt: new Date().toISOString(), waitingBytes: 0, sleptUntil: null }),
    verify: async function* () {},
  });
  await app.ready();
  return {
    app,
    ledger,
    failures,
    post: (body, options) => post(app, body, options),
    async [Symbol.asyncDispose]() {
      await app.close();
      await ledger.close();
      folder[Symbol.dispose]();
    },
  };
}

async function post(
  app: FastifyInstance,
  body: string | Buffer,
  { url = "/v1/events", headers = {}, chunked = false }: PostOptions = {},
): Promise<EdgeResponse> {
  const {
    statusCode,
    headers: answered,
    body: text,
  } = await app.inject({
    method: "POST",
    url,
    headers: { "content-type": "application/json", ...headers },
    payload: chunked ? Readable.from(slices(Buffer.from(body)), { objectMode: false }) : body,
  });
  return { status: statusCode, headers: answered, text, body: JSON.parse(text) as EdgeResponse["body"] };
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000);
}

/** Text that no answer may contain: code locations or database messages. */
const INSIDES = /\bat .*\.[jt]s:\d+|node_modules|SQLITE|sqlite|constraint failed|Error:/;

/** Sends something invalid and checks that it is refused with a problem, stores nothing and does no harm. */
export async function expectRefused(
  edge: TestEdge,
  body: string | Buffer,
  expected: Readonly<Record<string, unknown>> & { readonly status: number },
  options?: PostOptions,
): Promise<EdgeResponse> {
  const { status, ...problem } = expected;
  const before = await edge.ledger.head();
  const answer = await edge.post(body, options);
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: expect.objectContaining(problem) });
  expect(answer.body).toMatchObject({ code: expect.any(String), message: expect.any(String), hint: expect.any(String) });
  expect(answer.text).not.toMatch(INSIDES);
  expect(await edge.ledger.head()).toBe(before);
  await expectUnharmed(edge);
  return answer;
}

/** A valid event is still stored, each time of another protocol. */
export async function expectUnharmed(edge: TestEdge): Promise<void> {
  turn += 1;
  const head = await edge.ledger.head();
  const { status, body } = await edge.post(validEventText(ALL_PROTOCOLS[turn % ALL_PROTOCOLS.length] ?? "aop"));
  expect({ status, body }).toMatchObject({ status: 200, body: { position: head + 1, duplicate: false } });
  expect(edge.failures).toEqual([]);
}

let turn = 0;
