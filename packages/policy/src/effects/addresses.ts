/** Addresses in URLs and in the words of commands: nothing is looked up. */

const LOOPBACK =
  /^(?:localhost|.*\b127\.0\.0\.1\..*|.+\.localhost|127(?:\.\d+){0,3}|0\.0\.0\.0|0|\[?::1?\]?|\[?::ffff:127\..*|host\.docker\.internal|host\.containers\.internal|docker\.for\.mac\.localhost|.*\.local|.*\.test|localtest\.me|.*\.localtest\.me|lvh\.me|.*\.lvh\.me)$/i;
/** Cloud metadata addresses, which hand out credentials. */
const METADATA =
  /^(?:(?:.*\.)?169\.254\.\d+\.\d+(?:\..*)?|metadata(?:\.google\.internal|\.goog|\.azure\.com|\.tencentyun\.com)?|100\.100\.100\.200|\[?fd00:ec2::254\]?|instance-data|192\.0\.0\.192|rancher-metadata|.*169-254-169-254.*)$/i;

/** The host in a URL, or in a word that looks like a host or an address. */
export function hostOf(word: string): string | undefined {
  const [, scheme, authority] = /^([a-z][\w+.-]*):\/\/([^/?#\s]*)/i.exec(word) ?? [];
  if (scheme !== undefined && authority !== undefined) {
    const host = authority.replace(/^.*@/, "");
    return host.startsWith("[") ? host.replace(/\].*$/, "]") : host.replace(/:\d*$/, "");
  }
  if (/^:\d*(?:\/|$)/.test(word)) return "localhost";
  const [, host] =
    /^(?:[\w.-]+@)?((?:[\w-]+\.)+[a-z]{2,}|localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d+)?(?:[/?#].*)?$/i.exec(word) ?? [];
  return host;
}

/** `2130706433`, `0x7f000001`, `017700000001` and `[::ffff:127.0.0.1]` are 127.0.0.1 as well. */
function asNumber(address: string): string {
  const host = address.replace(/^\[?(?:0*:)*:?ffff:(?=\d+\.)(.*?)\]?$/i, "$1");
  if (!/^(?:0x[\da-f]+|\d+)$/i.test(host)) return host;
  const value = host.length > 1 && /^0\d/.test(host) ? Number.parseInt(host, 8) : Number(host);
  if (!Number.isSafeInteger(value) || value > 0xffffffff || value < 256) return host;
  return [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256).join(".");
}

export function isLoopback(word: string): boolean {
  const host = hostOf(word);
  return host !== undefined && LOOPBACK.test(asNumber(host));
}

/** A machine other than this one. */
export function isElsewhere(word: string): boolean {
  const host = hostOf(word);
  return (
    host !== undefined &&
    host !== "" &&
    !LOOPBACK.test(asNumber(host)) &&
    !/^(?:file|data|about|chrome)$/i.test(word.split(":", 1)[0] ?? "")
  );
}

/** A cloud metadata address. */
export function isInternal(word: string): boolean {
  const host = hostOf(word);
  return host !== undefined && METADATA.test(asNumber(host));
}

export function portOf(word: string): number | undefined {
  const [, port] = /^(?:[a-z][\w+.-]*:\/\/)?(?:\[[^\]]*\]|[^/:?#\s]*):(\d{1,5})(?:[/?#]|$)/i.exec(word) ?? [];
  return port === undefined ? undefined : Number(port);
}

/** `host:path` of scp and rsync, `user@host`. */
export function remoteHost(word: string): string | undefined {
  const [, host] = /^(?:[\w.-]+@)?([\w.-]+|\[[\da-f:.]+\]):(?!\/\/)/i.exec(word) ?? [];
  return /^[A-Za-z]:[\\/]/.test(word) ? undefined : (host ?? (word.startsWith("rsync://") ? hostOf(word) : undefined));
}

/** A host that the person has no name of their own for: an address, or a name in the net. */
export function isUnknownHost(host: string): boolean {
  return (host.includes(".") || host.includes(":") || host.includes("\0")) && !LOOPBACK.test(host);
}
