import { isObject, type JsonValue } from "@earshot/protocol";

/** What a value says, without the signs of JSON: `command: npm test, timeout: 60`. As far as there is room. */
export function wordsIn(value: JsonValue | undefined, room: number): string {
  const pieces: string[] = [];
  gather(value, "", room, pieces);
  return pieces.join(", ");
}

/** Gives how much room is left. */
function gather(value: JsonValue | undefined, name: string, room: number, pieces: string[]): number {
  if (room <= 0 || value === undefined || value === null) return room;
  let left = room;
  if (isObject(value)) {
    for (const key in value) {
      if (left <= 0) break;
      left = gather(value[key], key, left, pieces);
    }
    return left;
  }
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      if (left <= 0) break;
      left = gather(item, name, left, pieces);
    }
    return left;
  }
  const text = String(value).slice(0, room);
  if (text === "") return room;
  const piece = name === "" ? text : `${name}: ${text}`;
  pieces.push(piece);
  return room - piece.length - 2;
}
