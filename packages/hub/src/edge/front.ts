import type { FastifyInstance } from "fastify";

export interface FrontPorts {
  readonly version: string;
  readonly listeners: () => number;
  /** Shows that it knows what only the hub of this user knows, so that nobody else is given a credential. */
  readonly prove: (challenge: string) => string;
}

const ENDPOINTS = {
  "POST /v1/events": "one event, an array, or NDJSON, in AAEP, AEP or AOP",
  "POST /aaep/v1/events": "the same, AAEP only",
  "POST /aep/v1/events": "the same, AEP only",
  "POST /events": "one AOP event",
  "GET /stream": "AOP events live (SSE)",
  "GET /sessions": "AOP sessions",
  "GET /sessions/:id": "one AOP session with its events",
  "GET /sessions/:id/export": "one AOP session as JSON lines",
  "DELETE /sessions/:id": "removes an AOP session",
  "GET /api/live": "everything live (SSE or WebSocket)",
  "GET /api/export": "one session as JSON lines",
  "GET /api/refused": "what was refused, and why",
  "GET /api/verify": "checks the ledger",
  "GET /health": "whether the hub is up",
} as const;

/** The front door: whether the hub is up, what it is, and where a person goes. */
export function registerFront(app: FastifyInstance, { version, listeners, prove }: FrontPorts): void {
  app.get("/health", { config: { access: "anyone" } }, async (request) => {
    const { challenge } = request.query as Readonly<Record<string, unknown>>;
    const proof = typeof challenge === "string" && challenge.length <= 128 ? { proof: prove(challenge) } : {};
    return { ok: true, version, ready: true, subscribers: listeners(), ...proof };
  });

  app.get("/", { config: { access: "anyone" } }, async (request, reply) => {
    if (prefersHtml(request.headers.accept)) return reply.redirect("/ui/", 302);
    return { name: "Earshot", version, spec: "aop/1.0", endpoints: ENDPOINTS };
  });

  app.get("/ui/", { config: { access: "anyone" } }, async (_request, reply) =>
    reply
      .header("content-type", "text/html; charset=utf-8")
      .header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .send(page(version)),
  );
}

/** Browsers name HTML first; programs name JSON, or nothing in particular. */
function prefersHtml(accept = "*/*"): boolean {
  const html = accept.indexOf("text/html");
  const json = accept.indexOf("application/json");
  return html >= 0 && (json < 0 || html < json);
}

function page(version: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Earshot is listening</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 1.125rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
  code { font: 0.95em/1.5 ui-monospace, monospace; }
  dt { margin-top: 1rem; font-weight: 600; }
  dd { margin: 0; }
</style>
</head>
<body>
<main>
<h1>Earshot is listening</h1>
<p>This hub, version ${version}, hears agents that speak AAEP, AEP or AOP, and keeps what they say.</p>
<p>There is no dashboard yet. Until then, in a terminal:</p>
<dl>
<dt><code>earshot tail</code></dt><dd>follows what agents say, as it comes in</dd>
<dt><code>earshot export SESSION</code></dt><dd>prints a session as JSON lines</dd>
<dt><code>earshot refused</code></dt><dd>lists what was refused, and why</dd>
<dt><code>earshot verify</code></dt><dd>checks that nothing stored was changed</dd>
</dl>
</main>
</body>
</html>
`;
}
