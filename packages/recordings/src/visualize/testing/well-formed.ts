/**
 * Whether the tags and quotes of an XML text are balanced and special characters are escaped. Not a parser: it covers the constructs of
 * our pictures, and of document types and processing instructions only the leading XML declaration.
 */
export function isWellFormed(xml: string): boolean {
  const body = xml.replace(/^<\?xml[^>]*\?>\s*/, "");
  const open: string[] = [];
  let rest = body;
  while (rest !== "") {
    const text = /^[^<]*/.exec(rest)?.[0] ?? "";
    if (/&(?!(?:amp|lt|gt|quot|#39);)/.test(text) || text.includes("]]>")) return false;
    rest = rest.slice(text.length);
    if (rest === "") break;
    const tag = /^<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/.exec(rest);
    if (tag === null) return false;
    const [whole, close, name = "", , empty] = tag;
    if (close === "/") {
      if (open.pop() !== name) return false;
    } else if (empty !== "/") open.push(name);
    rest = rest.slice(whole.length);
    if (open.length === 0 && rest.trim() !== "") return false;
  }
  return open.length === 0;
}
