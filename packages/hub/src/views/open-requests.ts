import { hash53 } from "./bounded.ts";

/** Questions of a session that wait for an answer, as a plain value of bounded size. The answer may be heard first. */
export interface Requests {
  readonly open: [name: number, position: number][];
  /** Answered before they were asked. */
  readonly early: number[];
}

const MOST_OPEN = 64;
const NAMELESS = hash53("");

export function openRequests(): Requests {
  return { open: [], early: [] };
}

export function openRequestsOf(requests: Requests, name: string, position: number): void {
  const hash = hash53(name);
  const early = requests.early.indexOf(hash);
  if (hash !== NAMELESS && early >= 0) {
    requests.early.splice(early, 1);
    return;
  }
  if (hash !== NAMELESS && requests.open.some(([open]) => open === hash)) return; // asked again
  requests.open.push([hash, position]);
  if (requests.open.length > MOST_OPEN) requests.open.shift();
}

/** Without a name, the one that waits longest was answered. What `mayBeNone` closes was perhaps never open. */
export function closeRequest(requests: Requests, name: string | undefined, mayBeNone = false): void {
  if (requests.open.length === 0 && mayBeNone) return;
  if (name === undefined) {
    requests.open.shift();
    return;
  }
  const hash = hash53(name);
  const index = requests.open.findIndex(([open]) => open === hash);
  if (index >= 0) {
    requests.open.splice(index, 1);
    return;
  }
  if (mayBeNone) return;
  requests.early.push(hash);
  if (requests.early.length > MOST_OPEN) requests.early.shift();
}
