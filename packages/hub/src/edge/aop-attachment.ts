/**
 * The `Content-Disposition` of a session's export. Ids may hold anything: quotes would end the header's value, line breaks
 * forge headers, slashes name other folders. Plain ids get the plain name alone, as the official collector gives it;
 * others a safe one for old clients, and the true one encoded (RFC 6266, RFC 8187).
 */
export function attachmentOf(sessionId: string): string {
  const safe = sessionId.replaceAll(/[^A-Za-z0-9_.-]/g, "_");
  const plain = `attachment; filename="session-${safe}.jsonl"`;
  if (safe === sessionId) return plain;
  // Not even encoded: whoever decodes it may use it as a path.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
  const name = sessionId.toWellFormed().replaceAll(/[\u0000-\u001f\u007f/\\]/g, "_");
  return `${plain}; filename*=UTF-8''session-${encodeExtended(name)}.jsonl`;
}

function encodeExtended(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
