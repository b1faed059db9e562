/**
 * Throws unless the text is well-formed XML within the subset that Earshot writes: elements, attributes, the five entities, numeric
 * references and an XML declaration; no comments, CDATA or document types.
 */
export function assertWellFormed(xml: string): void {
  const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(xml);
  if (forbidden !== null) throw new Error(`Character ${forbidden[0].codePointAt(0)?.toString(16)} is not allowed in XML`);
  const open: string[] = [];
  let roots = 0;
  for (const { 0: token } of xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, "").matchAll(/<[^<>]*>|[^<]+|</g)) {
    const tag =
      /^<(?<end>\/?)(?<name>[a-z-]+)(?<attributes>(?: [a-z]+="[^"<&]*(?:&(?:amp|lt|gt|quot|#39);[^"<&]*)*")*)(?<empty>\/?)>$/.exec(token);
    if (tag?.groups !== undefined) {
      const { end, name = "", attributes = "", empty } = tag.groups;
      const names = [...attributes.matchAll(/ ([a-z]+)="/g)].map(([, attribute]) => attribute);
      if (new Set(names).size !== names.length) throw new Error(`An attribute occurs twice in ${token}`);
      if (end === "/") {
        if (open.pop() !== name) throw new Error(`Unexpected ${token}`);
      } else {
        if (open.length === 0) roots += 1;
        if (empty !== "/") open.push(name);
      }
    } else if (token.startsWith("<") || token.includes("]]>") || /&(?!(?:amp|lt|gt|quot|#39);)/.test(token)) {
      throw new Error(`Not XML: ${token}`);
    } else if (open.length === 0 && token.trim() !== "") {
      throw new Error(`Text outside the root: ${token}`);
    }
  }
  if (open.length > 0 || roots !== 1) throw new Error(`Unclosed: ${open.join(", ")}; roots: ${roots}`);
}
