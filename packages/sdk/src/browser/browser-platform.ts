import type { EndListener, Platform, PlatformRequest, PlatformResponse } from "../delivery/platform.ts";

/** Uses `fetch`, and beacons when the page closes. Nothing is stored on disk. */
export function createBrowserPlatform(url: string | undefined, protocol: Platform["protocol"] = "aop"): Platform {
  const base = (url ?? globalThis.location?.origin ?? "").replace(/(?<!\/)\/+$/, "");
  return {
    protocol,
    request: ask,
    wait: ask,
    candidates: () => [{ url: base, named: true }],
    beacon: (address, body, contentType) => globalThis.navigator?.sendBeacon?.(address, new Blob([body], { type: contentType })) === true,
    watch: watchPage,
  };
}

async function ask({ url, method, body, contentType, timeoutMs }: PlatformRequest): Promise<PlatformResponse> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = { "content-type": contentType ?? "application/json" };
    const response = await fetch(url, body === undefined ? { method, signal } : { method, signal, body, headers });
    return { kind: "answered", status: response.status, body: await response.text() };
  } catch {
    return { kind: "unanswered" }; // a page is not told whether anything was sent
  }
}

function watchPage(listener: EndListener): () => void {
  if (typeof globalThis.addEventListener !== "function") return () => {};
  const onPageHide = ({ persisted }: PageTransitionEvent) => {
    // A page in the back/forward cache has not ended, but its events are sent anyway.
    if (!persisted) listener.lastWords({ outcome: "cancelled", summary: "The page was closed." });
    listener.leave();
  };
  globalThis.addEventListener("pagehide", onPageHide);
  return () => globalThis.removeEventListener("pagehide", onPageHide);
}
