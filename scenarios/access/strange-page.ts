import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on another port of 127.0.0.1 with a page that tries everything a page can. */
export interface StrangePage extends AsyncDisposable {
  readonly url: string;
  /** Headers that browsers added by themselves. */
  readonly heard: readonly IncomingMessage["headers"][];
}

export async function openStrangePage(): Promise<StrangePage> {
  const heard: IncomingMessage["headers"][] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers);
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>A page of another program</title><body>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The negative control: answers everyone and lets every page read the answer. */
export async function openCarelessServer(): Promise<AsyncDisposable & { readonly url: string; readonly heard: readonly string[] }> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    const { method, headers } = request;
    heard.push(`${method} ${headers["content-type"] ?? ""}`);
    const isStream = headers.accept === "text/event-stream";
    response.writeHead(200, {
      "content-type": isStream ? "text/event-stream" : "text/javascript",
      "access-control-allow-origin": headers.origin ?? "*",
      "access-control-allow-credentials": "true",
      "access-control-allow-headers": "authorization, content-type",
      "access-control-allow-methods": "GET, POST, DELETE",
    });
    response.end(isStream ? "data: 1\n\n" : "1");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The result of each attempt. Anything but "nothing" is a vulnerability. */
export type Loot = Readonly<Record<string, string>>;

export interface Tries {
  readonly hub: string;
  readonly event: string;
  /** URLs for reading, and URLs with a body for writing. */
  readonly reads: readonly string[];
  readonly writes: readonly { readonly path: string; readonly body: string }[];
}

/** Runs in the page; knows only the hub's address and what someone might have seen on the screen. */
export async function tryEverything({ hub, event, reads, writes }: Tries): Promise<Loot> {
  const loot: Record<string, string> = {};
  const soon = (ms: number) => new Promise<string>((resolve) => setTimeout(() => resolve("nothing"), ms));
  const keep = async (name: string, attempt: Promise<string>) => {
    loot[name] = await Promise.race([attempt.catch(() => "nothing"), soon(2500)]);
  };
  const read = async (response: Response) => {
    const text = await response.text();
    return text === "" ? "nothing" : text.slice(0, 100);
  };
  const all: Promise<void>[] = [];
  for (const path of reads) {
    for (const mode of ["cors", "no-cors"] as const) {
      all.push(keep(`fetch ${mode} ${path}`, fetch(hub + path, { mode, credentials: "include" }).then(read)));
    }
    all.push(keep(`fetch ${path} with a made-up credential`, fetch(hub + path, { headers: { authorization: "Bearer x" } }).then(read)));
    all.push(
      keep(
        `image ${path}`,
        new Promise((resolve) => {
          const image = new Image();
          image.onload = () => resolve("loaded");
          image.onerror = () => resolve("nothing");
          image.src = hub + path;
        }),
      ),
      keep(
        `script ${path}`,
        new Promise((resolve) => {
          const script = document.createElement("script");
          script.onload = () => resolve("loaded");
          script.onerror = () => resolve("nothing");
          script.src = hub + path;
          document.body.append(script);
        }),
      ),
      keep(
        `frame ${path}`,
        new Promise((resolve) => {
          const frame = document.createElement("iframe");
          frame.src = hub + path;
          frame.onload = () => {
            try {
              resolve(frame.contentDocument?.body.textContent ?? "nothing");
            } catch {
              resolve("nothing");
            }
          };
          document.body.append(frame);
        }),
      ),
      keep(
        `EventSource ${path}`,
        new Promise((resolve) => {
          const source = new EventSource(hub + path);
          source.onmessage = ({ data }) => resolve(String(data));
          source.onopen = () => resolve("opened");
        }),
      ),
      keep(
        `WebSocket ${path}`,
        new Promise((resolve) => {
          const socket = new WebSocket(hub.replace("http", "ws") + path);
          socket.onopen = () => resolve("opened");
          socket.onmessage = ({ data }) => resolve(String(data));
        }),
      ),
    );
  }
  for (const { path, body } of writes) {
    for (const type of ["text/plain", "application/json", "application/x-www-form-urlencoded"]) {
      for (const mode of ["cors", "no-cors"] as const) {
        const sent = fetch(hub + path, { method: "POST", mode, body, headers: { "content-type": type }, credentials: "include" });
        all.push(keep(`post ${mode} ${type} ${path}`, sent.then(read)));
      }
    }
    all.push(keep(`delete ${path}`, fetch(hub + path, { method: "DELETE" }).then(read)));
    navigator.sendBeacon(hub + path, body);
    navigator.sendBeacon(hub + path, new Blob([body], { type: "text/plain" }));
    // A form whose single field forms JSON from its name and value when sent as text/plain.
    const form = document.createElement("form");
    const field = document.createElement("input");
    const frame = document.createElement("iframe");
    frame.name = `frame of ${path}`;
    document.body.append(frame);
    Object.assign(form, { method: "POST", action: hub + path, enctype: "text/plain", target: frame.name });
    const cut = event.indexOf("=") < 0 ? event.length - 1 : event.indexOf("=");
    field.name = `${event.slice(0, cut)},"x":"`;
    field.value = '"}';
    form.append(field);
    document.body.append(form);
    form.submit();
  }
  await Promise.all(all);
  const names = (await indexedDB.databases()).map(({ name }) => name).join(", ");
  loot["IndexedDB"] = names === "" ? "nothing" : names;
  loot["cookies"] = document.cookie === "" ? "nothing" : document.cookie;
  loot["storage"] = localStorage.length + sessionStorage.length === 0 ? "nothing" : "something";
  return loot;
}
