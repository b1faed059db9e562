/** An address that a hook of a coding agent calls, taken apart. */
export interface HookAddress {
  readonly agent: string;
  readonly query: Readonly<Record<string, string>>;
}

/** No character that could be written in two ways, and no name twice: then there is one way to read it. */
const PLAIN = /^\/hooks\/([a-z][a-z0-9-]{0,63})(?:\?([a-z]+=[\w.-]*(?:&[a-z]+=[\w.-]*)*))?$/;

/** Hooks of one kind call the same address each time. */
let last: { readonly url: string; readonly address: HookAddress | undefined } = { url: "", address: undefined };

/** Undefined for any other address, and for one that is not plain: the router knows more. */
export function readHookAddress(url: string): HookAddress | undefined {
  if (!url.startsWith("/hooks/")) return undefined;
  if (url !== last.url) last = { url, address: read(url) };
  return last.address;
}

function read(url: string): HookAddress | undefined {
  const [, agent, search = ""] = PLAIN.exec(url) ?? [];
  if (agent === undefined) return undefined;
  const query: Record<string, string> = Object.create(null);
  for (const pair of search === "" ? [] : search.split("&")) {
    const at = pair.indexOf("=");
    const name = pair.slice(0, at);
    if (name in query) return undefined;
    query[name] = pair.slice(at + 1);
  }
  return { agent, query };
}
