/** An event while it is being made: plain objects, filled field by field. */
export type Draft = Record<string, unknown>;

export type Put = (draft: Draft, value: unknown) => void;

/** Puts a value at a dotted path, making the objects on the way. The path was checked when the file was read. */
export function createPut(path: string): Put {
  const segments = path.split(".");
  const [first = "", second, third] = segments;
  if (second === undefined) {
    return (draft, value) => {
      draft[first] = value;
    };
  }
  if (first === "content" || first === "attachments") {
    const index = Number(second);
    return (draft, value) => {
      const list = listIn(draft, first);
      while (list.length <= index) list.push({});
      (list[index] as Draft)[third ?? ""] = value;
    };
  }
  if (third === undefined) {
    return (draft, value) => {
      const inner = draft[first];
      if (inner === undefined) draft[first] = { [second]: value };
      else (inner as Draft)[second] = value;
    };
  }
  return (draft, value) => {
    innerOf(innerOf(draft, first), second)[third] = value;
  };
}

/** The object at a member, made if it is not there. */
export function innerOf(draft: Draft, name: string): Draft {
  draft[name] ??= {};
  return draft[name] as Draft;
}

export function listIn(draft: Draft, name: string): Draft[] {
  draft[name] ??= [];
  return draft[name] as Draft[];
}

export function isDraft(value: unknown): value is Draft {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
