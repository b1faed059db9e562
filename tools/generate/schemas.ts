import type { ProtocolName } from "@earshot/protocol";
import { SCHEMAS, schemaDocument } from "@earshot/protocol/schemas";

export function schemaFiles(): [string, string][] {
  return (Object.keys(SCHEMAS) as ProtocolName[]).flatMap((protocol) =>
    Object.keys(SCHEMAS[protocol]).map((name): [string, string] => [
      `packages/protocol/schemas/${protocol}/${name}.schema.json`,
      `${JSON.stringify(schemaDocument(protocol, name), null, 2)}\n`,
    ]),
  );
}
