import { useSyncExternalStore } from "react";

/** The current location: any state that a user may want to return to or share is in the address. */
export interface PageLocation {
  readonly page: string;
  /** Path segments after the page: `["7"]` for `/ui/session/7`. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

const BASE = "/ui/";
const listeners = new Set<() => void>();
let place = readPlace();

function readPlace(): PageLocation {
  const [page = "", ...rest] = location.pathname.slice(BASE.length).split("/").map(decodeURIComponent);
  return { page: page === "" ? "overview" : page, rest, query: new URLSearchParams(location.search) };
}

function changed(): void {
  place = readPlace();
  for (const listener of listeners) listener();
}

addEventListener("popstate", changed);

/** The page in the address when the dashboard was opened. */
export const FIRST_PAGE = place.page;

export function usePageLocation(): PageLocation {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => place,
  );
}

/** The address of a page: `hrefOf("session", 7, { at: 12 })`. */
export function hrefOf(
  page: string,
  ...parts: readonly (string | number | Readonly<Record<string, string | number | undefined>>)[]
): string {
  const words = parts.filter((part) => typeof part !== "object");
  const query = new URLSearchParams();
  for (const part of parts) {
    if (typeof part !== "object") continue;
    for (const [name, value] of Object.entries(part)) if (value !== undefined && value !== "") query.set(name, String(value));
  }
  const path = [page === "overview" ? "" : page, ...words.map((word) => encodeURIComponent(word))].join("/");
  const search = query.toString();
  return `${BASE}${path}${search === "" ? "" : `?${search}`}`;
}

export function navigate(href: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", href);
  else history.replaceState(null, "", href);
  changed();
}

/** Changes parts of the current page's query, such as filters. Undefined or empty values are removed. */
export function refineQuery(changes: Readonly<Record<string, string | undefined>>, how: "push" | "replace" = "replace"): void {
  const query = new URLSearchParams(place.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const search = query.toString();
  navigate(`${location.pathname}${search === "" ? "" : `?${search}`}`, how);
}
