import { createReadStream } from "node:fs";

/** The physical limit: splits the file into lines and parses each as JSON. */
const path = process.argv[2] ?? "";
const began = performance.now();
let events = 0;
let rest: Buffer = Buffer.alloc(0);
for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
  const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    JSON.parse(bytes.toString("utf8", start, end));
    events++;
    start = end + 1;
  }
  rest = bytes.subarray(start);
}
const ms = performance.now() - began;
console.log(JSON.stringify({ events, ms, maxRssMb: process.resourceUsage().maxRSS / 1024 }));
