import { createServer } from "node:http";

/** Answers everything with the same text, over a Unix socket. */
const ANSWER = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Not here."}}\n';
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(200, { "content-length": ANSWER.length }).end(ANSWER));
});
// The other servers of the benches say where they are in this way.
server.listen(process.argv[2], () => console.log("http://127.0.0.1:1"));
