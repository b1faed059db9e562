import type { ChallengeView, TicketView } from "@earshot/hub";
import type { ProblemCode } from "@earshot/protocol";
import { readDevice } from "./device.ts";

export interface HubErrorBody {
  readonly code: ProblemCode | "HUB_UNREACHABLE";
  readonly message: string;
  readonly hint?: string;
}

/** An error response from the hub. `status` 0: the hub could not be reached. */
export class HubProblem extends Error {
  readonly status: number;
  readonly problem: HubErrorBody;

  constructor(status: number, problem: HubErrorBody) {
    super(problem.message);
    this.status = status;
    this.problem = problem;
  }

  get isAway(): boolean {
    return this.status === 0 || this.status === 503;
  }

  get isForbidden(): boolean {
    return this.status === 401;
  }
}

const AWAY: HubErrorBody = { code: "HUB_UNREACHABLE", message: "The hub cannot be reached." };
/** A ticket is replaced before it expires, since a request takes time. */
const MARGIN_MS = 30_000;

let ticket: { readonly text: string; readonly until: number } | undefined;

/** Sends a request with this browser's credentials. The response is not validated: the hub is trusted. */
export async function requestAsDevice<Answer>(
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Answer> {
  return (await (await fetchAsDevice(method, path, body, signal)).json()) as Answer;
}

/** Like `ask`, for responses read as a stream. Rejects with a `HubProblem`. */
export async function fetchAsDevice(
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: object,
  signal?: AbortSignal,
  accept = "application/json",
): Promise<Response> {
  const known = ticket?.text;
  const bearer = await takeTicket();
  let response = await send(method, path, { body, bearer, signal, accept });
  // A restarted hub does not know the tickets of the previous process: it rejected the request and issues a new ticket.
  if (response.status === 401 && bearer === known) {
    forgetTicket();
    response = await send(method, path, { body, bearer: await takeTicket(), signal, accept });
  }
  if (response.ok) return response;
  throw await problemOf(response);
}

/** Sends a request without credentials: for admission and for tickets. */
export async function requestAsStranger<Answer>(method: "GET" | "POST", path: string, body?: object): Promise<Answer> {
  const response = await send(method, path, { body });
  if (response.ok) return (await response.json()) as Answer;
  throw await problemOf(response);
}

export function forgetTicket(): void {
  ticket = undefined;
}

interface Sending {
  readonly body?: object | undefined;
  readonly bearer?: string;
  readonly signal?: AbortSignal | undefined;
  readonly accept?: string;
}

async function send(method: string, path: string, { body, bearer, signal, accept = "application/json" }: Sending): Promise<Response> {
  const headers: Record<string, string> = { accept };
  if (bearer !== undefined) headers["authorization"] = `Bearer ${bearer}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  try {
    return await fetch(path, {
      method,
      headers,
      credentials: "omit",
      cache: "no-store",
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new HubProblem(0, AWAY);
  }
}

async function problemOf(response: Response): Promise<HubProblem> {
  if (response.status === 401) forgetTicket();
  const said = (await response.json().catch(() => undefined)) as { code?: unknown; message?: unknown; hint?: unknown } | undefined;
  const code = (typeof said?.code === "string" ? said.code : "INTERNAL") as HubErrorBody["code"];
  const message = typeof said?.message === "string" ? said.message : `The hub answered with status ${response.status}.`;
  return new HubProblem(response.status, { code, message, ...(typeof said?.hint === "string" ? { hint: said.hint } : {}) });
}

async function takeTicket(): Promise<string> {
  if (ticket !== undefined && ticket.until > performance.now()) return ticket.text;
  const device = await readDevice();
  if (device === undefined) throw new HubProblem(401, { code: "NOT_AUTHORISED", message: "This browser is not admitted." });
  const { challenge } = await requestAsStranger<ChallengeView>("GET", "/api/ticket");
  const text = new TextEncoder().encode(`earshot ticket\n${location.origin}\n${device.id}\n${challenge}`);
  const signature = toBase64Url(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, device.key, text));
  const given = await requestAsStranger<TicketView>("POST", "/api/ticket", {
    device: device.id,
    challenge,
    signature,
  });
  ticket = { text: given.ticket, until: performance.now() + given.expiresInMs - MARGIN_MS };
  return ticket.text;
}

function toBase64Url(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
