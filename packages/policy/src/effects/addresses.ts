/** Addresses in URLs and in command words. Nothing is looked up. */

const LOOPBACK =
  /^(?:localhost|(?=.*\b127\.0\.0\.1\.).*|.+\.localhost|127(?:\.\d+){0,3}|0\.0\.0\.0|0|\[?::1?\]?|\[?::ffff:127\..*|host\.docker\.internal|host\.containers\.internal|docker\.for\.mac\.localhost|.*\.local|.*\.test|localtest\.me|.*\.localtest\.me|lvh\.me|.*\.lvh\.me)$/i;
/** Cloud metadata addresses, which return credentials. */
const METADATA =
  /^(?:(?=(?:.*\.)?169\.254\.\d+\.\d+(?:\.|$)).*|metadata(?:\.google\.internal|\.goog|\.azure\.com|\.tencentyun\.com)?|100\.100\.100\.200|\[?fd00:ec2::254\]?|instance-data|192\.0\.0\.192|rancher-metadata|(?=.*169-254-169-254).*)$/i;

/** The host in a URL, or in a word that looks like a host or an address. */
export function hostInWord(word: string): string | undefined {
  const [, authority] = /^[a-z][\w+.-]*:\/\/([^/?#\s]*)/i.exec(word) ?? [];
  if (authority !== undefined) {
    const host = authority.slice(authority.lastIndexOf("@") + 1);
    return host.startsWith("[") && host.includes("]") ? host.slice(0, host.indexOf("]") + 1) : host.replace(/:\d*$/, "");
  }
  if (/^:\d*(?:\/|$)/.test(word)) return "localhost";
  return /^(?:[\w.-]+@)?((?:[\w-]+\.)+[a-z]{2,}|localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d+)?(?:[/?#].*)?$/i.exec(word)?.[1];
}

/** `2130706433`, `0x7f000001`, `017700000001` and `[::ffff:127.0.0.1]` are all 127.0.0.1. */
function asNumber(address: string): string {
  const host = address.replace(/^\[?(?:0*:)*:?ffff:(?=\d+\.)(.*?)\]?$/i, "$1");
  if (!/^(?:0x[\da-f]+|\d+)$/i.test(host)) return host;
  const value = /^0\d/.test(host) ? Number.parseInt(host, 8) : Number(host);
  if (!Number.isSafeInteger(value) || value > 0xffffffff || value < 256) return host;
  return [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256).join(".");
}

/** Whether a word has a host that passes the test. */
function hasHost(word: string, fits: (host: string) => boolean): boolean {
  const host = hostInWord(word);
  return host !== undefined && fits(asNumber(host));
}

export function isLoopbackWord(word: string): boolean {
  return hasHost(word, (host) => LOOPBACK.test(host));
}

/** Whether a word is an address of another machine. */
export function isElsewhere(word: string): boolean {
  return hasHost(word, (host) => host !== "" && !LOOPBACK.test(host) && !/^(?:file|data|about|chrome)(?::|$)/i.test(word));
}

/** Whether a word is a cloud metadata address. */
export function isInternal(word: string): boolean {
  return hasHost(word, (host) => METADATA.test(host));
}

export function portInWord(word: string): number | undefined {
  const [, port] = /^(?:[a-z][\w+.-]*:\/\/)?(?:\[[^\]]*\]|[^/:?#\s]*):(\d{1,5})(?:[/?#]|$)/i.exec(word) ?? [];
  return port === undefined ? undefined : Number(port);
}

/** The host of `host:path` (scp, rsync) or `user@host`. */
export function remoteHost(word: string): string | undefined {
  if (/^[A-Za-z]:[\\/]/.test(word)) return undefined;
  const [, host] = /^(?:[\w.-]+@)?([\w.-]+|\[[\da-f:.]+\]):(?!\/\/)/i.exec(word) ?? [];
  return host ?? (word.startsWith("rsync://") ? hostInWord(word) : undefined);
}

/** Whether a host is an address or a network name rather than an alias of the user's own. */
export function isUnknownHost(host: string): boolean {
  return /[.:\0]/.test(host) && !LOOPBACK.test(host);
}
