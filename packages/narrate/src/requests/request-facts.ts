import { isObject, type JsonValue } from "@earshot/protocol/json";
import type { AskedRequest } from "./request.ts";

export function serverOf({ facts }: Pick<AskedRequest, "facts">): { readonly server?: string } {
  const server = nameIn(facts["server"]);
  return server === undefined ? {} : { server };
}

export function skillOf({ facts }: Pick<AskedRequest, "facts">): { readonly name?: string } {
  const name = nameIn(facts["skill"]);
  return name === undefined ? {} : { name };
}

function nameIn(value: JsonValue | undefined): string | undefined {
  const name = isObject(value) ? (value["name"] ?? value["id"]) : undefined;
  return typeof name === "string" && name !== "" ? name : undefined;
}
