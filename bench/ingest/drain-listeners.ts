import { listenLive } from "./listen.ts";

/** Listeners that discard what they read: measures their cost to the hub without the cost of parsing. */
const [port = "", count = ""] = process.argv.slice(2);
let bytes = 0;
let closed = 0;
let ending = false;

process.once("message", async (token: string) => {
  const options = {
    port: Number(port),
    token,
    handle: (chunk: Buffer) => {
      bytes += chunk.length;
    },
    closed: () => {
      if (!ending) closed++;
    },
  };
  const all = Array.from({ length: Number(count) }, () => listenLive(options));
  await Promise.all(all.map(({ joined }) => joined));
  process.send?.("joined");
  process.once("message", () => {
    ending = true;
    process.send?.({ bytes, closed }, () => process.exit());
  });
});
