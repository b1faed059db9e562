import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isObject, type JsonObject } from "../../../packages/protocol/src/json.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { geminiContent } from "./gemini-content.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { Dialect, Line, Script, Written } from "./script.ts";

const DIALECTS: readonly Dialect[] = [anthropicMessages, openaiChat, openaiResponses, geminiContent];

/** A model on loopback that follows a script in whichever API it is called. */
export interface ScriptedModel extends AsyncDisposable {
  readonly url: string;
  /** Sets the script. */
  play(script: Script): void;
  /** Its requests, newest last, for finding out why an agent does not run. */
  readonly heard: readonly Heard[];
  forget(): void;
}

export interface Heard {
  readonly request: string;
  readonly body: JsonObject;
  readonly said: string;
}

export async function openScriptedModel(): Promise<ScriptedModel> {
  const heard: Heard[] = [];
  let number = 0;
  let script: Script = () => ({ says: "Nobody told me what to say." });
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? "/", "http://model").pathname;
    const body = await readBody(request);
    const dialect = request.method === "POST" ? DIALECTS.find(({ fits }) => fits(path)) : undefined;
    if (dialect === undefined) {
      heard.push({ request: `${request.method} ${request.url}`, body, said: "404" });
      response.writeHead(404, { "content-type": "application/json" }).end('{"error":{"message":"There is no such address.","code":404}}');
      return;
    }
    number++;
    const said = script({ ...dialect.read(body), text: JSON.stringify(body) });
    heard.push({ request: `${request.method} ${request.url}`, body, said: JSON.stringify(said) });
    const lines = Array.isArray(said) ? (said as readonly Line[]) : [said as Line];
    write(response, dialect.write(lines, { path, body, number }));
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    play(next) {
      script = next;
    },
    heard,
    forget() {
      heard.length = 0;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function write(response: ServerResponse, written: Written): void {
  if ("json" in written) {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(written.json));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const { event, data } of written.events) {
    const name = event === undefined ? "" : `event: ${event}\n`;
    response.write(`${name}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

async function readBody(request: IncomingMessage): Promise<JsonObject> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  try {
    const value: unknown = JSON.parse(Buffer.concat(pieces).toString());
    return isObject(value) ? value : {};
  } catch {
    return {}; // not every address is sent an object
  }
}
