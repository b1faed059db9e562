export interface LinkCode {
  readonly kind: "start" | "pair";
  readonly code: string;
}

/** The code of the link that led here. It is taken out of the address at once: it must not stay in the history, or in a screenshot. */
export function readLink(): LinkCode | undefined {
  const [kind, code] = location.hash.slice(1).split("=");
  if ((kind !== "start" && kind !== "pair") || code === undefined || code === "") return undefined;
  history.replaceState(null, "", location.pathname + location.search);
  return { kind, code };
}

/** What a person would call this browser, to begin with. */
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
