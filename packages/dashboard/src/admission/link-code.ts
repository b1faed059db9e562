export interface StartLinkCode {
  readonly kind: "start" | "pair";
  readonly code: string;
}

/**
 * Returns the code of the link that opened this page. The code is removed from the address at once to keep it out of the history and of
 * screenshots.
 */
export function readLink(): StartLinkCode | undefined {
  const [kind, code] = location.hash.slice(1).split("=");
  if ((kind !== "start" && kind !== "pair") || code === undefined || code === "") return undefined;
  history.replaceState(null, "", location.pathname + location.search);
  return { kind, code };
}

/** Returns the initial suggestion for this browser's name. */
export function suggestName(): string {
  const agent = navigator.userAgent;
  const browser = /Edg\//.test(agent)
    ? "Edge"
    : /Firefox\//.test(agent)
      ? "Firefox"
      : /Chrome\//.test(agent)
        ? "Chrome"
        : /Safari\//.test(agent)
          ? "Safari"
          : "Browser";
  const system = /Android/.test(agent)
    ? "Android"
    : /iPhone|iPad/.test(agent)
      ? "iOS"
      : /Windows/.test(agent)
        ? "Windows"
        : /Mac OS/.test(agent)
          ? "macOS"
          : /Linux/.test(agent)
            ? "Linux"
            : "this device";
  return `${browser} on ${system}`;
}
