import { isObject, type JsonValue } from "@earshot/protocol";

/** The first characters of a value's JSON, without writing the rest of it: a tool's input may be megabytes long. */
export function beginningOf(value: JsonValue | undefined, length: number): string {
  return write("", value, length).slice(0, length);
}

function write(before: string, value: JsonValue | undefined, length: number): string {
  if (before.length >= length) return before;
  if (typeof value === "string") return before + JSON.stringify(value.slice(0, length));
  if (isObject(value)) {
    let text = `${before}{`;
    let comma = "";
    // Not Object.entries: that visits every member of an object of which only a few will be looked at.
    for (const key in value) {
      if (text.length >= length) return text;
      if (value[key] === undefined) continue;
      text = write(`${text}${comma}${JSON.stringify(key.slice(0, length))}:`, value[key], length);
      comma = ",";
    }
    return `${text}}`;
  }
  if (Array.isArray(value)) {
    let text = `${before}[`;
    let comma = "";
    for (const item of value as readonly JsonValue[]) {
      if (text.length >= length) return text;
      text = write(text + comma, item, length);
      comma = ",";
    }
    return `${text}]`;
  }
  return before + String(value);
}
