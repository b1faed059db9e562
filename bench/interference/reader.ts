import { request } from "node:http";

/** What a reader asks for. */
export interface Asked {
  readonly method: "GET" | "DELETE";
  readonly url: string;
  readonly token: string;
  /** Asks again until this much time has passed. */
  readonly forMs: number;
}

export interface Got {
  readonly status: number;
  readonly bytes: number;
  readonly times: number;
  readonly ms: number;
}

/* In a process of its own, so that what it reads does not hold up the one that measures. Ready before it is told to begin. */
process.once("message", async (asked: Asked) => {
  const began = performance.now();
  let got = { status: 0, bytes: 0 };
  let times = 0;
  do {
    got = await ask(asked);
    times++;
  } while (performance.now() - began < asked.forMs && got.status === 200);
  const answer: Got = { ...got, times, ms: performance.now() - began };
  process.send?.(answer, () => process.exit());
});
process.send?.("ready");

function ask({ method, url, token }: Asked): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { authorization: `Bearer ${token}` } }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, bytes }));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end();
  });
}
