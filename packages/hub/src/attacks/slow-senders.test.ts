import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gateFor } from "../access/testing/test-access.ts";
import { listenHttp, portOfServer, trustConnection } from "../http/listen.ts";
import { openEdge, type TestEdge } from "../http/testing/edge.ts";
import { validEventText } from "../http/testing/valid-event.ts";
import { ADMISSION_LIMITS, IntakeAdmission } from "../intake/admission.ts";

const MAX_CONNECTIONS = 300;

let edge: TestEdge;
let server: Awaited<ReturnType<typeof listenHttp>>;
const attackers: Socket[] = [];

beforeAll(async () => {
  edge = await openEdge();
  server = await listenHttp(edge.app.routing, { host: "127.0.0.1", port: 0 }, MAX_CONNECTIONS);
});
afterAll(async () => {
  for (const socket of attackers) socket.destroy();
  server.closeAllConnections();
  server.close();
  await edge[Symbol.asyncDispose]();
});

async function attack(text: string): Promise<void> {
  const socket = connect(portOfServer(server), "127.0.0.1").on("error", () => {});
  attackers.push(socket);
  await once(socket, "connect");
  socket.write(text);
}

function post(body: string): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`http://127.0.0.1:${portOfServer(server)}/v1/events`, { method: "POST", headers, body });
}

const head = (announced: number) =>
  `POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1:${portOfServer(server)}\r\nContent-Type: application/json\r\nContent-Length: ${announced}\r\n\r\n{`;

describe("a sender that never finishes", () => {
  it("cannot take memory by announcing it: 256 bodies of 1 MiB that are only begun", async () => {
    for (let count = 0; count < 256; count++) await attack(head(1024 * 1024));
    expect((await post(validEventText("aop"))).status).toBe(200);
  });

  it("cannot take all connections: twice as many as are kept", async () => {
    for (let count = 0; count < 2 * MAX_CONNECTIONS; count++) await attack("GET / HTTP/1.1\r\nHost: ");
    expect((await post(validEventText("aop"))).status).toBe(200);
  });

  it("cannot take the connection of somebody with a credential", async () => {
    const gate = gateFor("viewer-".repeat(6));
    expect(gate).toBeDefined();
    const socket = connect(portOfServer(server), "127.0.0.1");
    await once(socket, "connect");
    socket.write(
      `GET /api/status HTTP/1.1\r\nHost: 127.0.0.1:${portOfServer(server)}\r\nAuthorization: Bearer a-viewer-of-tests-who-may-read-all-of-it\r\n\r\n`,
    );
    await once(socket, "data");
    for (let count = 0; count < 2 * MAX_CONNECTIONS; count++) await attack("GET / HTTP/1.1\r\nHost: ");
    expect(socket.closed).toBe(false);
    socket.destroy();
  });

  it("cannot take all connections with one credential", () => {
    const sockets = Array.from({ length: 1100 }, () => new PassThrough());
    const other = new PassThrough();
    trustConnection(other, "approver");
    for (const socket of sockets) trustConnection(socket, "producer");
    expect(sockets.filter(({ destroyed }) => destroyed)).toEqual(sockets.slice(0, 76));
    expect(other.destroyed).toBe(false);
    for (const socket of [other, ...sockets]) socket.destroy();
  });
});

describe("senders without a credential", () => {
  const MIB = 1024 * 1024;

  it("take half of the memory at most, so that hooks and producers always find room", () => {
    const admission = new IntakeAdmission(ADMISSION_LIMITS);
    for (let count = 0; count < 24; count++) admission.admit("local", MIB);
    expect(() => admission.admit("local", 9 * MIB)).toThrow(/share/);
    admission.admit("producer", 24 * MIB);
  });

  it("with large bodies leave room for small ones of the same source", () => {
    const admission = new IntakeAdmission(ADMISSION_LIMITS);
    for (let count = 0; count < 3; count++) for (let part = 0; part < 12; part++) admission.admit("producer", MIB, part * MIB);
    expect(() => admission.admit("producer", MIB, MIB)).toThrow(/share/);
    admission.admit("producer", 2000);
  });
});

describe("a request with two hosts", () => {
  it.each([
    ["in two headers", "/health", "\r\nhost: evil.example"],
    ["in its target and a header", "http://evil.example/health", ""],
  ])("%s is refused: a proxy may have read the other one", async (_where, target, more) => {
    const socket = connect(portOfServer(server), "127.0.0.1");
    socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${portOfServer(server)}${more}\r\n\r\n`);
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 .*HOST_REFUSED/s);
    socket.destroy();
  });
});
