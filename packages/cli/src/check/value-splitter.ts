import { JSON_LIMITS } from "@earshot/protocol";
import type { RecordingSink } from "./recording.ts";

/**
 * Cuts a JSON array, or objects laid out over several lines, into its values without parsing: it counts brackets
 * outside strings. What stands between the values (commas, brackets of the array) is checked as it goes by. After
 * something that is not JSON it goes on at the next value, so that one slip does not hide the rest.
 */
export class ValueSplitter {
  readonly #sink: RecordingSink;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #isArray: boolean;
  #line = 1;
  #value = "";
  #valueLine = 1;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #overlong = false;
  #expect: "open" | "value" | "separator" | "nothing";
  #broken = false;

  constructor(layout: "array" | "values", sink: RecordingSink) {
    this.#sink = sink;
    this.#isArray = layout === "array";
    this.#expect = this.#isArray ? "open" : "value";
  }

  write(chunk: Uint8Array): void {
    if (this.#broken) return;
    let text: string;
    try {
      text = this.#decoder.decode(chunk, { stream: true });
    } catch {
      // The decoder cannot go on after bytes that are not UTF-8, and without it no string can be told from the next.
      this.#broken = true;
      this.#sink.refuse({ code: "NOT_UTF8", message: "From here on the text is not UTF-8." }, this.#line);
      return;
    }
    this.#scan(text);
  }

  end(): void {
    if (this.#broken) return;
    if (this.#depth > 0)
      this.#sink.refuse({ code: "NOT_JSON", message: "The event is cut off: the text ends inside it." }, this.#valueLine);
    else if (this.#value.trim() !== "") this.#flush();
    if (this.#isArray && this.#expect !== "nothing") this.#sink.refuse({ code: "NOT_JSON", message: "The array has no end." }, this.#line);
  }

  #scan(text: string): void {
    let start = 0;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code === 10) this.#line++;
      if (this.#depth > 0) {
        if (this.#step(code)) {
          this.#add(text.slice(start, index + 1));
          this.#flush();
          start = index + 1;
        }
        continue;
      }
      if (code === 123 || (code === 91 && this.#expect !== "open")) {
        this.#addStray(text.slice(start, index));
        start = index;
        this.#valueLine = this.#line;
        if (this.#expect === "separator" && this.#isArray)
          this.#sink.refuse({ code: "NOT_JSON", message: "A comma is missing before this event." }, this.#line);
        this.#depth = 1;
        continue;
      }
      if (this.#isArray && (code === 44 || code === 91 || code === 93)) {
        this.#addStray(text.slice(start, index));
        start = index + 1;
        this.#punctuation(code);
      } else if (code === 10) {
        this.#addStray(text.slice(start, index));
        start = index + 1;
      }
    }
    if (this.#depth > 0) this.#add(text.slice(start));
    else this.#addStray(text.slice(start));
  }

  /** Inside a value; true when it ends with this character. */
  #step(code: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (code === 92) this.#escaped = true;
      else if (code === 34) this.#inString = false;
      return false;
    }
    if (code === 34) this.#inString = true;
    else if (code === 123 || code === 91) this.#depth++;
    else if (code === 125 || code === 93) this.#depth--;
    return this.#depth === 0;
  }

  #punctuation(code: number): void {
    if (code === 91 && this.#expect === "open") this.#expect = "value";
    else if (code === 44 && this.#expect === "separator") this.#expect = "value";
    else if (code === 93 && this.#expect !== "open") this.#expect = "nothing";
    else
      this.#sink.refuse({ code: "NOT_JSON", message: `A ${JSON.stringify(String.fromCharCode(code))} does not belong here.` }, this.#line);
  }

  #add(part: string): void {
    if (this.#value.length + part.length > JSON_LIMITS.maxCharacters) {
      this.#overlong = true;
      this.#value = "";
    } else if (!this.#overlong) {
      this.#value += part;
    }
  }

  /** Text between values: white space is nothing, anything else is told as it stands. */
  #addStray(part: string): void {
    if (part.trim() === "") return;
    this.#sink.refuse({ code: "NOT_JSON", message: "Text that is not JSON stands between the events." }, this.#line);
    if (this.#expect === "value") this.#expect = "separator";
  }

  #flush(): void {
    if (this.#overlong) {
      const message = `The event has more than ${JSON_LIMITS.maxCharacters.toLocaleString("en")} characters.`;
      this.#sink.refuse({ code: "TOO_LARGE", message }, this.#valueLine);
    } else if (this.#value !== "") {
      this.#sink.hear(this.#value, this.#valueLine, Buffer.byteLength(this.#value));
    }
    this.#value = "";
    this.#overlong = false;
    this.#expect = this.#isArray ? "separator" : "value";
  }
}
