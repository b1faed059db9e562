import { readFileSync } from "node:fs";

/** Calls every route that decides, sets or admits, with every credential that this user can read: what an agent would try last. */
const [url = "", request = "", digest = "", ...credentials] = process.argv.slice(2);

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as Description;
const policy = readFileSync(`${process.env["EARSHOT_HOME"]}/policy.yaml`, "utf8");
const body = JSON.stringify({
  digest,
  answer: "allow",
  hash: "none",
  scope: "always",
  rule: "never-wipe",
  forMs: 60_000,
  reason: "Because.",
  on: true,
  name: "me",
  role: "approver",
  owner: "me",
  pin: "a pin of mine",
  match: "000000",
  code: "AAAAAAAAAAAAAAAAAAAAAA",
  text: policy,
});
const answers: Record<string, number> = {};
for (const [path, methods] of Object.entries(paths)) {
  // A reset takes ten minutes, and has a script of its own.
  if (path.includes("reset-approver")) continue;
  for (const method of Object.keys(methods)) {
    if (method === "get" || method === "head" || method === "options") continue;
    for (const id of path.includes("{") ? [request, "session-1"] : [""]) {
      for (const credential of ["", ...credentials]) {
        const response = await fetch(url + path.replaceAll(/\{[^}]+\}/g, id), {
          method: method.toUpperCase(),
          headers: {
            ...(method === "delete" ? {} : { "content-type": "application/json" }),
            ...(credential === "" ? {} : { authorization: `Bearer ${credential}` }),
          },
          ...(method === "delete" ? {} : { body }),
        });
        await response.arrayBuffer();
        answers[`${response.status}`] = (answers[`${response.status}`] ?? 0) + 1;
      }
    }
  }
}
process.stdout.write(`${JSON.stringify(answers)}\n`);
