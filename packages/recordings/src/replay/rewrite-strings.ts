/** The location of a string: the names of the members that lead to it; array elements add no name. */
export type StringPath = readonly string[];

/** Returns the replacement; undefined keeps the value. */
export type Rewrite = (path: StringPath, value: string) => string | undefined;

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * Replaces strings in a JSON text and leaves everything else as written: numbers keep their digits, members their order, and duplicate
 * keys stay duplicate, so a checker still finds the original defects. Member names are never replaced. The text must be valid JSON.
 */
export function rewriteStringsByPath(text: string, rewrite: Rewrite): string {
  const path: string[] = [];
  /** Whether each enclosing container is an object. */
  const isObject: boolean[] = [];
  let isName = false;
  let written = "";
  let copiedTo = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = endOfString(text, index);
      if (isName) {
        path[path.length - 1] = unquoted(text, index, end);
        isName = false;
      } else {
        const instead = rewrite(path, unquoted(text, index, end));
        if (instead !== undefined) {
          written += text.slice(copiedTo, index) + JSON.stringify(instead);
          copiedTo = end;
        }
      }
      index = end - 1;
    } else if (code === OPEN_OBJECT) {
      isObject.push(true);
      path.push("");
      isName = true;
    } else if (code === OPEN_LIST) {
      isObject.push(false);
      isName = false;
    } else if (code === CLOSE_OBJECT) {
      isObject.pop();
      path.pop();
      isName = false;
    } else if (code === CLOSE_LIST) {
      isObject.pop();
    } else if (code === COMMA) {
      isName = isObject.at(-1) === true;
    }
  }
  return copiedTo === 0 ? text : written + text.slice(copiedTo);
}

function unquoted(text: string, start: number, end: number): string {
  const inside = text.slice(start + 1, end - 1);
  return inside.includes("\\") ? String(JSON.parse(text.slice(start, end))) : inside;
}

/** The index after the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH) index++;
    else if (code === QUOTE) return index + 1;
  }
  return text.length;
}
