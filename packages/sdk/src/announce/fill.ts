/** What goes into the places of a template. */
export type Values = Readonly<Record<string, string | number | undefined>>;

/** Puts values into `removes {what|a folder}`: what stands after the line is said where there is no value. */
export function fill(template: string, values: Values = {}): string {
  return template.replaceAll(/\{(\w+)(?:\|([^}]*))?\}/g, (_whole, name: string, otherwise: string | undefined) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined || value === "" ? (otherwise ?? "") : String(value);
  });
}

/** One of `{n} line||{n} lines`, by the number. */
export function fillCounted(template: string, count: number, values: Values & { readonly n: string | number }): string {
  const [one = "", many = one] = template.split("||");
  return fill(count === 1 ? one : many, values);
}
