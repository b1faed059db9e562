import { isObject, type JsonObject } from "@earshot/protocol/json";
import { EarshotError } from "@earshot/protocol/problem";

export type Fetch = typeof globalThis.fetch;

/** Where a producer is, and what is shown to it. Nothing but what is under this address is ever asked for. */
export interface HttpPlace {
  /** Without a slash at its end: `http://127.0.0.1:8090/aaep/v1`. */
  readonly base: string;
  /** What follows a `?` in the address that was given; part of every request. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
}

/** Answers to messages are small. */
const LONGEST_ANSWER = 256 * 1024;
const ANSWER_MS = 15_000;

export interface PostAnswer {
  readonly status: number;
  /** Undefined where it is no JSON object. */
  readonly body: JsonObject | undefined;
  readonly location: string | undefined;
}

export async function post(place: HttpPlace, path: string, body: object, signal?: AbortSignal): Promise<PostAnswer> {
  const timeout = AbortSignal.timeout(ANSWER_MS);
  const response = await ask(place, path, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  });
  const text = await readBounded(response);
  return { status: response.status, body: parse(text), location: response.headers.get("location") ?? undefined };
}

/** A redirection is not followed: the address was a person's choice, and so are the credentials for it. */
export async function ask({ base, query, headers, fetch }: HttpPlace, path: string, init: RequestInit): Promise<Response> {
  const url = `${base}${path}${query === "" ? "" : `${path.includes("?") ? "&" : "?"}${query}`}`;
  try {
    return await fetch(url, {
      ...init,
      redirect: "error",
      cache: "no-store",
      credentials: "omit",
      headers: { ...headers, ...(init.headers as Readonly<Record<string, string>>) },
    });
  } catch (error) {
    const { cause } = error instanceof Error ? error : { cause: undefined };
    const why = cause instanceof Error ? cause.message : error instanceof Error ? error.message : "";
    throw new EarshotError({ code: "PRODUCER_UNREACHABLE", message: `${base} does not answer: ${why}` }, { cause: error });
  }
}

async function readBounded(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length <= LONGEST_ANSWER) continue;
    await reader.cancel();
    throw new EarshotError({ code: "TOO_LARGE", message: "The producer's answer is too long." });
  }
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // a page, or nothing at all
  }
}
