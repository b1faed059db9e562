import { randomBytes } from "node:crypto";
import { hubHomeOf, proofOf, readAddress, readViewerToken } from "@earshot/hub/home";
import { EarshotError } from "@earshot/protocol/problem";

type Environment = Readonly<Record<string, string | undefined>>;

/** A running hub and the credentials for it. */
export interface HubAccess {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** This user's hub from its address file, or EARSHOT_URL's. Throws if none answers. */
export async function openHub(env: Environment): Promise<HubAccess> {
  const hub = await findHub(env);
  if (hub === undefined) {
    const hint = hubHomeOf(env).isSeparate ? { hint: "The hub runs under an account of its own: use `earshot-hub`." } : {};
    throw new EarshotError({ code: "HUB_NOT_FOUND", message: "No hub answers.", ...hint });
  }
  return hub;
}

export async function findHub(env: Environment): Promise<HubAccess | undefined> {
  const home = hubHomeOf(env);
  const given = env["EARSHOT_URL"]?.replace(/(?<!\/)\/+$/, "") || undefined;
  const url = given ?? readAddress(home)?.url;
  if (url === undefined) return undefined;
  const token = readViewerToken(home);
  const challenge = randomBytes(16).toString("hex");
  const health = await askHealth(url, challenge);
  if (health === undefined) return undefined;
  // Another program may listen there: it gets no credential.
  const isOurs = token !== undefined && health.proof === proofOf(token, challenge);
  if (!isOurs && given !== url) return undefined;
  return { url, headers: isOurs ? { authorization: `Bearer ${token}` } : {} };
}

/** Sends a request, and throws the hub's problem if it refuses. */
export async function requestFromHub({ url, headers }: HubAccess, path: string): Promise<Response> {
  return orProblem(await fetch(`${url}${path}`, { headers }));
}

/** Sends a change, and returns the answer. */
export async function changeAtHub<Answer>(hub: HubAccess, method: "POST" | "DELETE", path: string, body?: object): Promise<Answer> {
  return (await (await sendToHub(hub, method, path, body)).json()) as Answer;
}

/** As `changeAtHub`, for an answer of several objects. */
export async function sendToHub({ url, headers }: HubAccess, method: "POST" | "DELETE", path: string, body?: object): Promise<Response> {
  const sent =
    body === undefined
      ? { method, headers }
      : { method, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
  return orProblem(await fetch(`${url}${path}`, sent));
}

async function orProblem(response: Response): Promise<Response> {
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  const problem = typeof body === "object" && body !== null && "code" in body && "message" in body ? body : undefined;
  if (problem === undefined) throw new EarshotError({ code: "INTERNAL", message: `The hub answered with status ${response.status}.` });
  throw new EarshotError(problem as EarshotError["problem"]);
}

/** The lines of an answer, as they arrive. */
export async function* linesOfResponse(response: Response): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

const decoder = new TextDecoder();

async function askHealth(url: string, challenge: string): Promise<{ readonly proof: unknown } | undefined> {
  try {
    const response = await fetch(`${url}/health?challenge=${challenge}`, { signal: AbortSignal.timeout(3000) });
    const body: unknown = await response.json();
    if (typeof body !== "object" || body === null || !("ok" in body) || body.ok !== true) return undefined;
    return { proof: "proof" in body ? body.proof : undefined };
  } catch {
    return undefined; // nothing listens there, or something that is no hub
  }
}
