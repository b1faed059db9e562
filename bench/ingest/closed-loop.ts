import type { Child } from "./child.ts";
import { type Answer, Connection } from "./connection.ts";
import { percentile } from "./figures.ts";

export interface LoopOptions {
  readonly server: Child;
  /** The requests of each connection, in order. */
  readonly requests: readonly (readonly Buffer[])[];
  readonly seconds: number;
  /** Start again after the last request, for servers that treat all events alike. Otherwise the run ends there. */
  readonly repeat: boolean;
}

export interface LoopResult {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How long the server's deferred work took afterwards. */
  readonly settledMs: number;
  /** Processor time per request in microseconds, deferred work included. More reliable than the rate on a busy machine. */
  readonly serverMicroseconds: number;
  /** The generator's share of one core. */
  readonly generatorShare: number;
  readonly answers: AnswerCounts;
}

export interface AnswerCounts {
  refused: number;
  duplicates: number;
  flagged: number;
  /** An unexpected answer, to be printed. */
  example: string | undefined;
}

/** Each connection sends a request, waits for the answer, and sends the next. */
export async function runClosedLoop({ server, requests, seconds, repeat }: LoopOptions): Promise<LoopResult> {
  const connections = await Promise.all(requests.map(() => Connection.open(server.port)));
  const latencies: number[] = [];
  const answers: AnswerCounts = { refused: 0, duplicates: 0, flagged: 0, example: undefined };
  const cpuBefore = process.cpuUsage();
  const serverBefore = server.cpuMicroseconds();
  const began = performance.now();
  const until = began + seconds * 1000;
  let last = began;
  try {
    await Promise.all(connections.map((connection, index) => converse(connection, requests[index] ?? [])));
  } finally {
    for (const connection of connections) connection.close();
  }
  const cpu = process.cpuUsage(cpuBefore);
  const elapsed = (last - began) / 1000;
  const ended = performance.now();
  await server.settled?.();
  const settledMs = performance.now() - ended;
  const ordered = Float64Array.from(latencies).sort();
  return {
    requests: latencies.length,
    seconds: elapsed,
    perSecond: latencies.length / elapsed,
    p50Ms: percentile(ordered, 0.5),
    p99Ms: percentile(ordered, 0.99),
    settledMs,
    serverMicroseconds: (server.cpuMicroseconds() - serverBefore) / latencies.length,
    generatorShare: (cpu.user + cpu.system) / 1e6 / elapsed,
    answers,
  };

  function converse(connection: Connection, own: readonly Buffer[]): Promise<void> {
    return new Promise((resolve, reject) => {
      let next = 0;
      let sentAt = 0;
      const send = () => {
        const request = own[repeat ? next % own.length : next];
        next++;
        if (request === undefined || last >= until) return resolve();
        sentAt = performance.now();
        connection.send(request, answered, reject);
      };
      const answered = (answer: Answer) => {
        last = performance.now();
        latencies.push(last - sentAt);
        note(answer, answers);
        send();
      };
      send();
    });
  }
}

/** A hub's answers must report that each event is new and conforms; other servers report neither. */
function note({ status, body }: Answer, counts: AnswerCounts): void {
  const refused = status !== 200 || (body.includes('"refused":') && !body.includes('"refused":0'));
  const duplicate = body.includes('"duplicate":true') || (body.includes('"duplicates":') && !body.includes('"duplicates":0'));
  const flagged =
    (body.includes('"flags":') && !body.includes('"flags":[]')) || (body.includes('"flagged":') && !body.includes('"flagged":0'));
  if (!refused && !duplicate && !flagged) return;
  if (refused) counts.refused++;
  if (duplicate) counts.duplicates++;
  if (flagged) counts.flagged++;
  counts.example ??= `${status} ${body.slice(0, 600)}`;
}
