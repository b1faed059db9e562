import { createServer } from "node:http";

/** Answers every request on a Unix socket with the same text. */
const ANSWER = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Not here."}}\n';
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(200, { "content-length": ANSWER.length }).end(ANSWER));
});
// The other bench servers announce their address in this form.
server.listen(process.argv[2], () => console.log("http://127.0.0.1:1"));
