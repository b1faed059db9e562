export interface Frame {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

/** Cuts what comes of an event stream into frames. As much of the format as the hub uses: LF, `event`, `id`, `data`. */
export class SseReader {
  #rest = "";
  #id = "";

  feed(text: string): readonly Frame[] {
    const blocks = (this.#rest + text).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => {
      let event = "message";
      const data: string[] = [];
      for (const line of block.split("\n")) {
        const colon = line.indexOf(":");
        if (colon <= 0) continue;
        const name = line.slice(0, colon);
        const value = line.slice(colon + 1).replace(/^ /, "");
        if (name === "event") event = value;
        else if (name === "id") this.#id = value;
        else if (name === "data") data.push(value);
      }
      return data.length === 0 && event === "message" ? [] : [{ event, id: this.#id, data: data.join("\n") }];
    });
  }
}
