import { randomBytes } from "node:crypto";
import { type RequestOptions, request } from "node:http";
import { type HubHome, readAddress, readHookKey, readProducerTokenFile } from "@earshot/hub/home";
import { isProof, proveAnswerLines, proveHub } from "@earshot/hub/hook";

export interface HookRequest {
  readonly path: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** `gone`: nothing listens. `silent`: no answer in time. `stranger`: not this user's hub. */
export type HookReplyOutcome =
  | { readonly kind: "answered"; readonly status: number; readonly body: string }
  | { readonly kind: "gone" | "silent" | "stranger" };

/**
 * Asks the hub of a folder by its socket, or by TCP if nothing proves itself there. The listener must prove that it is this hub before it
 * receives the payload and again with its answer. The socket of a hub under another account is in a folder only that account can write.
 */
export async function sendHookToHub(home: HubHome, asked: HookRequest): Promise<HookReplyOutcome> {
  if (home.isSeparate) {
    const headers = { ...asked.headers, authorization: `Bearer ${readProducerTokenFile(home) ?? ""}` };
    return send(asked, { socketPath: home.socket, headers });
  }
  const bySocket = await askProven(home, asked, { socketPath: home.socket }, 0);
  if (bySocket.kind !== "gone" && bySocket.kind !== "stranger") return bySocket;
  const url = URL.parse(readAddress(home)?.url ?? "");
  if (url === null) return bySocket;
  const port = Number(url.port);
  return askProven(home, asked, { host: url.hostname, port }, port);
}

async function askProven(home: HubHome, asked: HookRequest, where: RequestOptions, port: number): Promise<HookReplyOutcome> {
  const key = readHookKey(home);
  const token = readProducerTokenFile(home);
  if (key === undefined || token === undefined) return { kind: "gone" };
  const nonce = randomBytes(24).toString("base64url");
  const shown = await send({ path: `/hooks/proof?nonce=${nonce}`, body: "", timeoutMs: asked.timeoutMs }, { ...where, method: "GET" });
  if (shown.kind !== "answered" || shown.status === 503) return shown; // it may be ours, and not ready yet
  if (!isProof(proveHub(key, nonce, port), /"proof":"([\w-]+)"/.exec(shown.body)?.[1])) return { kind: "stranger" };
  const headers = { ...asked.headers, authorization: `Bearer ${token}`, "x-earshot-nonce": nonce };
  const answer = await send(asked, { ...where, headers });
  if (answer.kind !== "answered" || answer.status !== 200) return answer;
  const { "x-earshot-request": id, "x-earshot-proof": proof } = answer.headers;
  const expected = proveAnswerLines(key, { nonce, request: String(id ?? ""), asked: asked.body, answer: answer.body });
  return isProof(expected, typeof proof === "string" ? proof : undefined) ? answer : { kind: "stranger" };
}

type Sent =
  | { readonly kind: "answered"; readonly status: number; readonly body: string; readonly headers: NodeJS.Dict<string | string[]> }
  | { readonly kind: "gone" | "silent" };

function send({ path, body, timeoutMs }: HookRequest, { headers = {}, method = "POST", ...where }: RequestOptions): Promise<Sent> {
  return new Promise((resolve) => {
    const content = method === "GET" ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const host = where.port === undefined || where.port === null ? "localhost" : `${where.host}:${where.port}`;
    const sending = request({ ...where, method, path, headers: { host, ...headers, ...content }, agent: false });
    const timer = setTimeout(() => finish({ kind: "silent" }), timeoutMs);
    const finish = (sent: Sent) => {
      clearTimeout(timer);
      resolve(sent);
      sending.destroy();
    };
    let isConnected = false;
    sending.on("socket", (socket) =>
      socket.once("connect", () => {
        isConnected = true;
      }),
    );
    sending.on("error", () => finish({ kind: isConnected ? "silent" : "gone" }));
    sending.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        finish({
          kind: "answered",
          status: response.statusCode ?? 0,
          body: Buffer.concat(chunks).toString("utf8"),
          headers: response.headers,
        }),
      );
      response.on("error", () => finish({ kind: "silent" }));
    });
    sending.end(method === "GET" ? undefined : body);
  });
}
